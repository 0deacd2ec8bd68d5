package sanitize

import "unicode/utf8"

// maxHeld is the length of the longest sequence that is judged as a whole: the
// tags of a flag.
const maxHeld = 6

// outside says that held code points are no longer in src[from:].
const outside = -1

// hold leaves the fate of the current code point to the next ones.
func (t *text) hold(r rune) {
	switch {
	case t.count == 0:
		t.heldAt = t.at
	case t.heldAt == outside:
		t.cut()
	}
	t.held[t.count] = r
	t.count++
}

// resolve decides on what is held, now that next follows.
func (t *text) resolve(next class) {
	if t.count == 0 {
		return
	}
	if !t.belongs(next) {
		t.discard(t.at)
		return
	}
	if first := t.held[0]; first == zwj || first == zwnj {
		t.prev = joiner
	}
	t.release()
}

// belongs reports whether what is held has a meaning between prev and next.
func (t *text) belongs(next class) bool {
	switch t.held[0] {
	case zwj:
		return t.prev.joins() || next.joins() || t.prev.isEmoji() && (next == pictograph || next == blackFlag)
	case zwnj:
		return t.prev.joins() && next.joins()
	case hangulChoseongFiller:
		return next == jungseong && t.count == 1 || next == jongseong && t.count == 2
	default:
		return false // tags that did not become a flag
	}
}

// release puts what is held into the output.
func (t *text) release() {
	if t.heldAt == outside {
		for _, r := range t.held[:t.count] {
			t.out = utf8.AppendRune(t.out, r)
		}
	}
	t.count = 0
}

// discard removes what is held, which ends before src[end].
func (t *text) discard(end int) {
	if t.heldAt != outside {
		t.copy(t.heldAt)
		t.from = end
	}
	t.removed.Invisibles += int(t.count)
	t.count = 0
}
