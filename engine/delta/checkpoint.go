package delta

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"slices"
	"strings"
	"sync"

	"cdcseed/engine/parquetfile"
	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// checkpointBatch is how many actions are decoded at a time.
const checkpointBatch = 4096

// checkpoint takes a checkpoint's actions as the state to start from. What it
// holds of removed files matters to cleanup alone and is not read.
func (p *replay) checkpoint(ctx context.Context, r store.Reader, c checkpoint) error {
	for _, key := range c.files {
		part, err := readCheckpointFile(ctx, r, key)
		if err != nil {
			return err
		}
		part.Version = c.version
		p.apply(part)
		for _, s := range part.sidecars {
			if err := p.sidecar(ctx, r, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// sidecar reads the data files that a checkpoint keeps beside itself.
func (p *replay) sidecar(ctx context.Context, r store.Reader, s sidecar) error {
	name, err := url.PathUnescape(s.Path)
	if err != nil || !fs.ValidPath(name) || strings.Contains(s.Path, ":") {
		return corrupt(r.URL(), "names a sidecar outside its folder", verdict.Facts("sidecar", s.Path), err)
	}
	part, err := readCheckpointFile(ctx, r, logDir+"_sidecars/"+name)
	if err != nil {
		return err
	}
	p.apply(Commit{Version: p.last.Version, Adds: part.Adds})
	return nil
}

func readCheckpointFile(ctx context.Context, r store.Reader, key string) (c Commit, err error) {
	f, err := r.Open(ctx, key)
	if err != nil {
		return Commit{}, fmt.Errorf("read checkpoint: %w", err)
	}
	w := &watched{File: f}
	defer func() { err = errors.Join(err, f.Close()) }()
	if strings.HasSuffix(key, ".json") {
		data := make([]byte, f.Size())
		if _, err = io.ReadFull(io.NewSectionReader(w, 0, f.Size()), data); err == nil {
			c, err = parseActions(data)
		}
	} else {
		c, err = readParquetActions(ctx, w)
	}
	if err == nil {
		c.Removes, c.Info = nil, CommitInfo{} // a checkpoint's own, not the version's
		return c, nil
	}
	if cause := errors.Join(ctx.Err(), w.failure()); cause != nil {
		return Commit{}, fmt.Errorf("read checkpoint: %w", cause)
	}
	return Commit{}, corrupt(r.URL(), "holds a checkpoint that cannot be read", verdict.Facts("file", key), err)
}

// watched keeps the error that a store gave, to tell a file that could not be
// fetched from one that is no checkpoint.
type watched struct {
	store.File
	mu  sync.Mutex
	err error
}

func (w *watched) ReadAt(p []byte, off int64) (int, error) {
	n, err := w.File.ReadAt(p, off)
	if err != nil && !errors.Is(err, io.EOF) {
		w.mu.Lock()
		w.err = err
		w.mu.Unlock()
	}
	return n, err
}

func (w *watched) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

func readParquetActions(ctx context.Context, f store.File) (c Commit, err error) {
	pf, err := parquetfile.Open(f)
	if err != nil {
		return Commit{}, err
	}
	defer func() { err = errors.Join(err, pf.Close()) }()
	var columns []string
	for _, col := range pf.Columns() {
		if slices.Contains([]string{"protocol", "metaData", "txn", "domainMetadata", "add", "sidecar"}, col.Name) {
			columns = append(columns, col.Name)
		}
	}
	if len(columns) == 0 {
		return Commit{}, errors.New("no column of it is an action")
	}
	scan := pf.Read(ctx, columns, checkpointBatch)
	defer scan.Close()
	for scan.Next() {
		if err := c.takeRecord(scan.Record()); err != nil {
			return Commit{}, err
		}
	}
	return c, scan.Err()
}
