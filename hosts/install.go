package hosts

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"gemini-search/answer"
)

// Change is one file of a host, and what an installation puts into it.
type Change struct {
	// Path is the file.
	Path string
	edit edit
}

// edit puts something into a file and takes it out again. The file may be nil,
// for one that is not there.
type edit interface {
	put(file []byte) ([]byte, error)
	remove(file []byte) ([]byte, error)
	// document is the file with nothing else in it.
	document() []byte
}

// backupSuffix marks the file as it was before the first change. It is the proof
// by which a removal gives back every byte.
const backupSuffix = ".gemini-search-backup"

// Text returns what is put into the file, for people who do it themselves.
func (c Change) Text() string {
	return string(bytes.TrimRight(c.edit.document(), "\n")) + "\n"
}

// Apply puts the change into its file. It reports false when it is there already.
// A file that cannot be read as what it should be is left alone.
func (c Change) Apply() (changed bool, err error) {
	defer func() { err = c.failure(err) }()
	path, before, err := c.read()
	if err != nil {
		return false, err
	}
	after, err := c.edit.put(before)
	if err != nil || before != nil && bytes.Equal(before, after) {
		return false, err
	}
	if err := c.backUp(path, before); err != nil {
		return false, err
	}
	return true, write(path, after)
}

// Revert takes the change out of its file. It reports false when there is nothing
// to take out. A file that nobody has changed since is as it was before, byte for
// byte; in any other, what was added since stays.
func (c Change) Revert() (changed bool, err error) {
	defer func() { err = c.failure(err) }()
	path, now, err := c.read()
	if err != nil || now == nil {
		return false, err
	}
	backup, err := readExisting(path + backupSuffix)
	if err != nil {
		return false, err
	}
	if put, err := c.edit.put(backup); err == nil && bytes.Equal(put, now) {
		return true, giveBack(path, backup)
	}
	after, err := c.edit.remove(now)
	if err != nil || bytes.Equal(now, after) {
		return false, err
	}
	if backup != nil && bytes.Equal(after, backup) {
		return true, giveBack(path, backup)
	}
	return true, write(path, after) // the backup stays: it is older than what was added
}

// giveBack makes a file what it was, or takes it away where there was none.
func giveBack(path string, backup []byte) error {
	if backup == nil {
		return os.Remove(path)
	}
	if err := write(path, backup); err != nil {
		return err
	}
	return os.Remove(path + backupSuffix)
}

// backUp keeps the file as it was before our first change, and not in between.
func (c Change) backUp(path string, before []byte) error {
	if before == nil {
		return nil
	}
	if without, err := c.edit.remove(before); err == nil && !bytes.Equal(without, before) {
		return nil // it holds an older change of ours
	}
	if err := write(path+backupSuffix, before); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Chmod(path+backupSuffix, info.Mode().Perm())
}

// read follows links, because people keep their configuration elsewhere.
func (c Change) read() (path string, content []byte, err error) {
	path, err = filepath.EvalSymlinks(c.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return c.Path, nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	content, err = readExisting(path)
	return path, content, err
}

// readExisting returns nil for a file that is not there, and never for another.
func readExisting(path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && content == nil {
		content = []byte{}
	}
	return content, err
}

// write replaces a file in one step, with its permissions.
func write(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".gemini-search-")
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	err = errors.Join(err, file.Chmod(mode), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

func (c Change) failure(err error) error {
	if err == nil {
		return nil
	}
	failure := &answer.Failure{
		Kind:    answer.GeminiWebSearchFailed,
		Message: fmt.Sprintf("%s is left as it is: %v", c.Path, err),
		Hint:    "mend it, or write into it yourself what --print shows",
		Err:     err,
	}
	if errors.Is(err, errForeign) {
		failure.Hint = "rename or remove the server gemini in it, which does not start gemini-search"
	}
	return failure
}

// whole is a file that is ours from its first byte to its last.
type whole struct{ content []byte }

func (w whole) put([]byte) ([]byte, error) { return w.content, nil }
func (w whole) document() []byte           { return w.content }

// remove never empties a file: one that is ours as it was written is given back
// by [Change.Revert] already.
func (w whole) remove(file []byte) ([]byte, error) {
	return nil, errors.New("it was changed since it was written, or another version wrote it; remove it by hand")
}
