package sanitize

// The control characters that the grammar names (ECMA-48, 5th edition, 5.2 and 5.3).
const (
	bel = 0x07
	tab = 0x09
	lf  = 0x0A
	cr  = 0x0D
	can = 0x18
	sub = 0x1A
	esc = 0x1B
	del = 0x7F

	padC1 = 0x80 // the first of the C1 set
	dcs   = 0x90
	sos   = 0x98
	csi   = 0x9B
	st    = 0x9C
	osc   = 0x9D
	pm    = 0x9E
	apc   = 0x9F // the last of the C1 set
)

// maxControlString is the most that one control string may take away, in bytes
// of UTF-8, introducer and terminator included. The standard sets no limit and
// terminals swallow up to the end of the stream, so that one stray introducer
// deletes the rest of an answer; longer strings are shown as text instead.
const maxControlString = 4096

// A state is where the machine stands in the grammar of ECMA-48. The names are
// those of the standard, the transitions those of the VT500 parser diagram
// (vt100.net/emu/dec_ansi_parser) reduced to the question "part of a control
// function, or text?".
type state uint8

const (
	// ground: text. Nothing is open.
	ground state = iota
	// escapeSequence: ESC was seen (5.3: ESC Fe is the 7-bit spelling of C1;
	// 5.5: ESC Fs; ECMA-35 13.2: ESC I* F, with Fp and nF beside them).
	escapeSequence
	// escapeIntermediate: ESC and at least one byte of 02/00..02/15 were seen,
	// so any final byte ends it, also one that would open a string.
	escapeIntermediate
	// controlSequence: CSI was seen (5.4: CSI P* I* F, P = 03/00..03/15,
	// I = 02/00..02/15, F = 04/00..07/14). The order of P and I is not
	// checked: the diagram's csi_ignore removes a wrong one just the same.
	controlSequence
	// controlString: APC, DCS, OSC, PM or SOS was seen (5.6) and its payload
	// goes to the output on trial, to be taken back if the string is closed.
	controlString
	// stringEscape: ESC inside a control string; "\" makes it ST (8.3.143).
	stringEscape
)

// A machine separates control functions from text in one pass. It decides
// without what is still to come and never goes back in the input, so the time is
// linear and a cut between two Writes changes nothing.
type machine struct {
	state  state
	length int    // bytes of the open control string
	before moment // what the output was when it opened
	text   text
}

// step moves the machine by one code point, or one ill-formed piece. C1, ESC, CAN
// and SUB are the diagram's "anywhere" transitions: they apply in every state.
func (m *machine) step(r rune) {
	if m.state >= controlString {
		m.length += m.text.width
	}
	switch {
	case r > apc || r == illFormed:
		m.graphic(r)
	case r >= padC1:
		m.c1(r)
	case r == esc:
		m.escape()
	case r == can || r == sub:
		m.cancel()
		m.remove()
	case r < ' ' || r == del:
		m.c0(r)
	default:
		m.graphic(r)
	}
}

// escape starts an escape sequence, in whatever state.
func (m *machine) escape() {
	if m.state == controlString {
		m.state = stringEscape
		m.text.cut()
		return
	}
	m.cancel()
	m.remove()
	m.state = escapeSequence
}

// c0 carries out a C0 control or DEL. ECMA-48 says nothing of one inside a
// sequence; the diagram, and every terminal measured, executes it in place and
// goes on with the sequence.
func (m *machine) c0(r rune) {
	switch m.state {
	case controlString:
		if r == bel && m.length <= maxControlString {
			m.close()
			return
		}
		if r == lf || r == cr {
			m.malformed()
		}
	case stringEscape:
		m.notTerminator()
	}
	if r == tab || r == lf || r == cr {
		m.text.accept(r)
	} else {
		m.remove()
	}
	m.limit()
}

// c1 carries out U+0080..U+009F, which are the controls that 5.3 also spells
// ESC 04/00..05/15.
func (m *machine) c1(r rune) {
	if r == st && m.state == controlString && m.length <= maxControlString {
		m.close()
		return
	}
	m.cancel()
	m.remove()
	m.introduce(r)
}

// introduce enters the state that the C1 control r opens, if it opens one. The
// single shifts and SCI open none: the character after them is text.
func (m *machine) introduce(r rune) {
	switch r {
	case csi:
		m.state = controlSequence
	case apc, dcs, osc, pm, sos:
		m.state = controlString
		m.length = 2 // bytes: ESC Fe, or the C1 control in UTF-8
		m.before = m.text.now()
	default:
		m.state = ground
	}
}

// graphic takes a code point that is neither C0, DEL nor C1. From U+00A0 on it has
// no position in a 7-bit code table and so none in a sequence: it ends the
// sequence and is text, which is what xterm does and what loses the least.
func (m *machine) graphic(r rune) {
	if m.state == stringEscape {
		if r == '\\' && m.length <= maxControlString {
			m.close()
			return
		}
		m.notTerminator()
	}
	switch {
	case m.state == ground:
		m.text.accept(r)
	case m.state == controlString:
		m.text.accept(r)
		m.limit()
	case r > '~' || r == illFormed:
		m.state = ground
		m.text.accept(r)
	default:
		m.text.cut()
		m.continueSequence(r)
	}
}

// continueSequence takes 02/00..07/14 inside an escape or control sequence.
func (m *machine) continueSequence(r rune) {
	switch {
	case m.state == controlSequence:
		if r >= '@' {
			m.state = ground
		}
	case r < '0':
		m.state = escapeIntermediate
	case m.state == escapeSequence && '@' <= r && r <= '_':
		m.introduce(r - '@' + padC1)
	default:
		m.state = ground
	}
}

// close ends a control string that is well formed: introducer, payload and
// terminator count as one control function, and no trace of the payload stays.
func (m *machine) close() {
	m.state = ground
	m.text.back(m.before)
}

// cancel leaves whatever is open, as CAN, SUB, ESC and every C1 do.
func (m *machine) cancel() {
	switch m.state {
	case controlString:
		m.malformed()
	case stringEscape:
		m.notTerminator()
	}
	m.state = ground
}

// notTerminator finds that the ESC in a control string began something else.
func (m *machine) notTerminator() {
	m.malformed()
	m.text.removed.ControlFunctions++
	m.state = escapeSequence
}

// malformed gives up an open control string: only its introducer is removed and
// the payload, which is in the output on trial, stays. It can hold no control
// that would have to be read again, because every one of them ends the string.
func (m *machine) malformed() {
	m.state = ground
	m.text.removed.ControlFunctions--
	m.text.removed.MalformedStrings++
}

// limit gives up a control string that has grown too long to be one. Found here
// or at the terminator, the result is the same; here it bounds the memory.
func (m *machine) limit() {
	if m.state == controlString && m.length > maxControlString {
		m.malformed()
	}
}

// remove takes the current code point away and counts one control function.
func (m *machine) remove() {
	m.text.cut()
	m.text.removed.ControlFunctions++
}
