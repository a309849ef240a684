package splice_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// BenchmarkReflink copies on a file system that shares bytes between files, which
// it makes and mounts: that takes root and mkfs.xfs or mkfs.btrfs.
func BenchmarkReflink(b *testing.B) {
	for b.Loop() {
		s, used, err := reflinks(b)
		if err != nil {
			b.Skip(err)
		}
		s.report(b)
		b.ReportMetric(used, "disk/data")
	}
}

// reflinks runs the cases of BenchmarkReflink. used is how much of the disk a
// spliced copy takes, as a part of its size. The error is why there is no such
// file system.
func reflinks(b *testing.B) (s sitting, used float64, err error) {
	dir := benchSource(b)
	files := benchFiles(b, dir, *benchRows)
	var size int64
	for _, f := range files {
		info, err := os.Stat(filepath.Join(dir, f))
		if err != nil {
			b.Fatal(err)
		}
		size += info.Size()
	}
	on, err := sharing(b, filepath.Dir(dir), 3*size+1<<30)
	if err != nil {
		return s, 0, err
	}
	s = sitting{from: filepath.Join(on, "from"), files: files, out: filepath.Join(on, "out")}
	if err := os.MkdirAll(s.from, 0o777); err != nil {
		b.Fatal(err)
	}
	for _, f := range files {
		if err := run("cp", filepath.Join(dir, f), s.from); err != nil {
			b.Fatal(err)
		}
	}
	s.run(b, *benchRounds, []benchCase{
		{name: "cp --reflink=never", do: byCp("--reflink=never")},
		{name: "cp --reflink=always", do: byCp("--reflink=always")},
		{name: "splice", do: bySplice(benchTable(b, nil))},
	})
	s.ratios = []ratio{{"x-cp-never", "splice", "cp --reflink=never"}}
	if err := os.RemoveAll(s.out); err != nil {
		b.Fatal(err)
	}
	before := taking(b, on)
	s.one(b, benchCase{name: "splice", do: bySplice(benchTable(b, nil))})
	return s, float64(taking(b, on)-before) / float64(size), nil
}

// sharing makes a file system of so many bytes that knows reflinks, in a file below
// dir, and answers where it is mounted until the benchmark ends.
func sharing(b *testing.B, dir string, size int64) (string, error) {
	b.Helper()
	if os.Geteuid() != 0 {
		return "", fmt.Errorf("only root can mount a file system")
	}
	make := [][]string{{"mkfs.xfs", "-q", "-m", "reflink=1"}, {"mkfs.btrfs", "-q"}}
	for len(make) > 0 {
		if _, err := exec.LookPath(make[0][0]); err == nil {
			break
		}
		make = make[1:]
	}
	if len(make) == 0 {
		return "", fmt.Errorf("neither mkfs.xfs nor mkfs.btrfs is here")
	}
	work, err := os.MkdirTemp(dir, "splice-reflink-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := os.RemoveAll(work); err != nil {
			b.Error(err)
		}
	})
	disk, on := filepath.Join(work, "disk"), filepath.Join(work, "on")
	if err := os.WriteFile(disk, nil, 0o600); err != nil {
		b.Fatal(err)
	}
	if err := os.Truncate(disk, size); err != nil {
		b.Fatal(err)
	}
	if err := os.Mkdir(on, 0o777); err != nil {
		b.Fatal(err)
	}
	if err := run(make[0][0], append(make[0][1:], disk)...); err != nil {
		return "", err
	}
	if err := run("mount", "-o", "loop", disk, on); err != nil {
		return "", err
	}
	b.Cleanup(func() {
		if err := run("umount", on); err != nil {
			b.Error(err)
		}
	})
	return on, nil
}

// taking is how many bytes of a file system are in use, once all is written.
func taking(b *testing.B, path string) int64 {
	b.Helper()
	if err := run("sync"); err != nil {
		b.Fatal(err)
	}
	var st syscall.Statfs_t
	if err := syscall.Statfs(path, &st); err != nil {
		b.Fatal(err)
	}
	return int64(st.Blocks-st.Bfree) * st.Bsize
}

// machine is what the figures are measured on.
func machine(b *testing.B, dir string) map[string]string {
	b.Helper()
	first := func(path, key string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			return "unknown"
		}
		for line := range strings.Lines(string(text)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == key {
				return strings.TrimSpace(value)
			}
		}
		return "unknown"
	}
	said := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).Output()
		if err != nil {
			return "unknown"
		}
		return strings.TrimSpace(string(out))
	}
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		b.Fatal(err)
	}
	return map[string]string{
		"cpu": first("/proc/cpuinfo", "model name"), "memory": first("/proc/meminfo", "MemTotal"), "kernel": said("uname", "-r"),
		"disk": said("findmnt", "-n", "-o", "FSTYPE", "-T", dir), "cp": strings.SplitN(said("cp", "--version"), "\n", 2)[0], "load": strings.Join(strings.Fields(string(load))[:3], ", "),
	}
}
