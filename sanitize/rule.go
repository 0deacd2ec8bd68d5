package sanitize

// maxMarks is how many combining marks may follow one another. UAX #15 calls 30
// more than any language needs; Hebrew with cantillation and Tibetan stay well
// below 16. Longer runs climb over the lines above and below.
const maxMarks = 16

// accept takes the current code point, which is r, as text.
func (t *text) accept(r rune) {
	if t.afterCR {
		t.afterCR = false
		if r == lf {
			t.cut()
			return
		}
	}
	if r == illFormed {
		t.replace()
		t.removed.InvalidBytes += t.width
		return
	}
	if c := classes.of(r); c < needsRule {
		t.keep(c)
	} else {
		t.rule(r, c)
	}
}

// rule does what the policy says of r, which is of class c.
func (t *text) rule(r rune, c class) {
	switch c {
	case combining, joiningMark:
		t.combine(c)
	case tag:
		t.tag(r)
	case joiner, nonJoiner:
		t.join(r)
	case choseongFiller, jungseongFiller:
		t.fill(r, c)
	case lineBreak:
		t.breakLine()
		t.afterCR = r == cr
	case noncharacter:
		t.replace()
		t.removed.Invisibles++
	case emojiSelector, standardSelector, ideographic, freeSelector:
		t.selector(c)
	default:
		t.drop()
	}
}

// combine keeps a combining mark unless too many are there already.
func (t *text) combine(c class) {
	if t.marks == maxMarks {
		t.drop()
		return
	}
	t.resolve(c)
	t.marks++
	if t.prev.joins() {
		c = joiningMark // an Inherited mark, such as a fatha, does not end a word
	}
	t.prev = c
}

// selector keeps a variation selector right behind a base that has a variation.
func (t *text) selector(c class) {
	if t.count > 0 || !selects(c, t.prev) {
		t.drop()
		return
	}
	t.prev = selected(t.prev)
}

// join holds a joiner until the next code point decides. A second joiner has
// nothing to add.
func (t *text) join(r rune) {
	if t.count > 0 && (t.held[0] == zwj || t.held[0] == zwnj) {
		t.drop()
		return
	}
	t.resolve(other)
	if t.prev == joiner {
		t.drop()
		return
	}
	t.hold(r)
}

// tag holds a tag character while it continues one of the three flags.
func (t *text) tag(r rune) {
	if t.prev != blackFlag || t.count > 0 && !isTag(t.held[0]) {
		t.drop()
		return
	}
	t.hold(r)
	switch flag := t.held[:t.count]; {
	case isFlag(flag):
		t.release()
		t.prev = pictograph
	case !beginsFlag(flag):
		t.discard(t.at + t.width)
		t.prev = pictograph
	}
}

// fill keeps a Hangul filler that stands for a missing jamo of a syllable:
// U+1160 after a leading consonant, U+115F before what decides.
func (t *text) fill(r rune, c class) {
	switch {
	case c == choseongFiller:
		t.resolve(other)
		t.hold(r)
	case t.count == 1 && t.held[0] == hangulChoseongFiller:
		t.hold(r)
	case t.count == 0 && t.prev == choseong:
		t.keep(jungseong)
	default:
		t.drop()
	}
}
