package runner

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lineage tells the processes of one run from those of other runs, and from the
// children that the program around us has of its own. One that left the group
// becomes our child when its parents are dead, because we adopt orphans, and
// nothing in the kernel says then where it came from. It is of this run when one
// of these says so:
//
//   - it is in the leader's session: whoever did not call setsid;
//   - it was started with the run's variable in its environment, which every
//     program hands on unless it clears it; a zombie and a program in the midst
//     of its exec show none;
//   - its file size limit is the run's, which they do show, and which no program
//     without privileges can raise; but the limit is set just after the start of
//     the leader, not with it;
//   - it was killed as the descendant of one of these.
type lineage struct {
	leader int
	run    []byte // the variable that names it
	limit  uint64 // 0 for none
	// killed are those that were found below one of the run, whatever marks they
	// bear themselves. A handle does not outlive its process as a number does.
	killed map[int]*os.Process
}

func newLineage(command *exec.Cmd, limit uint64) lineage {
	l := lineage{leader: command.Process.Pid, limit: limit, killed: map[int]*os.Process{}}
	for _, variable := range command.Env {
		if strings.HasPrefix(variable, runVariable) {
			l.run = []byte(variable)
		}
	}
	return l
}

// adoptOrphans makes us the parent of every descendant whose parents die. It
// holds for the process and stays.
func adoptOrphans() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// killEscaped kills the descendants of a process of the session that are outside
// of it, as long as their parents live and show whose they are: one of them may
// bear none of the marks. It asks none of them first, as the group is.
func (l *lineage) killEscaped(parent int) {
	for _, pid := range childrenOf(parent) {
		if l.isInSession(pid) {
			l.killEscaped(pid)
		} else {
			l.killTree(pid, parent)
		}
	}
}

// end kills and reaps the orphans of the run until there are none. A killed
// process hands its children to us while it dies, so whoever is left always
// hangs below a child of ours. Two looks must find nothing: the list of children
// may lose an entry while another run reaps one (Documentation/filesystems/proc).
func (l *lineage) end() error {
	defer l.release()
	deadline := time.Now().Add(patience)
	for empty := 0; empty < 2; {
		if l.endOrphans() == 0 {
			empty++
			continue
		}
		empty = 0
		if time.Now().After(deadline) {
			return errAlive
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

// endOrphans returns how many there were.
func (l *lineage) endOrphans() (found int) {
	us := os.Getpid()
	for _, pid := range childrenOf(us) {
		if pid == l.leader || !l.owns(pid) {
			continue
		}
		found++
		l.killTree(pid, us)
		// Only this one: to wait for any child would take another run's.
		_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
	}
	return found
}

func (l *lineage) owns(pid int) bool {
	return l.isInSession(pid) || l.hasVariable(pid) || l.hasLimit(pid) || l.hasKilled(pid)
}

func (l *lineage) isInSession(pid int) bool {
	session, err := unix.Getsid(pid)
	return err == nil && session == l.leader
}

func (l *lineage) hasVariable(pid int) bool {
	environ, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	for variable := range bytes.SplitSeq(environ, []byte{0}) {
		if len(variable) > 0 && bytes.Equal(variable, l.run) {
			return true
		}
	}
	return false
}

func (l *lineage) hasLimit(pid int) bool {
	var limit unix.Rlimit
	err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, nil, &limit)
	return err == nil && l.limit != 0 && limit.Max == l.limit
}

// hasKilled knows what killTree killed until it is reaped: a zombie still takes
// signals.
func (l *lineage) hasKilled(pid int) bool {
	process := l.killed[pid]
	return process != nil && process.Signal(syscall.Signal(0)) == nil
}

// killTree kills a process after its descendants, whatever marks they bear. The
// handle is taken before the look at the parent: if the number has gone to
// another process since, either the look or the handle tells.
func (l *lineage) killTree(pid, parent int) {
	process, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	if parentOf(pid) != parent {
		process.Release()
		return
	}
	for _, child := range childrenOf(pid) {
		l.killTree(child, pid)
	}
	_ = process.Kill()
	if earlier := l.killed[pid]; earlier != nil {
		earlier.Release()
	}
	l.killed[pid] = process
}

func (l *lineage) release() {
	for _, process := range l.killed {
		process.Release()
	}
}

// childrenOf lists the children of all threads of a process, zombies too.
func childrenOf(pid int) (children []int) {
	folder := fmt.Sprintf("/proc/%d/task", pid)
	threads, _ := os.ReadDir(folder)
	for _, thread := range threads {
		list, _ := os.ReadFile(folder + "/" + thread.Name() + "/children")
		for _, field := range strings.Fields(string(list)) {
			if child, err := strconv.Atoi(field); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}

// parentOf reads the fourth field of proc_pid_stat(5); 0 when there is no such
// process. The second one is a name in brackets that may hold blanks and
// brackets.
func parentOf(pid int) int {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}
