package sanitize

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

func newWriter() (*Writer, *strings.Builder) {
	var out strings.Builder
	return NewWriter(&out), &out
}

// write returns what arrives when chunks are written one after the other.
func write[T string | []byte](tb testing.TB, chunks ...T) string {
	tb.Helper()
	w, out := newWriter()
	for _, chunk := range chunks {
		n, err := w.Write([]byte(chunk))
		if n != len(chunk) || err != nil {
			tb.Fatalf("Write of %d bytes = %d, %v", len(chunk), n, err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.String()
}

func TestWriterEveryCut(t *testing.T) {
	for _, c := range corpus(t) {
		s := string(c.Input)
		want := String(s)
		if got := write(t, strings.Split(s, "")...); len(s) < 1000 && got != want {
			t.Errorf("%s by code point: %+q, want %+q", c.ID, got, want)
		}
		if got := write(t, slices.Collect(slices.Chunk([]byte(s), 1))...); got != want {
			t.Errorf("%s by byte: %+q, want %+q", c.ID, got, want)
		}
		for i := range min(len(s), 300) {
			if got := write(t, s[:i], s[i:]); got != want {
				t.Errorf("%s cut at %d: %+q, want %+q", c.ID, i, got, want)
			}
		}
	}
}

// Inputs so long that String too collects its output in pieces.
func TestWriterLongInput(t *testing.T) {
	for _, pattern := range adversarial {
		s := repeat("\x1b[mx"+pattern.unit, 5*fullOutput)
		want, report := Inspect(s)
		w, out := newWriter()
		for chunk := range slices.Chunk([]byte(s), 4097) {
			if _, err := w.Write(chunk); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if out.String() != want || w.Report() != report {
			t.Errorf("%s: %d bytes out and %v, want %d and %v", pattern.name, out.Len(), w.Report(), len(want), report)
		}
	}
}

// The limit is found at the terminator in one case and while the payload runs in
// the other; neither may depend on how the input was cut.
func TestWriterStringLimitInChunks(t *testing.T) {
	const limit = 4096 // bytes
	for _, terminator := range []string{"\a", "\x1b\\", "\u009c"} {
		for total := limit - 3; total <= limit+3; total++ {
			payload := strings.Repeat("x", total-len("\x1b]")-len(terminator))
			s := "a\x1b]" + payload + terminator + "b"
			want := "ab"
			if total > limit {
				want = "a" + payload + "b"
			}
			for _, size := range []int{1, 7, 4095, 4096, 4097, len(s)} {
				if got := write(t, slices.Collect(slices.Chunk([]byte(s), size))...); got != want {
					t.Errorf("%d bytes closed by %+q in chunks of %d: %d bytes out, want %d",
						total, terminator, size, len(got), len(want))
				}
			}
		}
	}
}

func TestWriterPassesOnWhatIsCertain(t *testing.T) {
	for _, test := range []struct{ in, want, why string }{
		{"text", "text", "plain text waits for nothing"},
		{"a\x1b[31", "a", "an open sequence is gone already"},
		{"a\x1b]0;title", "a", "an open string may still turn out to be one"},
		{"a\x1b]0;title\nb", "a0;title\nb", "the line ended before the string did"},
		{"\U0001F468\u200D", "\U0001F468", "a joiner waits for what it joins"},
		{"\U0001F3F4\U000E0067", "\U0001F3F4", "tags wait for the whole flag"},
		{"한\xEA\xB8", "한", "half a code point waits for the other half"},
		{"a\r", "a\n", "a line break is one whatever follows"},
	} {
		w, out := newWriter()
		if _, err := io.WriteString(w, test.in); err != nil {
			t.Fatal(err)
		}
		if out.String() != test.want {
			t.Errorf("after %+q: %+q, want %+q (%s)", test.in, out, test.want, test.why)
		}
	}
}

func TestWriterReport(t *testing.T) {
	w, _ := newWriter()
	fmt.Fprint(w, "\x1b[1mbold\x1b[0m\x1b]0;title\a \u202E\x1b]open\n\xFF")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := Report{ControlFunctions: 3, MalformedStrings: 1, Invisibles: 1, InvalidBytes: 1}
	if w.Report() != want {
		t.Errorf("Report = %+v, want %+v", w.Report(), want)
	}
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriterErrors(t *testing.T) {
	w := NewWriter(fullDisk{})
	if n, err := w.Write([]byte("\x1b[1m")); n != 4 || err != nil {
		t.Errorf("Write with nothing to pass on = %d, %v", n, err)
	}
	if n, err := w.Write([]byte("text")); n != 0 || !errors.Is(err, errFull) {
		t.Errorf("Write = %d, %v, want 0 and the error below", n, err)
	}
	if _, err := w.Write([]byte("text")); !errors.Is(err, errFull) {
		t.Errorf("Write after an error = %v, want the same error", err)
	}
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("Close after an error = %v, want the same error", err)
	}
}

func TestWriterClose(t *testing.T) {
	w, out := newWriter()
	fmt.Fprint(w, "cut \xEA\xB0")
	for range 2 {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	if want := "cut \uFFFD"; out.String() != want {
		t.Errorf("out = %+q, want %+q once", out, want)
	}
	if n, err := w.Write([]byte("late")); n != 0 || err == nil {
		t.Errorf("Write after Close = %d, %v, want an error", n, err)
	}
}

// A string that is never closed is what makes a naive filter keep everything.
func TestWriterConstantMemory(t *testing.T) {
	for _, unit := range []string{"\x1b]payload ", "\x1b]" + strings.Repeat("x", 1<<20), "\xFF", "x\u200D\u0301"} {
		w := NewWriter(io.Discard)
		chunk := []byte(strings.Repeat(unit, 1+(1<<20)/len(unit)))
		for range 8 {
			if _, err := w.Write(chunk); err != nil {
				t.Fatal(err)
			}
		}
		if held := cap(w.machine.text.out); held > 2*fullOutput {
			t.Errorf("%+.20q: %d bytes held", unit, held)
		}
	}
}
