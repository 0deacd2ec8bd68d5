package runner

import (
	"bytes"
	"io"
	"os"

	"gemini-search/answer"
)

// fallback reads the CLI's debug log while the child runs, for the one failure
// that shows nowhere else. When the model of the search tool is not there, or its
// daily quota is used up, the CLI falls back to a model that it does not then
// use, and asks again at once: 600 times a second, without end (measured on
// 0.61.0: 5,783 calls in 9 s). Each time it notes the fallback.
type fallback struct {
	path   string
	offset int64
	seen   int
}

// maxFallbacks is more than the models that a CLI falls back over in earnest.
const maxFallbacks = 10

// fallbackNote is how the CLI notes one.
var fallbackNote = []byte("Model fallback activated: switching from ")

// look returns the failure when the notes are too many.
func (f *fallback) look() error {
	file, err := os.Open(f.path)
	if err != nil {
		return nil // a CLI that keeps no such log, or not yet
	}
	defer file.Close()
	chunk, err := io.ReadAll(io.NewSectionReader(file, f.offset, alarmChunk))
	if err != nil {
		return err
	}
	if end := bytes.LastIndexByte(chunk, '\n'); end >= 0 {
		chunk = chunk[:end+1]
	} else if len(chunk) < alarmChunk {
		return nil // the line is not finished
	}
	f.offset += int64(len(chunk))
	if f.seen += bytes.Count(chunk, fallbackNote); f.seen <= maxFallbacks {
		return nil
	}
	return &answer.Failure{
		Kind:    answer.QuotaExceeded,
		Message: "gemini failed: the API refuses the model of its search tool, for its daily quota or because the sign-in may not use it",
		Hint:    "wait for the quota to refill, or use a key that may call gemini-3-flash-preview, the model that gemini searches with",
	}
}
