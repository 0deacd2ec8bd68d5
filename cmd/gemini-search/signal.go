package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
)

// signalError is the cause of a context that a signal cancelled.
type signalError struct{ signal os.Signal }

func (e signalError) Error() string { return "ended by a signal: " + e.signal.String() }

// Is makes it a cancellation for whoever asks.
func (signalError) Is(target error) bool { return target == context.Canceled }

// signalContext returns a context that the first signal cancels, with the signal
// as its cause.
func signalContext() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, endingSignals()...)
	go func() {
		if received, ok := <-signals; ok {
			cancel(signalError{received})
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
	}
}

// dieOf ends the process by the signal that cancelled the context, if one did,
// so that a shell sees what it expects of a program that was interrupted.
func dieOf(ctx context.Context) {
	if received, ok := errors.AsType[signalError](context.Cause(ctx)); ok {
		raise(received.signal)
	}
}
