package runner

import (
	"bytes"
	"os"
	"regexp"
	"strconv"
	"strings"

	"gemini-search/sanitize"
)

// alarm reads stderr while the child runs, and tells when it is in vain to wait.
//
// A call that the API refuses is made again after 5, 10, 20 and then 30 seconds.
// No setting bounds that for the search tool's call: 18 requests and more than
// 400 seconds (measured on 0.61.0). So the first note of it ends the run, and
// what may mend by itself is tried again by us.
type alarm struct {
	file   *os.File
	offset int64
	note   string // lines of a note of a failed attempt, so far
}

// alarmChunk bounds what is looked at in one go. A line that is longer is none
// of those that are looked for.
const alarmChunk = 64 << 10

// maxNote bounds a note, in bytes: its second line has the API's advice.
const maxNote = 4 << 10

// look returns the failure that the lines written since the last look tell of.
func (a *alarm) look() error {
	chunk, err := a.next()
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(chunk)) {
		switch {
		case strings.HasPrefix(line, "Attempt "):
			a.note = line
		case a.note != "" && len(a.note) < maxNote:
			a.note += line
		}
		if a.note != "" && strings.Contains(line, "Retrying ") {
			return refused(a.note)
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

// The two forms of a note, seen in 0.41.2 to 0.61.0.
var (
	statusNote = regexp.MustCompile(`^Attempt \d{1,3} failed with status (\d{3})\.`)
	reasonNote = regexp.MustCompile(`(?s)^Attempt \d{1,3} failed: (.*?)\.* Retrying `)
)

// refused is the failure that a note tells of.
func refused(note string) error {
	s := signs{message: "the API refused the call"}
	if status := statusNote.FindStringSubmatch(note); status != nil {
		s.code, _ = strconv.Atoi(status[1]) // three digits
		s.message += " with status " + status[1]
	} else if reason := reasonNote.FindStringSubmatch(note); reason != nil {
		s.code, s.message = 429, oneLine(sanitize.String(reason[1])) // only quotas have this form
	}
	return s.failure()
}
