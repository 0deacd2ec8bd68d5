//go:build unix

package main

import (
	"os"
	"strconv"
	"syscall"
)

// restrictInheritance makes every file that this process or its child creates
// the user's alone, because the CLI writes transcripts that the group and others
// could read; and keeps from the child every descriptor that we were started
// with, because Go closes only those that it opened.
func restrictInheritance() {
	syscall.Umask(0o077)
	entries, _ := os.ReadDir("/dev/fd") // what is open, and on FreeBSD 0 to 2 unless fdescfs is mounted
	for _, entry := range entries {
		if descriptor, err := strconv.Atoi(entry.Name()); err == nil && descriptor > syscall.Stderr {
			syscall.CloseOnExec(descriptor)
		}
	}
}
