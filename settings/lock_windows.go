package settings

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// lock waits for the exclusive lock of a file, which lasts until the file is
// closed or the process dies.
func lock(file *os.File) error {
	return windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, new(windows.Overlapped))
}

// tryLock takes the lock if nobody holds it.
func tryLock(file *os.File) (bool, error) {
	err := windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// checkOwner leaves it to the access list of the user's local folder, which only
// they and administrators can write to.
func checkOwner(info fs.FileInfo) error {
	if !info.IsDir() {
		return errors.New("it is not a folder")
	}
	return nil
}
