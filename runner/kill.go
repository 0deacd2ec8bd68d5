package runner

import (
	"context"
	"sync"
)

// killKey is where a context keeps the channel that ends the grace.
type killKey struct{}

// WithKill returns a context for searches, and a function after which a search
// that is being stopped kills its processes at once instead of waiting for them.
// The function stops no search by itself: cancel the context for that.
func WithKill(parent context.Context) (ctx context.Context, kill func()) {
	killed := make(chan struct{})
	return context.WithValue(parent, killKey{}, killed), sync.OnceFunc(func() { close(killed) })
}

// killed returns the channel that kill closes; nil, which blocks for ever, when
// the context has none.
func killed(ctx context.Context) <-chan struct{} {
	channel, _ := ctx.Value(killKey{}).(chan struct{})
	return channel
}
