package sanitize

import "unicode"

const (
	pageSize = 256
	pages    = (unicode.MaxRune + 1) / pageSize
)

// A classTable finds the class of a code point in two loads: its page of 256
// code points, then its place there. Most of Unicode needs no rule and shares a
// few pages.
type classTable struct {
	page  [pages]uint8
	cells [256][pageSize]class // half of them used by Unicode 15
}

// classes is the policy of unicode.go, compiled once and not written afterwards.
var classes = compile()

// of returns the class of r.
func (t *classTable) of(r rune) class {
	return t.cells[t.page[uint32(r)/pageSize]][uint32(r)%pageSize]
}

// A layout builds a classTable out of layers.
type layout struct {
	classTable
	own  [pages]bool // written to, and not shared with other pages
	used int         // of cells
}

// compile lays the tables of unicode.go one over the other. A later layer wins,
// so they go from scripts and categories to single code points.
func compile() *classTable {
	l := new(layout)
	l.add(uniform(base))
	for _, script := range joiningScripts {
		l.setTable(script, base, joining)
	}
	for _, table := range notLetters {
		l.setTable(table, joining, base)
	}
	for _, table := range marks {
		l.setTable(table, joining, joiningMark)
		l.setTable(table, base, combining)
	}
	l.setTable(unicode.Zs, base, other)
	for _, layer := range layers {
		l.set(layer.class, layer.spans...)
	}
	for plane := rune(0); plane <= unicode.MaxRune; plane += 0x10000 {
		l.set(noncharacter, span{plane + 0xFFFE, plane + 0xFFFF})
	}
	return &l.classTable
}

// set gives the code points of spans the class c.
func (l *layout) set(c class, spans ...span) {
	for _, s := range spans {
		whole := -1
		for lo := s.lo; lo <= s.hi; {
			i, next := lo/pageSize, min(lo/pageSize*pageSize+pageSize, s.hi+1)
			if next-lo < pageSize {
				cells := l.write(i)
				for r := lo; r < next; r++ {
					cells[r%pageSize] = c
				}
			} else {
				if whole < 0 {
					whole = l.add(uniform(c))
				}
				l.page[i], l.own[i] = uint8(whole), false
			}
			lo = next
		}
	}
}

// setTable gives the code points of table the class to if they are of class
// from.
func (l *layout) setTable(table *unicode.RangeTable, from, to class) {
	for _, s := range table.R16 {
		l.change(rune(s.Lo), rune(s.Hi), rune(s.Stride), from, to)
	}
	for _, s := range table.R32 {
		l.change(rune(s.Lo), rune(s.Hi), rune(s.Stride), from, to)
	}
}

func (l *layout) change(lo, hi, stride rune, from, to class) {
	for r := lo; r <= hi; r += stride {
		if l.of(r) == from {
			l.write(r / pageSize)[r%pageSize] = to
		}
	}
}

// write returns page i to write to, as a copy of its own if it is shared.
func (l *layout) write(i rune) *[pageSize]class {
	if !l.own[i] {
		l.page[i], l.own[i] = uint8(l.add(l.cells[l.page[i]])), true
	}
	return &l.cells[l.page[i]]
}

// add adds cells and returns their number.
func (l *layout) add(cells [pageSize]class) int {
	l.cells[l.used] = cells
	l.used++
	return l.used - 1
}

// uniform is a page that is all of one class.
func uniform(c class) (cells [pageSize]class) {
	for i := range cells {
		cells[i] = c
	}
	return cells
}
