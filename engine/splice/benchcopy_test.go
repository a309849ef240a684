package splice_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/uuid"

	"cdcseed/engine/cast"
	"cdcseed/engine/clock"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/schema"
	"cdcseed/engine/splice"
	"cdcseed/engine/store"
)

// looseStore is a folder whose files appear as those of a Local do, but are not
// synced: what splicing takes beside a cp that is not synced either. The product
// has no such store.
type looseStore struct {
	*store.Local
	dir string
}

// Create makes a file under a dot name that Finish links.
func (s looseStore) Create(_ context.Context, key string) (store.Upload, error) {
	u := &looseUpload{store: s, key: key, temp: filepath.Join(s.dir, "."+key+"."+uuid.NewString()+".tmp")}
	var err error
	u.File, err = os.OpenFile(u.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	return u, err
}

type looseUpload struct {
	*os.File
	store     looseStore
	key, temp string
}

// Finish gives the file its name.
func (u *looseUpload) Finish(ctx context.Context) (store.Object, error) {
	if err := u.Close(); err != nil {
		return store.Object{}, err
	}
	if err := os.Link(u.temp, filepath.Join(u.store.dir, u.key)); err != nil {
		return store.Object{}, err
	}
	if err := os.Remove(u.temp); err != nil {
		return store.Object{}, err
	}
	return u.store.Stat(ctx, u.key)
}

// Abort removes what was written.
func (u *looseUpload) Abort(context.Context) error {
	return errors.Join(u.Close(), os.Remove(u.temp))
}

// TakeRange lets the system move the bytes, as a Local's upload does: up to the
// first block by themselves, so that whole blocks can be shared.
func (u *looseUpload) TakeRange(_ context.Context, f store.File, off, n int64) (done int64, err error) {
	const block = 4096
	from := f.(looseFile)
	if _, err := from.Seek(off, io.SeekStart); err != nil {
		return 0, err
	}
	for _, step := range []int64{min(n, (block-off%block)%block), n} {
		moved, err := u.ReadFrom(io.LimitReader(from.File, min(step, n-done)))
		done += moved
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

type looseFile struct {
	*os.File
	size int64
}

// Size is the number of bytes.
func (f looseFile) Size() int64 { return f.size }

// copyFiles is what a worker of a case does: it makes the files of a folder anew
// in another one, which are synced where sync says so.
type copyFiles func(b *testing.B, from, to string, files <-chan string, sync bool) error

// byCp copies with cp: one process a file where each is synced behind it, and else
// one for all of them, which saves its starts.
func byCp(flags ...string) copyFiles {
	return func(_ *testing.B, from, to string, files <-chan string, sync bool) error {
		if !sync {
			all := append([]string{}, flags...)
			for f := range files {
				all = append(all, filepath.Join(from, f))
			}
			if len(all) == len(flags) {
				return nil
			}
			return run("cp", append(all, to)...)
		}
		for f := range files {
			if err := run("cp", append(append([]string{}, flags...), filepath.Join(from, f), to)...); err != nil {
				return err
			}
			if err := syncFile(filepath.Join(to, f)); err != nil {
				return err
			}
		}
		return nil
	}
}

func run(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return nil
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// bySplice looks at each file, decides, and splices it.
func bySplice(table []schema.TargetColumn) copyFiles {
	return func(b *testing.B, from, to string, files <-chan string, sync bool) error {
		for f := range files {
			if _, err := spliceFile(b, table, from, to, f, sync); err != nil {
				return err
			}
		}
		return nil
	}
}

func spliceFile(b *testing.B, table []schema.TargetColumn, from, to, name string, sync bool) (r splice.Result, err error) {
	w, f, err := openFor(from, to, name, sync)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	columns, m, err := benchColumns(table, f)
	if err != nil {
		return r, err
	}
	src, err := splice.Look(f, f.Size())
	if err != nil {
		return r, err
	}
	d, err := splice.Decide(src, columns, m, "c1", nil, nil)
	if err != nil || d.Rewrite != "" {
		return r, fmt.Errorf("%w: %s", err, d.Rewrite)
	}
	r, err = splice.Stage(b.Context(), w, splice.Job{
		Key: name, File: name, From: f, Columns: columns, Mapping: m, Class: "c1", Ways: d.Columns,
	}, nil)
	if err == nil && r.Counts.Seen > 0 && runtime.GOOS == "linux" {
		err = fmt.Errorf("%d bytes went through the program", r.Counts.Seen)
	}
	return r, err
}

func openFor(from, to, name string, sync bool) (store.Writer, store.File, error) {
	target, err := store.OpenLocal(to)
	if err != nil {
		return nil, nil, err
	}
	if sync {
		source, err := store.OpenLocal(from)
		if err != nil {
			return nil, nil, err
		}
		f, err := source.Open(context.Background(), name)
		return target, f, err
	}
	f, err := os.Open(filepath.Join(from, name))
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return looseStore{target, to}, looseFile{f, info.Size()}, nil
}

// byRewrite decodes every column and encodes it again.
func byRewrite(table []schema.TargetColumn) copyFiles {
	return func(b *testing.B, from, to string, files <-chan string, sync bool) error {
		for f := range files {
			if err := rewriteFile(b, table, from, to, f, sync); err != nil {
				return err
			}
		}
		return nil
	}
}

func rewriteFile(b *testing.B, table []schema.TargetColumn, from, to, name string, sync bool) (err error) {
	w, f, err := openFor(from, to, name, sync)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	columns, m, err := benchColumns(table, f)
	if err != nil {
		return err
	}
	p, err := parquetfile.Open(f)
	if err != nil {
		return err
	}
	k, err := m.Caster("c1", nil)
	if err != nil {
		return err
	}
	scan := p.Read(b.Context(), k.Columns(), 64<<10)
	defer scan.Close()
	_, _, err = rewrite.Stage(b.Context(), w, rewrite.Job{Key: name, File: name, Columns: columns, Source: scan, Caster: k}, nil)
	return err
}

// benchColumns are the columns of a bronze table: nine that hold one value each,
// and the copy's.
func benchColumns(table []schema.TargetColumn, f store.File) ([]rewrite.Column, *cast.Mapping, error) {
	p, err := parquetfile.Open(f)
	if err != nil {
		return nil, nil, err
	}
	m, err := cast.Match(table, []schema.FileClass{{ID: "c1", Columns: p.Columns()}}, cast.Answers{Zone: "UTC"})
	if err != nil {
		return nil, nil, err
	}
	text, whole := schema.Type{Kind: schema.String}, schema.Type{Kind: schema.Integer}
	const lsn = "0x00000000000000000050"
	columns := []rewrite.Column{
		rewrite.Constant("_capture_instance", text, "dbo_Orders"), rewrite.Constant("_start_lsn", text, lsn), rewrite.Constant("_seqval", text, nil),
		rewrite.Constant("_operation", whole, 0), rewrite.Constant("_command_id", whole, nil),
		rewrite.Constant("_commit_ts", schema.Type{Kind: schema.TimestampNTZ}, clock.Local(1_769_000_000_123_456)),
	}
	for i, t := range table {
		columns = append(columns, rewrite.FromCast(t.Name, t.Type, i))
	}
	return append(columns, rewrite.Constant("_batch_id", whole, nil), rewrite.Constant("_snapshot", text, lsn), rewrite.Constant("_chunk", whole, nil)), m, nil
}
