package sanitize

import (
	"strings"
	"unicode/utf8"
)

// fullOutput is when feed pauses to have the output collected, so that it stays in
// the cache and the memory of a Writer is bounded.
const fullOutput = 64 << 10 // 64 KiB

// feed runs the machine over src and returns what it left over: all that follows
// when the output is full, or else the beginning of a code point whose end has
// not come yet. That is taken for ill-formed only if src is the last input.
func (m *machine) feed(src string, last bool) (rest string) {
	m.text.begin(src)
	i := 0
	for i < len(src) && len(m.text.out) < fullOutput {
		if src[i] >= ' ' && m.text.keeps(i) {
			if n := m.plain(src[i:]); n > 0 {
				i += n
				m.text.run(i)
				continue
			}
		}
		r, width := rune(src[i]), 1
		if r >= utf8.RuneSelf {
			if r, width = decode(src[i:], last); width == 0 {
				break
			}
		}
		m.text.at, m.text.width = i, width
		m.step(r)
		i += width
	}
	m.text.at, m.text.width = i, 0
	return src[i:]
}

// plain returns how many bytes at the start of s need no step of the machine.
func (m *machine) plain(s string) int {
	if !m.text.settled() {
		return 0
	}
	switch m.state {
	case ground:
		return scan(s)
	case controlString:
		n := scanLine(s[:min(len(s), maxControlString)])
		m.length += n
		m.limit()
		return n
	default:
		return 0
	}
}

// whole takes s as all of the input and returns s itself if all of it is kept.
func (m *machine) whole(s string) string {
	var result strings.Builder
	for rest := m.feed(s, true); rest != ""; rest = m.feed(rest, true) {
		m.collect(&result, len(s)-len(rest), len(rest))
	}
	m.finish()
	if result.Len() == 0 && m.text.unchanged() {
		return s
	}
	m.collect(&result, len(s), 0)
	return result.String()
}

// collect appends what is ready to result. Where there is no room it makes some
// for the rest of the input too, expecting it to be like what was read.
func (m *machine) collect(result *strings.Builder, read, rest int) {
	ready := m.ready()
	if result.Cap()-result.Len() < len(ready) {
		written := result.Len() + len(ready)
		result.Grow(len(ready) + int(float64(written)/float64(read)*float64(rest)))
	}
	result.Write(ready)
	m.forget()
}

// ready moves the input at hand to the output and returns the part of the output
// that is final: all but the payload of an open control string.
func (m *machine) ready() []byte {
	m.text.cut()
	if m.state >= controlString {
		return m.text.out[:m.before.out]
	}
	return m.text.out
}

// forget drops the part of the output that ready returned.
func (m *machine) forget() {
	m.text.out = m.text.out[:copy(m.text.out, m.text.out[len(m.ready()):])]
	m.before.out = 0
}

// finish ends the input: what is open stays open no longer. An unfinished
// sequence is gone already; the payload of an unfinished string is text.
func (m *machine) finish() {
	m.cancel()
	m.text.finish()
}

// illFormed stands for an ill-formed piece of UTF-8 among the code points.
const illFormed rune = -1

// decode reads one code point beyond ASCII. An ill-formed piece is the maximal subpart of
// Unicode 3.9 (the practice of the WHATWG decoder): as many bytes as could still
// have become a code point, at least one, and never a byte that could start
// something else, such as an ESC. A width of 0 asks for more input.
func decode(s string, last bool) (r rune, width int) {
	if c := s[0]; c < 0xC2 || c > 0xF4 { // Table 3-7: never a first byte
		return illFormed, 1
	}
	r, width = utf8.DecodeRuneInString(s)
	if r != utf8.RuneError || width != 1 {
		return r, width
	}
	if !last && !utf8.FullRuneInString(s) {
		return illFormed, 0
	}
	for width < min(len(s), utf8.UTFMax-1) && !utf8.FullRuneInString(s[:width+1]) {
		width++
	}
	return illFormed, width
}
