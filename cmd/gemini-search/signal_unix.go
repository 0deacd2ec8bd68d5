//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// endingSignals leaves SIGHUP alone where it is ignored: nohup means it.
func endingSignals() []os.Signal {
	signals := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// raise dies of a signal.
func raise(s os.Signal) {
	number, ok := s.(syscall.Signal)
	if !ok {
		return
	}
	signal.Reset(number)
	_ = syscall.Kill(syscall.Getpid(), number)
	os.Exit(128 + int(number)) // where the signal is blocked
}

// restrictFiles makes every file that this process or its child creates the
// user's alone: the CLI writes transcripts that the group and others could read.
func restrictFiles() { syscall.Umask(0o077) }
