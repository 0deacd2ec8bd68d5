package runner

import "golang.org/x/sys/unix"

// pidSpan is more than the kernel's largest process number, 2^22.
const pidSpan = 1 << 23

// limitFiles bounds every file that a process and its descendants write, in the
// kernel and so without the gaps between two looks at a size. Node gets EFBIG
// for a write beyond it, a program that does not ignore SIGXFSZ dies. No core is
// dumped either: it would hold the prompt and the key.
//
// The limit is rounded up so that it carries the process's number: see lineage.
// It returns 0 where it changed nothing, as under a stricter limit of the user.
func limitFiles(pid int, largest int64) (limit uint64) {
	_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)

	limit = (uint64(largest)/pidSpan+1)*pidSpan + uint64(pid)
	var old unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, nil, &old); err != nil || old.Max <= limit {
		return 0
	}
	if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: min(old.Cur, limit), Max: limit}, nil); err != nil {
		return 0
	}
	return limit
}
