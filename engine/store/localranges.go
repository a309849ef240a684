package store

import (
	"context"
	"fmt"
)

var _ Ranger = (*upload)(nil)

// TakeRange lets the system move the bytes of a local file, which shares them
// between both files where the file system can. Elsewhere it takes none.
func (u *upload) TakeRange(ctx context.Context, f File, off, n int64) (int64, error) {
	if u.f == nil {
		return 0, fmt.Errorf("write %q in %q: already finished or aborted", u.key, u.store.url)
	}
	from, ok := f.(*localFile)
	if !ok {
		return 0, nil
	}
	var done int64
	for done < n {
		if err := ctx.Err(); err != nil {
			return done, u.store.fail("write", u.key, err)
		}
		moved, err := moveRange(u.f, from.f, off+done, rangeStep(off+done, u.written, n-done))
		done += moved
		u.written += moved
		if err != nil {
			return done, u.store.fail("write", u.key, err)
		}
		if moved == 0 {
			break
		}
	}
	if done > 0 {
		return done, from.unchanged()
	}
	return 0, nil
}

// diskBlock is what file systems share bytes in, at least.
const diskBlock = 4096

// rangeStep is how many of n bytes to move at once from off to the place at. Whole
// blocks can be shared where both begin at a block, so what stands before the first
// one goes by itself.
func rangeStep(off, at, n int64) int64 {
	lead := (diskBlock - off%diskBlock) % diskBlock
	if lead > 0 && lead+diskBlock <= n && at%diskBlock == off%diskBlock {
		return lead
	}
	return min(n, rangeBytes)
}
