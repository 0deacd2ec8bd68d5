package runner

import "time"

// bounds limit one run.
type bounds struct {
	stdout, stderr int64 // bytes
	grace          time.Duration
}

// defaultGrace suffices the CLI, which takes at most 210 ms to end when it is
// asked (measured on 0.41 to 0.61).
const defaultGrace = 250 * time.Millisecond

// maxStderr is for notes, stack traces and one error object: an answer is never
// written there.
const maxStderr = 4 << 20

func (o Options) bounds() bounds {
	b := bounds{stdout: int64(o.MaxBuffer), stderr: maxStderr, grace: o.Grace}
	if b.grace == 0 {
		b.grace = defaultGrace
	}
	return b
}

// fileSlack is what any one file of the child may have above the larger output.
// npx fetches the CLI under the same limit, and its largest file has 17 MB.
const fileSlack = 64 << 20

// largestFile bounds every file that the child writes.
func (b bounds) largestFile() int64 { return max(b.stdout, b.stderr) + fileSlack }
