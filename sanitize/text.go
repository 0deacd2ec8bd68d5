package sanitize

import (
	"slices"
	"unicode/utf8"
)

// text applies the Unicode policy to the code points that are no control
// function, and holds the output.
//
// As long as the output equals the input there is no output: src[from:] is kept
// where it lies, and only a code point that has to go makes text copy what came
// before it. Clean input is therefore never copied.
type text struct {
	context
	src       string // the input at hand
	from      int    // src[:from] is in out or removed, src[from:at] is kept
	at, width int    // the current code point
	out       []byte
}

// context is what a rule may know about the text so far. It is a value, so that
// the payload of a control string can be tried and taken back.
type context struct {
	prev    class         // the last code point kept
	marks   uint8         // combining marks in a row
	afterCR bool          // the last code point was CR, and LF was written for it
	count   uint8         // of code points in held
	held    [maxHeld]rune // kept or removed as a whole, when the next one is known
	heldAt  int           // where held begins in src, or outside
	removed Report
}

// A moment is a place in the output to go back to.
type moment struct {
	context
	out int // bytes
}

// begin takes the next piece of input.
func (t *text) begin(src string) {
	t.src, t.from = src, 0
}

// unchanged reports whether all input so far was one piece and is kept as it is.
func (t *text) unchanged() bool {
	return t.from == 0 && len(t.out) == 0
}

// settled reports whether nothing waits for the next code point.
func (t *text) settled() bool {
	return t.count == 0 && !t.afterCR
}

// keeps reports whether the code point before src[i:] was kept. Where it was
// not, the next is likely to be removed too, and scanning for text is waste.
func (t *text) keeps(i int) bool {
	return t.from < i || i == 0
}

// run keeps everything up to src[:i], of which scan said that no rule is needed.
func (t *text) run(i int) {
	t.marks = 0
	if c := t.src[i-1]; c < utf8.RuneSelf {
		t.prev = classes.of(rune(c))
		return
	}
	r, _ := utf8.DecodeLastRuneInString(t.src[:i])
	t.prev = classes.of(r)
}

// now is this moment. The current code point has been cut.
func (t *text) now() moment {
	return moment{t.context, len(t.out)}
}

// back goes back to m and removes everything since, the current code point too.
func (t *text) back(m moment) {
	t.context = m.context
	t.out = t.out[:m.out]
	t.from = t.at + t.width
}

// cut leaves the current code point out of the output.
func (t *text) cut() {
	if t.from < t.at {
		end := t.at
		if t.count > 0 && t.heldAt != outside {
			end, t.heldAt = t.heldAt, outside
		}
		t.copy(end)
	}
	t.from = t.at + t.width
}

// copy appends src[from:end] to the output.
func (t *text) copy(end int) {
	t.grow(end - t.from)
	t.out = append(t.out, t.src[t.from:end]...)
}

// grow makes room for n bytes, and for all that is likely to come.
func (t *text) grow(n int) {
	if cap(t.out)-len(t.out) < n {
		t.out = slices.Grow(t.out, max(n, min(len(t.src), fullOutput)))
	}
}

// drop cuts the current code point and counts it.
func (t *text) drop() {
	t.cut()
	t.removed.Invisibles++
}

// replace writes U+FFFD in place of the current code point.
func (t *text) replace() {
	t.supplant()
	t.out = append(t.out, "\uFFFD"...)
}

// breakLine writes LF in place of the current code point.
func (t *text) breakLine() {
	t.supplant()
	t.out = append(t.out, lf)
}

// supplant cuts the current code point and makes room for one of class other.
func (t *text) supplant() {
	t.keep(other)
	t.cut()
	t.grow(utf8.UTFMax)
}

// keep leaves the current code point in the output.
func (t *text) keep(c class) {
	if t.count > 0 {
		t.resolve(c)
	}
	t.prev, t.marks = c, 0
}

// finish ends the text.
func (t *text) finish() {
	t.resolve(other)
}
