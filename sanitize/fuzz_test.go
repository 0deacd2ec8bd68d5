package sanitize

import (
	"math/rand/v2"
	"testing"
)

// seed adds the corpus, the real paragraphs, and what is hard in itself.
func seed(f *testing.F, add func(string)) {
	f.Helper()
	for _, c := range corpus(f) {
		add(string(c.Input))
	}
	for _, text := range paragraphs(f) {
		add(text)
	}
	for _, pattern := range adversarial {
		add(repeat(pattern.unit, 300))
	}
}

func FuzzString(f *testing.F) {
	seed(f, func(s string) { f.Add(s) })
	f.Fuzz(func(t *testing.T, s string) {
		got, report := Inspect(s)
		for _, fault := range faults(got) {
			t.Error(fault)
		}
		if again := String(got); again != got {
			t.Errorf("String(%+q) = %+q: not idempotent", got, again)
		}
		if len(got) > 3*len(s) {
			t.Errorf("%d bytes became %d", len(s), len(got))
		}
		if run := longestMarkRun(got); run > maxMarks+1 { // a selector may stand before the marks
			t.Errorf("%d combining marks in a row", run)
		}
		if report.Clean() != (report.String() == "") || got == s && !report.Clean() {
			t.Errorf("report %q of %+q", report, got)
		}
		if b := string(Bytes([]byte(s))); b != got {
			t.Errorf("Bytes = %+q, String = %+q", b, got)
		}
	})
}

func FuzzChunks(f *testing.F) {
	seed(f, func(s string) {
		f.Add(s, uint64(1))
		f.Add(s, uint64(len(s)))
	})
	f.Fuzz(func(t *testing.T, s string, where uint64) {
		whole, report := Inspect(s)
		w, out := newWriter()
		for _, chunk := range chop(s, where) {
			if _, err := w.Write([]byte(chunk)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if out.String() != whole {
			t.Errorf("in chunks %+q, whole %+q", out, whole)
		}
		if w.Report() != report {
			t.Errorf("in chunks %+v, whole %+v", w.Report(), report)
		}
	})
}

// chop cuts s into chunks of 0 to 8 bytes, with a longer one now and then.
func chop(s string, where uint64) []string {
	random := rand.New(rand.NewPCG(where, 0))
	var chunks []string
	for len(s) > 0 {
		n := random.IntN(9)
		if random.IntN(16) == 0 {
			n = random.IntN(5000)
		}
		n = min(n, len(s))
		chunks, s = append(chunks, s[:n]), s[n:]
	}
	return chunks
}
