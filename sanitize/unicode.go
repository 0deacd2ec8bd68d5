package sanitize

import "unicode"

// A class is what the policy has to know of a code point: what is done with it,
// and what it permits its neighbours.
type class uint8

const (
	// Kept whatever stands beside them; the class matters to the neighbours.

	other       class = iota // ASCII, spaces, U+FFFD: carries no selector
	keycap                   // [0-9#*]: the bases of keycap emoji
	base                     // any other graphic character
	ideograph                // Han: has ideographic variation sequences
	pictograph               // emoji, in the sense of Extended_Pictographic
	blackFlag                // U+1F3F4: the base of tag sequences
	skinTone                 // U+1F3FB..1F3FF: Emoji_Modifier
	joining                  // letter or spacing mark of a joining script
	mongolian                // the same, with free variation selectors of its own
	choseong                 // Hangul leading consonant
	jungseong                // Hangul vowel
	jongseong                // Hangul trailing consonant
	styledEmoji              // emoji followed by a selector; never in the table
	styled                   // other character followed by a selector; the same

	// needsRule is the first class with a condition on being kept.

	combining        // Mn and Me: kept up to maxMarks in a row
	joiningMark      // Mn of a joining script
	joiner           // ZWJ
	nonJoiner        // ZWNJ
	choseongFiller   // U+115F
	jungseongFiller  // U+1160
	tag              // U+E0020..E007F
	emojiSelector    // VS15, VS16
	standardSelector // VS1..VS14
	ideographic      // VS17..VS256
	freeSelector     // FVS1..FVS4
	lineBreak        // becomes LF
	noncharacter     // becomes U+FFFD
	invisible        // removed
	control          // C0, DEL, C1: the machine's business, and scan stops there

	needsRule = combining
)

const (
	zwnj                 = 0x200C
	zwj                  = 0x200D
	hangulChoseongFiller = 0x115F
	cancelTag            = 0xE007F
)

// A span is the code points from lo to hi.
type span struct{ lo, hi rune }

// explicitBidi reorders what a person reads against what a program reads
// (CVE-2021-42574). UAX #9 gives plain text the marks below and isolates; an
// answer, a title or a file name needs neither.
var explicitBidi = []span{
	{0x202A, 0x202E}, // LRE RLE PDF LRO RLO
	{0x2066, 0x2069}, // LRI RLI FSI PDI
}

// invisibles have no glyph, so they hide text from a person, carry text past
// one, or make two equal words differ. Most are Default_Ignorable_Code_Point.
var invisibles = []span{
	{0x00AD, 0x00AD},   // SOFT HYPHEN: splits a word for a search, not for a reader
	{0x034F, 0x034F},   // COMBINING GRAPHEME JOINER: only affects collation
	{0x061C, 0x061C},   // ARABIC LETTER MARK: implicit bidi mark, as LRM
	{0x17B4, 0x17B5},   // KHMER inherent vowels: deprecated, Unicode 16.4
	{0x180E, 0x180E},   // MONGOLIAN VOWEL SEPARATOR: a narrow space at most
	{0x200B, 0x200B},   // ZERO WIDTH SPACE: the 0 of zero-width binary code
	{0x200E, 0x200F},   // LRM RLM: reorder neutral characters, the weak form of bidi
	{0x2060, 0x2065},   // WORD JOINER, invisible operators, one reserved
	{0x206A, 0x206F},   // deprecated format characters, Unicode 23.3
	{0x3164, 0x3164},   // HANGUL FILLER: a letter without a glyph
	{0xFEFF, 0xFEFF},   // ZERO WIDTH NO-BREAK SPACE, also as byte order mark
	{0xFFA0, 0xFFA0},   // HALFWIDTH HANGUL FILLER
	{0xFFF0, 0xFFFB},   // reserved as ignorable; interlinear annotation, 23.8
	{0x1BCA0, 0x1BCA3}, // shorthand format controls
	{0x1D173, 0x1D17A}, // musical beams and slurs, as format characters
	{0xE0000, 0xE0FFF}, // tags and reserved ignorables: ASCII in a second, unseen copy
}

// lineBreaks would be a second and third spelling of LF. CR alone makes a
// terminal write over the line it has just shown.
var lineBreaks = []span{
	{cr, cr},
	{0x2028, 0x2029}, // LINE SEPARATOR, PARAGRAPH SEPARATOR
}

// nonCharacters are not for interchange (Unicode 23.7); besides these, the last
// two of every plane. Replaced, not removed: UTR #36, 3.5 warns of deleting
// code points, which joins what a filter has seen apart.
var nonCharacters = []span{{0xFDD0, 0xFDEF}}

