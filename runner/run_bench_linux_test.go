package runner

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkRun is what a search costs above the CLI: its child answers at once.
// The peak is that of a process that does nothing else.
func BenchmarkRun(b *testing.B) {
	o := options(b, quickGemini(b))
	_, read := startWrapper(b, orderOf(o))
	alone := read()
	for b.Loop() {
		if _, err := Search(b.Context(), "q", o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(alone.Peak)/(1<<20), "peak-MiB")
}

// BenchmarkReadAnswer reads an output of 50 MiB; the ratio is of all memory that
// was allocated for it to its size.
func BenchmarkReadAnswer(b *testing.B) {
	const size = 50 << 20
	file, err := os.Create(filepath.Join(b.TempDir(), "stdout"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(size); err != nil {
		b.Fatal(err)
	}
	o := output{name: "stdout", file: file, limit: size}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := o.read(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLongAnswer is a whole search for an answer of 50 MiB; the ratio is of
// the peak of memory to the answer.
func BenchmarkLongAnswer(b *testing.B) {
	var a account
	for b.Loop() {
		folder := b.TempDir()
		o := orderOf(options(b, fake(b, "long-answer="+folder)))
		o.MaxBuffer = 64 << 20
		_, read := startWrapper(b, o)
		if a = read(); a.Kind != "" {
			b.Fatalf("%s: %s", a.Kind, a.Message)
		}
	}
	b.ReportMetric(float64(a.Grown)/(50<<20), "peak/answer")
	b.ReportMetric(a.Took.Seconds(), "search-s")
}
