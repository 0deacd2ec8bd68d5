package runner

import (
	"errors"
	"fmt"
	"os"

	"gemini-search/settings"
)

// output is a file that the child writes to. It is not a pipe, so that nothing of
// ours waits for whoever holds the other end.
type output struct {
	name  string
	file  *os.File
	limit int64
}

// tooLargeError stops a run in which an output passes its limit.
type tooLargeError struct {
	output string
	limit  int64
}

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("gemini wrote more than %d bytes to %s", e.limit, e.output)
}

func isTooLarge(err error, output string) bool {
	tooLarge, ok := errors.AsType[*tooLargeError](err)
	return ok && tooLarge.output == output
}

func createOutput(home *settings.Home, name string, limit int64) (*output, error) {
	file, err := home.CreateOutput(name)
	if err != nil {
		return nil, err
	}
	return &output{name: name, file: file, limit: limit}, nil
}

// size returns how much was written, or an error when that is too much.
func (o *output) size() (int64, error) {
	info, err := o.file.Stat()
	if err != nil {
		return 0, err
	}
	if info.Size() > o.limit {
		return 0, &tooLargeError{output: o.name, limit: o.limit}
	}
	return info.Size(), nil
}

// read returns the whole output, in one piece of memory of its size. It reads
// from the start, whatever the offset is: the child shares it, and moved it.
func (o *output) read() ([]byte, error) {
	size, err := o.size()
	if err != nil {
		return nil, err
	}
	content := make([]byte, size)
	_, err = o.file.ReadAt(content, 0)
	return content, err
}
