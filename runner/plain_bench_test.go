package runner

import (
	"slices"
	"testing"
	"time"

	"gemini-search/fixtures/realcli"
)

// alternations is how often each of the two runs; they take turns, so that a
// machine that slows down slows both.
const alternations = 7

// BenchmarkAgainstPlainCLI compares a whole search with `gemini -o json` for the
// same query against the same fake API: the ratio of the medians of wall time,
// and of the bytes sent. Run it with -benchtime 1x.
func BenchmarkAgainstPlainCLI(b *testing.B) {
	cli := realcli.Require(b)
	for b.Loop() {
		var ours, plains []float64
		var sentOurs, sentPlain int64
		project, home := b.TempDir(), b.TempDir()
		write(b, project+"/notes.txt", "a file of the user")
		for range alternations {
			api := scripted(b)
			o := options(b, cli.Binary)
			o.Environ = environ(b, api.URL)
			o.Hook = hookProgram(b)
			started := time.Now()
			if _, err := Search(b.Context(), "latest go", o); err != nil {
				b.Fatal(err)
			}
			ours = append(ours, time.Since(started).Seconds())
			sentOurs = api.BytesReceived()

			api = scripted(b)
			started = time.Now()
			plain(b, cli, project, home, "latest go", api.URL, "HTTPS_PROXY=http://127.0.0.1:1", "NO_PROXY=127.0.0.1")
			plains = append(plains, time.Since(started).Seconds())
			sentPlain = api.BytesReceived()
		}
		b.ReportMetric(median(ours), "s/search")
		b.ReportMetric(median(plains), "s/plain")
		b.ReportMetric(median(ours)/median(plains), "time-ratio")
		b.ReportMetric(float64(sentOurs), "bytes-sent")
		b.ReportMetric(float64(sentPlain), "bytes-sent-plain")
	}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