// ideographs take the selectors VS17..VS256 of the Ideographic Variation
// Database, which tell place and family names apart. Planes 2 and 3 are
// reserved for ideographs as a whole.
var ideographs = []span{
	{0x3400, 0x4DBF},
	{0x4E00, 0x9FFF},
	{0xF900, 0xFAFF},
	{0x20000, 0x2FFFD},
	{0x30000, 0x3FFFD},
}

// Conjoining jamo (Unicode 3.12): a filler is a letter only where it stands for
// a jamo that the syllable lacks.
var (
	leadingConsonants  = []span{{0x1100, 0x115E}, {0xA960, 0xA97C}}
	vowels             = []span{{0x1161, 0x11A7}, {0xD7B0, 0xD7C6}}
	trailingConsonants = []span{{0x11A8, 0x11FF}, {0xD7CB, 0xD7FB}}
)

// joiningScripts shape their letters by ZWJ and ZWNJ: cursive scripts (Unicode
// 9.2) and scripts that write a cluster of consonants with a virama (12.1).
// Elsewhere a joiner shows nothing and so means something hidden.
var joiningScripts = []*unicode.RangeTable{
	unicode.Adlam, unicode.Arabic, unicode.Chorasmian, unicode.Hanifi_Rohingya, unicode.Mandaic,
	unicode.Manichaean, unicode.Mongolian, unicode.Nko, unicode.Old_Uyghur, unicode.Phags_Pa,
	unicode.Psalter_Pahlavi, unicode.Sogdian, unicode.Syriac,

	unicode.Balinese, unicode.Bengali, unicode.Chakma, unicode.Devanagari, unicode.Grantha,
	unicode.Gujarati, unicode.Gurmukhi, unicode.Javanese, unicode.Kannada, unicode.Khmer,
	unicode.Malayalam, unicode.Myanmar, unicode.Newa, unicode.Oriya, unicode.Sinhala,
	unicode.Tamil, unicode.Telugu, unicode.Tirhuta,
}

// notLetters are the parts of a joining script that no joiner stands between.
var notLetters = []*unicode.RangeTable{unicode.N, unicode.P, unicode.S}

// marks are the combining marks that take no room of their own.
var marks = []*unicode.RangeTable{unicode.Mn, unicode.Me}

// pictographs is Extended_Pictographic of UTS #51, emoji-data.txt, reserved
// code points included, so that emoji of the next years are emoji.
var pictographs = []span{
	{0x00A9, 0x00A9}, {0x00AE, 0x00AE}, {0x203C, 0x203C}, {0x2049, 0x2049}, {0x2122, 0x2122},
	{0x2139, 0x2139}, {0x2194, 0x2199}, {0x21A9, 0x21AA}, {0x231A, 0x231B}, {0x2328, 0x2328},
	{0x2388, 0x2388}, {0x23CF, 0x23CF}, {0x23E9, 0x23F3}, {0x23F8, 0x23FA}, {0x24C2, 0x24C2},
	{0x25AA, 0x25AB}, {0x25B6, 0x25B6}, {0x25C0, 0x25C0}, {0x25FB, 0x25FE}, {0x2600, 0x2605},
	{0x2607, 0x2612}, {0x2614, 0x2685}, {0x2690, 0x2705}, {0x2708, 0x2712}, {0x2714, 0x2714},
	{0x2716, 0x2716}, {0x271D, 0x271D}, {0x2721, 0x2721}, {0x2728, 0x2728}, {0x2733, 0x2734},
	{0x2744, 0x2744}, {0x2747, 0x2747}, {0x274C, 0x274C}, {0x274E, 0x274E}, {0x2753, 0x2755},
	{0x2757, 0x2757}, {0x2763, 0x2767}, {0x2795, 0x2797}, {0x27A1, 0x27A1}, {0x27B0, 0x27B0},
	{0x27BF, 0x27BF}, {0x2934, 0x2935}, {0x2B05, 0x2B07}, {0x2B1B, 0x2B1C}, {0x2B50, 0x2B50},
	{0x2B55, 0x2B55}, {0x3030, 0x3030}, {0x303D, 0x303D}, {0x3297, 0x3297}, {0x3299, 0x3299},
	{0x1F000, 0x1F0FF}, {0x1F10D, 0x1F10F}, {0x1F12F, 0x1F12F}, {0x1F16C, 0x1F171},
	{0x1F17E, 0x1F17F}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F1AD, 0x1F1E5},
	{0x1F201, 0x1F20F}, {0x1F21A, 0x1F21A}, {0x1F22F, 0x1F22F}, {0x1F232, 0x1F23A},
	{0x1F23C, 0x1F23F}, {0x1F249, 0x1F3FA}, {0x1F400, 0x1F53D}, {0x1F546, 0x1F64F},
	{0x1F680, 0x1F6FF}, {0x1F774, 0x1F77F}, {0x1F7D5, 0x1F7FF}, {0x1F80C, 0x1F80F},
	{0x1F848, 0x1F84F}, {0x1F85A, 0x1F85F}, {0x1F888, 0x1F88F}, {0x1F8AE, 0x1F8FF},
	{0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945}, {0x1F947, 0x1FAFF}, {0x1FC00, 0x1FFFD},
}

