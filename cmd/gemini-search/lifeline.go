package main

import (
	"context"
	"fmt"
	"io"
)

// errHostLeft is the cause of a search whose host closed the lifeline.
var errHostLeft = fmt.Errorf("the host closed standard input: %w", context.Canceled)

// withLifeline cancels a context when an input ends. A host that is killed tells
// nobody, but the kernel closes its end of the pipe.
func withLifeline(parent context.Context, in io.Reader) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	go func() {
		_, _ = io.Copy(io.Discard, in) // however it ends, the host is gone
		cancel(errHostLeft)
	}()
	return ctx
}
