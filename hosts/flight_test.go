package hosts

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"gemini-search/answer"
)

func search(ctx context.Context, f *flights, query string) (*answer.Answer, error) {
	return f.await(ctx, query, f.join(query))
}

func TestEqualQueriesShareOneSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int64
		open := make(chan struct{})
		f := newFlights(t.Context(), 4, func(ctx context.Context, query string, tell func(string)) (*answer.Answer, error) {
			runs.Add(1)
			<-open
			return echo(ctx, query, tell)
		})
		answers := make([]*answer.Answer, 5)
		var callers sync.WaitGroup
		for i := range answers {
			callers.Go(func() { answers[i], _ = search(t.Context(), f, "q") })
		}
		synctest.Wait()
		close(open)
		callers.Wait()
		for _, found := range answers {
			if found == nil || found != answers[0] {
				t.Errorf("got %v, want the one answer", found)
			}
		}
		if _, err := search(t.Context(), f, "q"); err != nil {
			t.Error(err)
		}
		if runs.Load() != 2 {
			t.Errorf("%d searches, want one for those who waited together and one for who came later: an answer is not kept", runs.Load())
		}
		f.wait()
	})
}

func TestSearchEndsWithItsLastCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs, ended atomic.Int64
		f := newFlights(t.Context(), 4, func(ctx context.Context, query string, tell func(string)) (*answer.Answer, error) {
			runs.Add(1)
			defer ended.Add(1)
			return untilCancelled(ctx, query, tell)
		})
		call := func() (leave context.CancelFunc, left chan error) {
			ctx, cancel := context.WithCancel(t.Context())
			left = make(chan error, 1)
			go func() {
				_, err := search(ctx, f, "q")
				left <- err
			}()
			synctest.Wait()
			return cancel, left
		}
		leaveFirst, firstLeft := call()
		leaveSecond, secondLeft := call()
		leaveFirst()
		if failure, ok := errors.AsType[*answer.Failure](<-firstLeft); !ok || failure.Kind != answer.Cancelled {
			t.Errorf("the first caller got %v, want CANCELLED", failure)
		}
		synctest.Wait()
		if ended.Load() != 0 {
			t.Fatal("the search ended although one caller still waits")
		}
		leaveSecond()
		<-secondLeft
		f.wait()
		if ended.Load() != 1 {
			t.Fatal("the search goes on although nobody waits")
		}
		leaveThird, _ := call()
		if runs.Load() != 2 {
			t.Errorf("%d searches: who asks after the last one left must get a new search", runs.Load())
		}
		leaveThird()
		f.wait()
	})
}

func TestWaitingForSlotEndsWithServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, stop := context.WithCancel(t.Context())
		f := newFlights(base, 1, untilCancelled)
		var callers sync.WaitGroup
		for _, query := range []string{"runs", "waits"} {
			callers.Go(func() {
				if _, err := search(context.Background(), f, query); err == nil {
					t.Error("an answer without a search")
				}
			})
		}
		synctest.Wait()
		stop()
		callers.Wait()
		f.wait()
		if len(f.open) != 0 {
			t.Errorf("%d searches are remembered", len(f.open))
		}
	})
}
