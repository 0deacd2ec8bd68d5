//go:build unix

package main

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// endingSignals leaves alone what is ignored: nohup means it for SIGHUP, and a
// shell for SIGINT when it starts a job in the background.
//
// SIGPIPE is one of them because it otherwise ends a program that writes to a
// closed standard stream on the spot, with a child still running. Go has it
// ignored for every other descriptor only as long as nobody asks for it, so this
// program must not write to sockets or pipes of its own.
func endingSignals() []os.Signal {
	signals := []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE}
	return slices.DeleteFunc(signals, signal.Ignored)
}

// raise dies of a signal.
func raise(s os.Signal) {
	number, ok := s.(syscall.Signal)
	if !ok {
		return
	}
	signal.Reset(number)
	if number == syscall.SIGPIPE {
		breakOutput()
	}
	_ = syscall.Kill(syscall.Getpid(), number)
	// The signal may go to another thread, and an exit here would be first.
	time.Sleep(time.Second)
	os.Exit(128 + int(number)) // where the signal is blocked
}

// breakOutput writes to a standard output that nobody can read. Go ignores a
// SIGPIPE that it is sent, and dies of one only for such a write.
func breakOutput() {
	reader, writer, err := os.Pipe()
	if err != nil {
		return
	}
	reader.Close()
	if unix.Dup2(int(writer.Fd()), syscall.Stdout) == nil {
		_, _ = os.Stdout.Write([]byte{0})
	}
}
