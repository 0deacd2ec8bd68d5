package sanitize

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

// The compiled table against the definitions it came from, code point by code
// point.
func TestClassTable(t *testing.T) {
	own := make(map[rune]class)
	for _, layer := range layers {
		for _, s := range layer.spans {
			for r := s.lo; r <= s.hi; r++ {
				own[r] = layer.class
			}
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		got := classes.of(r)
		want, ok := own[r]
		switch {
		case r&0xFFFE == 0xFFFE:
			want = noncharacter
		case ok:
		default:
			want = byCategory(r)
		}
		if got != want {
			t.Fatalf("%U has class %d, want %d", r, got, want)
		}
	}
}

func byCategory(r rune) class {
	joins := unicode.In(r, joiningScripts...)
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		if joins {
			return joiningMark
		}
		return combining
	case unicode.Is(unicode.Zs, r):
		return other
	case joins && !unicode.In(r, unicode.N, unicode.P, unicode.S):
		return joining
	default:
		return base
	}
}

// Whatever Unicode says has no glyph has a rule, and none that keeps it always.
func TestDefaultIgnorables(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		ignorable := unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
			unicode.Is(unicode.Cf, r) && !shown(r)
		if ignorable && classes.of(r) < needsRule {
			t.Errorf("%U is ignorable and kept everywhere", r)
		}
		if ignorable && classes.of(r) == invisible && String("a"+string(r)+"b") != "ab" {
			t.Errorf("%U is not removed", r)
		}
	}
}

// shown reports whether the format character r has a glyph or arranges glyphs
// (Unicode 23.2: prepended marks; 11.4: hieroglyph joiners).
func shown(r rune) bool {
	return unicode.Is(unicode.Prepended_Concatenation_Mark, r) || 0x13430 <= r && r <= 0x1343F
}

func TestScan(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		want := 0
		if classes.of(r) < needsRule {
			want = utf8.RuneLen(r)
		}
		if got := scan(string(r)); got != want {
			t.Fatalf("scan(%U) = %d, want %d", r, got, want)
		}
	}
}

// Every byte in every lane of a word, with every kind of neighbour.
func TestScanLanes(t *testing.T) {
	for _, fill := range []byte{' ', '~', '\t', '\n'} {
		for lane := range 40 {
			for c := range 256 {
				s := make([]byte, 40)
				for i := range s {
					s[i] = fill
				}
				s[lane] = byte(c)
				want := len(s)
				if c < ' ' && c != '\t' && c != '\n' || c >= 0x7F {
					want = lane
				}
				if got := scan(string(s)); got != want {
					t.Fatalf("scan with %#02x at %d among %q = %d, want %d", c, lane, fill, got, want)
				}
			}
		}
	}
}

// The shortcut for Han and Hangul must not let an ill-formed piece pass.
func TestScanIllFormed(t *testing.T) {
	for lead := 0xE0; lead <= 0xEF; lead++ {
		for _, tail := range []string{"", "\x80", "\xB0", "\x80a", "a\x80", "\x1b\x80", "\x80\xC2", "\xC2\x80", "\xFF\xFF"} {
			s := "가나" + string([]byte{byte(lead)}) + tail
			if got := scan(s); got != len("가나") {
				t.Errorf("scan(%+q) = %d, want %d", s, got, len("가나"))
			}
		}
	}
}