// layers are the code points with a class that no category gives them; a later
// one wins.
var layers = []struct {
	class class
	spans []span
}{
	{control, []span{{0x00, 0x1F}, {0x7F, 0x9F}}},
	{other, []span{{tab, lf}, {' ', '~'}, {0xFFFD, 0xFFFD}}},
	{keycap, []span{{'#', '#'}, {'*', '*'}, {'0', '9'}}},

	{ideograph, ideographs},
	{choseong, leadingConsonants},
	{jungseong, vowels},
	{jongseong, trailingConsonants},
	{choseongFiller, []span{{hangulChoseongFiller, hangulChoseongFiller}}},
	{jungseongFiller, []span{{0x1160, 0x1160}}},
	{joining, []span{{0x0640, 0x0640}}}, // tatweel: many scripts share it, all of them cursive
	{mongolian, []span{{0x1820, 0x18AA}}},

	{pictograph, pictographs},
	{blackFlag, []span{{0x1F3F4, 0x1F3F4}}},
	{skinTone, []span{{0x1F3FB, 0x1F3FF}}},

	{lineBreak, lineBreaks},
	{noncharacter, nonCharacters},
	{invisible, explicitBidi},
	{invisible, invisibles},
	{nonJoiner, []span{{zwnj, zwnj}}},
	{joiner, []span{{zwj, zwj}}},
	{tag, []span{{0xE0020, cancelTag}}},
	{standardSelector, []span{{0xFE00, 0xFE0D}}},
	{emojiSelector, []span{{0xFE0E, 0xFE0F}}},
	{ideographic, []span{{0xE0100, 0xE01EF}}},
	{freeSelector, []span{{0x180B, 0x180D}, {0x180F, 0x180F}}},
}

// flags are the emoji tag sequences that are recommended for general
// interchange (UTS #51, RGI): the subdivision, then CANCEL TAG. After any other
// base, or spelling anything else, tags are text that nobody sees.
var flags = [...]string{
	"gbeng\x7f", // England
	"gbsct\x7f", // Scotland
	"gbwls\x7f", // Wales
}

// selects reports whether a selector of class c has a meaning right after prev.
// One selector does: what follows it is styled already.
func selects(c, prev class) bool {
	switch c {
	case emojiSelector: // text or emoji style: any non-ASCII base, and the keycaps
		return keycap <= prev && prev <= jongseong
	case standardSelector: // StandardizedVariants.txt has none for emoji
		return keycap < prev && prev <= jongseong && !prev.isEmoji()
	case ideographic:
		return prev == ideograph
	case freeSelector:
		return prev == mongolian
	default:
		return false
	}
}

// selected is the class of prev with a selector behind it.
func selected(prev class) class {
	if prev.isEmoji() {
		return styledEmoji
	}
	return styled
}

// isEmoji reports whether c can stand before the ZWJ of an emoji sequence.
func (c class) isEmoji() bool {
	return c == pictograph || c == blackFlag || c == skinTone || c == styledEmoji
}

// joins reports whether c can stand beside a joiner in a word.
func (c class) joins() bool {
	return c == joining || c == mongolian || c == joiningMark
}

// isTag reports whether r is a tag character, which spells r&0x7F.
func isTag(r rune) bool {
	return 0xE0020 <= r && r <= cancelTag
}

// beginsFlag reports whether tags are the beginning of a flag.
func beginsFlag(tags []rune) bool {
	for _, flag := range flags {
		if len(tags) <= len(flag) && spells(tags, flag[:len(tags)]) {
			return true
		}
	}
	return false
}

// isFlag reports whether tags are a whole flag.
func isFlag(tags []rune) bool {
	return tags[len(tags)-1] == cancelTag && beginsFlag(tags)
}

// spells reports whether tags stand for the ASCII text s of the same length.
func spells(tags []rune, s string) bool {
	for i, r := range tags {
		if r&0x7F != rune(s[i]) {
			return false
		}
	}
	return true
}
