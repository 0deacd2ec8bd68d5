package main

import (
	"os"
	"syscall"
)

func endingSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// raise exits as a console program that Ctrl-C ended.
func raise(os.Signal) { os.Exit(130) }
