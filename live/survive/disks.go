package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// disks are where processes keep a world: a small file system of its own for each of them, in memory, so that it can be filled up.
type disks struct{ dir string }

// diskSize leaves room for three segments of the log, and snapshots.
const diskSize = "size=64m"

// mount makes disks for all processes of a world.
func mount() (*disks, error) {
	dir, err := os.MkdirTemp("", "throng-disks-")
	if err != nil {
		return nil, err
	}
	d := &disks{dir}
	for i := range replicas {
		if err := os.Mkdir(d.of(i+1), 0o700); err != nil {
			return nil, err
		}
		if out, err := exec.Command("mount", "-t", "tmpfs", "-o", diskSize, "tmpfs", d.of(i+1)).CombinedOutput(); err != nil {
			d.unmount()
			return nil, fmt.Errorf("a disk cannot be mounted: %w: %s", err, out)
		}
	}
	return d, nil
}

// of is the folder of a process.
func (d *disks) of(n int) string { return filepath.Join(d.dir, strconv.Itoa(n)) }

func (d *disks) unmount() {
	for i := range replicas {
		_ = exec.Command("umount", d.of(i+1)).Run() // it may not have been mounted
	}
	os.RemoveAll(d.dir)
}

// ballast is what takes up a disk.
const ballast = "ballast"

// fill leaves no room on a disk.
func (d *disks) fill(n int) error {
	f, err := os.Create(filepath.Join(d.of(n), ballast))
	if err != nil {
		return err
	}
	_, err = io.Copy(f, zeros{})
	if errors.Is(err, syscall.ENOSPC) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// zeros is a source without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func (d *disks) relieve(n int) { os.Remove(filepath.Join(d.of(n), ballast)) }

// verify has the program check what is on the disks.
func (d *disks) verify(program string) error {
	if out, err := exec.Command(program, "data", "verify", d.dir).CombinedOutput(); err != nil {
		return fmt.Errorf("what was kept is not right: %s", out)
	}
	return nil
}

// What a process says whose disk is full, and for how long it may go on as if it were not.
const (
	noSpace  = "no space left on device"
	fillTime = 10 * time.Second
)

// fill leaves no room on the disk of a process until that has said so and ended. Its log has room that was set aside: all are asked to save the
// world as a whole.
func (w *cast) fill(ctx context.Context, d *disks, n int) error {
	before := strings.Count(w.said.String(), noSpace)
	defer d.relieve(n)
	if err := d.fill(n); err != nil {
		return err
	}
	for _, pid := range w.living() {
		if answer, err := client.Post(w.address(pid)+"/admin/api/save", "application/json", strings.NewReader("{}")); err == nil {
			answer.Body.Close()
		}
	}
	ctx, cancel := context.WithTimeout(ctx, fillTime)
	defer cancel()
	for strings.Count(w.said.String(), noSpace) == before || len(w.living()) == w.wanted {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return errors.New("no process has noticed that its disk is full")
		}
	}
	return nil
}
