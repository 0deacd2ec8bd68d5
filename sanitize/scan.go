package sanitize

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// scan returns the length of the longest prefix of s that needs neither the
// machine nor a rule: it could be copied blindly.
func scan(s string) int {
	i := 0
	for {
		i += scanASCII(s[i:])
		if i == len(s) || s[i] < utf8.RuneSelf {
			return i
		}
		n := scanWide(s[i:])
		if n == 0 {
			return i
		}
		i += n
	}
}

// scanLine is scan up to the first LF, which ends a control string.
func scanLine(s string) int {
	n := scan(s)
	if end := strings.IndexByte(s[:n], lf); end >= 0 {
		return end
	}
	return n
}

// Eight bytes at a time, one in each lane of a word. Adding 0x80-b to a lane
// that is below 0x80 sets its top bit exactly if the lane is at least b, and
// carries nothing into the next lane.
const (
	lanes = 0x0101010101010101
	top   = 0x80 * lanes
)

// load reads the first eight bytes of s; the compiler makes one load of it.
func load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// special sets the top bit of every lane that is not TAB, LF or 0x20..0x7E.
func special(x uint64) uint64 {
	low := x &^ top
	printable := (low + (0x80-' ')*lanes) &^ (low + (0x80-del)*lanes)
	tabOrLF := (low + (0x80-tab)*lanes) &^ (low + (0x80-(lf+1))*lanes)
	return (^(printable | tabOrLF) | x) & top
}

// scanASCII returns the length of the prefix of TAB, LF and 0x20..0x7E.
func scanASCII(s string) int {
	i := 0
	for ; i+16 <= len(s); i += 16 {
		a, b := special(load(s[i:])), special(load(s[i+8:]))
		if a|b != 0 {
			if a != 0 {
				return i + bits.TrailingZeros64(a)/8
			}
			return i + 8 + bits.TrailingZeros64(b)/8
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < ' ' && c != tab && c != lf || c >= del {
			break
		}
	}
	return i
}

// scanWide returns the length of the prefix of code points beyond ASCII without
// a rule.
func scanWide(s string) int {
	i := 0
	for i < len(s) && s[i] >= utf8.RuneSelf {
		if i+2 < len(s) && isHanOrHangul(s[i], s[i+1], s[i+2]) {
			i += 3
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && width == 1 || classes.of(r) >= needsRule {
			break
		}
		i += width
	}
	return i
}

// isHanOrHangul reports whether three bytes are a code point of
// U+4000..9FFF or U+B000..CFFF, most of written Chinese, Japanese and Korean;
// the lead bytes E4..E9, EB and EC lead to nothing else (Unicode 3.9, Table 3-7)
// and no code point there has a rule.
func isHanOrHangul(a, b, c byte) bool {
	const leads = 1<<(0xE4-0xE0) | 1<<(0xE5-0xE0) | 1<<(0xE6-0xE0) | 1<<(0xE7-0xE0) |
		1<<(0xE8-0xE0) | 1<<(0xE9-0xE0) | 1<<(0xEB-0xE0) | 1<<(0xEC-0xE0)
	return a&0xF0 == 0xE0 && leads>>(a&0x0F)&1 != 0 && (b^0x80)|(c^0x80) < 0x40
}
