package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"gemini-search/runner"
)

// signalError is the cause of a context that a signal cancelled.
type signalError struct{ signal os.Signal }

func (e signalError) Error() string { return "ended by a signal: " + e.signal.String() }

// Is makes it a cancellation for whoever asks.
func (signalError) Is(target error) bool { return target == context.Canceled }

// signalContext returns a context that the first signal cancels, with the signal
// as its cause. After the second one a search kills at once what it started. A
// third one ends us on the spot: by then the clean-up itself hangs.
//
// When stop returns, a signal that came before is the context's cause.
func signalContext() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	ctx, kill := runner.WithKill(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, endingSignals()...)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		obey(signals, cancel, kill)
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		<-stopped
	}
}

// obey returns when the channel is closed or two signals came. A write to a
// closed pipe counts once, however many follow: nobody asked twice.
func obey(signals chan os.Signal, cancel context.CancelCauseFunc, kill func()) {
	first, ok := <-signals
	if !ok {
		return
	}
	cancel(signalError{first})
	for next := range signals {
		if next != syscall.SIGPIPE {
			kill()
			signal.Stop(signals)
			return
		}
	}
}

// dieOf ends the process by the signal that cancelled the context, if one did,
// so that a shell sees what it expects of a program that was interrupted.
func dieOf(ctx context.Context) {
	if received, ok := errors.AsType[signalError](context.Cause(ctx)); ok {
		raise(received.signal)
	}
}
