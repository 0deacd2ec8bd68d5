//go:build unix && !linux

package runner

import "os/exec"

// lineage is empty: elsewhere than on Linux a process that leaves the group is
// lost sight of.
type lineage struct{}

func newLineage(*exec.Cmd, uint64) lineage { return lineage{} }

func adoptOrphans() {}

func (*lineage) killEscaped(int) {}

func (*lineage) end() error { return nil }

// limitFiles does nothing: only Linux sets the limits of another process.
func limitFiles(int, int64) uint64 { return 0 }
