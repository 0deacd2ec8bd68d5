package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// homePrefix begins the name of every home.
	homePrefix = "run-"
	// lockFile is locked in a home for as long as its run lives, and in the base
	// folder while a home is made or swept.
	lockFile = "lock"
)

// lockedBase returns the folder where homes are made, locked: never one that
// others share. A runtime folder of somebody else, as sudo leaves it in the
// environment, is passed over.
func lockedBase(env environment) (base string, unlock func() error, err error) {
	if folder := env["XDG_RUNTIME_DIR"]; filepath.IsAbs(folder) {
		if info, err := os.Stat(folder); err == nil && info.IsDir() && checkOwner(info) == nil {
			base = filepath.Join(folder, "gemini-search")
			if unlock, err = lockBase(base); err == nil {
				return base, unlock, nil
			}
		}
	}
	cache, err := cacheFolder(env)
	if err != nil {
		return "", nil, err
	}
	base = filepath.Join(cache, "run")
	unlock, err = lockBase(base)
	return base, unlock, err
}

// cacheFolder returns our folder in the user's cache.
func cacheFolder(env environment) (string, error) {
	if folder := env["XDG_CACHE_HOME"]; filepath.IsAbs(folder) {
		return filepath.Join(folder, "gemini-search"), nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no folder for the private home: %w", err)
	}
	return filepath.Join(cache, "gemini-search"), nil
}

// create makes an empty home and locks it, after it has swept what killed
// processes left. The base folder is locked meanwhile, so that a home without a
// lock is one that nobody is about to lock.
func create(env environment) (home *Home, err error) {
	base, unlock, err := lockedBase(env)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := sweep(base); err != nil {
		return nil, fmt.Errorf("what an earlier run left behind could not be removed: %w", err)
	}
	path, err := os.MkdirTemp(base, homePrefix)
	if err != nil {
		return nil, err
	}
	home, err = open(path)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	if cache, err := cacheFolder(env); err == nil {
		home.compileCache = filepath.Join(cache, "node-compile-cache")
	}
	return home, nil
}

// lockBase makes the base folder the user's alone, and waits for its lock.
func lockBase(base string) (unlock func() error, err error) {
	if err := os.MkdirAll(base, 0o700); err != nil {
		return nil, err
	}
	info, err := os.Lstat(base)
	if err != nil {
		return nil, err
	}
	if err := checkOwner(info); err != nil {
		return nil, fmt.Errorf("%s: %w", base, err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(base, 0o700); err != nil {
			return nil, err
		}
	}
	file, err := os.OpenFile(filepath.Join(base, lockFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file.Close, nil // closing it unlocks it
}

// open opens a new home and locks it.
func open(path string) (*Home, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	home := &Home{path: path, root: root, made: time.Now()}
	if home.lock, err = home.create(lockFile); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	if err := lock(home.lock); err != nil {
		return nil, errors.Join(err, root.Close(), home.lock.Close())
	}
	return home, nil
}

// sweep removes the homes whose lock nobody holds.
func sweep(base string) error {
	entries, err := os.ReadDir(base)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), homePrefix) {
			continue
		}
		path := filepath.Join(base, entry.Name())
		stale, err := isStale(path)
		if err == nil && stale {
			err = os.RemoveAll(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isStale reports whether no run lives in a home: its lock is free, or it has
// none because its maker was killed before it could take one.
func isStale(path string) (bool, error) {
	file, err := os.OpenFile(filepath.Join(path, lockFile), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	free, err := tryLock(file)
	return free, errors.Join(err, file.Close())
}
