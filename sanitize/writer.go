package sanitize

import (
	"errors"
	"io"
)

// maxPiece bounds the memory of a Writer: a longer Write is taken in pieces. Three
// times as much, and as much of a control string again, fits into fullOutput, so
// that feed takes a piece at once.
const maxPiece = 16 << 10 // 16 KiB

var errClosed = errors.New("write to a closed sanitizer")

// A Writer sanitizes what is written to it and passes it on. What arrives is
// what String would make of the whole, however it was cut into Writes.
//
// The end of a Write may be held back until more is known: at most an open
// control string, part of a code point, and a few characters that depend on the
// next one. Close passes the rest on. The memory is constant: it depends neither
// on the length of a Write nor on their number.
type Writer struct {
	w       io.Writer
	machine machine
	rest    string // the beginning of a code point
	err     error
}

// NewWriter returns a Writer that passes sanitized text on to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{w: w}
}

// Write sanitizes p. The number it returns counts bytes of p, not of what was
// passed on. After an error of the writer below, every call returns that error.
func (w *Writer) Write(p []byte) (n int, err error) {
	for len(p) > 0 && w.err == nil {
		piece := p[:min(len(p), maxPiece)]
		w.rest = w.machine.feed(w.rest+string(piece), false)
		if w.flush(); w.err == nil {
			n += len(piece)
		}
		p = p[len(piece):]
	}
	return n, w.err
}

// Close passes on what was held back. It does not close the writer below.
func (w *Writer) Close() error {
	if w.err != nil {
		if errors.Is(w.err, errClosed) {
			return nil
		}
		return w.err
	}
	w.machine.feed(w.rest, true)
	w.machine.finish()
	if w.flush(); w.err == nil {
		w.err = errClosed
		return nil
	}
	return w.err
}

// Report counts what was taken out so far. It is final after Close: until then an
// open control string may still turn out to be text.
func (w *Writer) Report() Report {
	return w.machine.text.removed
}

// flush passes on the part of the output that nothing can take back.
func (w *Writer) flush() {
	if ready := w.machine.ready(); len(ready) > 0 {
		_, w.err = w.w.Write(ready)
	}
	w.machine.forget()
}
