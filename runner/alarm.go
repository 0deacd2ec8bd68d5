package runner

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strconv"

	"gemini-search/answer"
)

// alarm reads stderr while the child runs, and tells when it is in vain to wait.
//
// A call that the API refuses is made again after 5, 10, 20 and then 30 seconds.
// No setting bounds that for the search tool's call: 18 requests and more than
// 400 seconds (measured on 0.61.0).
type alarm struct {
	file   *os.File
	offset int64
}

// maxAttempts is how often a call may fail: the third time after 15 seconds.
const maxAttempts = 3

// alarmChunk bounds what is looked at in one go. A line that is longer is none
// of those that are looked for.
const alarmChunk = 64 << 10

// failedAttempt is how the CLI begins its note of one (seen in 0.61.0).
var failedAttempt = regexp.MustCompile(`(?m)^Attempt (\d{1,3}) failed with status (\d{3})\.`)

// endlessRetry is all that the CLI says when its search tool's model is not
// there, or its daily quota is used up: it falls back to a model that it does not
// then use, and asks again at once, 600 times a second (measured on 0.61.0).
var endlessRetry = []byte("MaxListenersExceededWarning: Possible EventTarget memory leak detected. 11 abort listeners added to [AbortSignal]")

// look returns the failure that the lines written since the last look tell of.
func (a *alarm) look() error {
	chunk, err := a.next()
	if err != nil {
		return err
	}
	if bytes.Contains(chunk, endlessRetry) {
		return searchRefused()
	}
	for _, note := range failedAttempt.FindAllSubmatch(chunk, -1) {
		if attempt, _ := strconv.Atoi(string(note[1])); attempt >= maxAttempts {
			return refusedAgain(attempt, string(note[2]))
		}
	}
	return nil
}

// next returns the whole lines that were written since, and moves on.
func (a *alarm) next() ([]byte, error) {
	info, err := a.file.Stat()
	if err != nil || info.Size() <= a.offset {
		return nil, err
	}
	chunk := make([]byte, min(info.Size()-a.offset, alarmChunk))
	if _, err := a.file.ReadAt(chunk, a.offset); err != nil {
		return nil, err
	}
	if end := bytes.LastIndexByte(chunk, '\n'); end >= 0 {
		chunk = chunk[:end+1]
	} else if len(chunk) < alarmChunk {
		return nil, nil // the line is not finished
	}
	a.offset += int64(len(chunk))
	return chunk, nil
}

func searchRefused() error {
	return &answer.Failure{
		Kind:    answer.QuotaExceeded,
		Message: "gemini failed: the API refuses the model of its search tool, for its daily quota or because the key may not use it",
		Hint:    "wait for the quota to refill, or use a key that may call gemini-3-flash-preview, the model that gemini searches with",
	}
}

func refusedAgain(attempts int, status string) error {
	failure := &answer.Failure{
		Kind:    answer.GeminiWebSearchFailed,
		Message: fmt.Sprintf("gemini failed: the API refused %d times with status %s", attempts, status),
		Hint:    "try again later",
	}
	if status == "429" {
		failure.Kind = answer.QuotaExceeded
		failure.Hint = "wait for the quota to refill, or use a key with a larger one"
	}
	return failure
}
