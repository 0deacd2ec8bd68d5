// Package sanitize takes out of a text what a terminal would obey and what a
// reader cannot see, and leaves everything else byte for byte.
//
// What goes, and what becomes of it:
//
//   - Control functions of ECMA-48, in their 7-bit spelling and as U+0080..U+009F:
//     control characters, escape sequences, control sequences, and control
//     strings (OSC, DCS, SOS, PM, APC) with their payload. TAB and LF stay.
//   - A control string counts as one only if ST or BEL closes it on the same line
//     within 4096 bytes. Otherwise its introducer goes and the payload is shown:
//     one stray byte must not delete the rest of an answer.
//   - CRLF, a lone CR, U+2028 and U+2029 become LF.
//   - Ill-formed UTF-8 and noncharacters become U+FFFD. A raw byte 80..9F is
//     ill-formed, never a control.
//   - Explicit bidi controls and invisible characters. Joiners, variation
//     selectors, tags and Hangul fillers stay where they shape the characters
//     beside them; of combining marks, 16 in a row.
//
// What holds of every output, whatever the input was:
//
//   - It is valid UTF-8, with no C0 control but TAB and LF, no DEL, no C1 control,
//     no bidi control, and no invisible character out of its place.
//   - Sanitizing it again changes nothing.
//   - It is at most three times as long as the input, and the time is linear.
//   - String, Bytes, and a Writer fed in any chunks agree.
//
// What this package does not do: it does not normalize, fold or detect look-alike
// letters; it does not change the order in which right-to-left text is shown; it
// does not know HTML, Markdown or URLs; it does not decode. A printable spelling
// of an escape, such as \x1b or &#27;, is text and stays, so decode first,
// sanitize once, and check the result, not the input. It also costs some
// typography: soft hyphens, zero width spaces between Thai words, and the marks
// LRM, RLM and ALM are lost.
package sanitize

// String returns s without control functions and invisible characters. If there
// are none it returns s itself, without allocating.
func String(s string) string {
	clean, _ := Inspect(s)
	return clean
}

// Bytes is String for bytes. It does not change b, and returns b itself if there
// is nothing to take out.
func Bytes(b []byte) []byte {
	s := string(b)
	if clean := String(s); clean != s {
		return []byte(clean)
	}
	return b
}

// Inspect is String with a report of what was taken out.
func Inspect(s string) (string, Report) {
	var m machine
	clean := m.whole(s)
	return clean, m.text.removed
}
