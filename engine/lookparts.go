package engine

import (
	"cmp"
	"context"
	"math"
	"slices"

	"cdcseed/engine/cast"
	"cdcseed/engine/lakecopy"
)

// Bounds of a sample: enough to see what a cast does, few enough to take seconds.
const (
	sampleRows  = 50_000  // of each file class
	sampleFiles = 4       // of each file class
	smallFiles  = 64      // of a class that has no more rows than a sample: all of them are looked at
	sampleReach = 1 << 20 // rows of a row group that are read at most to come to what is looked at
	splitRows   = 1 << 20 // rows from which on a file is looked at by several workers
)

// part is a stretch of one file whose values are looked at.
type part struct {
	file     lakecopy.File
	from, to int   // row groups
	first    int64 // row of the file, counted from 0, with which it begins
	end      int64 // row before which it ends
}

func whole(f lakecopy.File) part { return part{file: f, to: math.MaxInt, end: math.MaxInt64} }

// allParts gives every row of the copy, in order. Large files come in several
// parts, so that all workers have something to do.
func (b *builder) allParts(ctx context.Context, give func(part) bool) error {
	split := !b.oneDate()
	for _, f := range b.copy.Files {
		if !split || f.Rows+f.Deleted < splitRows {
			if !give(whole(f)) {
				return nil
			}
			continue
		}
		groups, err := b.copy.Groups(ctx, f)
		if err != nil {
			return storeError("reading the copy", err)
		}
		for _, p := range splitFile(f, groups) {
			if !give(p) {
				return nil
			}
		}
	}
	return nil
}

// oneDate reports whether a column takes the times of timestamps: which date is
// the first of a file can only be told by reading it from its beginning.
func (b *builder) oneDate() bool {
	return slices.ContainsFunc(b.plan.Columns.Columns, func(c cast.ColumnPlan) bool {
		return slices.ContainsFunc(c.Rules, func(r cast.Rule) bool { return r.Code == cast.StampToTime })
	})
}

// splitFile cuts a file between row groups into parts of at least splitRows rows.
func splitFile(f lakecopy.File, groups []int64) []part {
	var out []part
	p, row := part{file: f, end: math.MaxInt64}, int64(0)
	for g, rows := range groups {
		row += rows
		if row-p.first >= splitRows || g == len(groups)-1 {
			p.to = g + 1
			out = append(out, p)
			p.from, p.first = p.to, row
		}
	}
	return out
}

// sampleParts gives a sample of each file class: rows from the beginning, the
// middle and the end of files at the beginning, in the middle and at the end of
// the copy, as rare values like to hide late. The same copy gives the same
// sample, and a small class all of its rows. all says whether every class did.
func (b *builder) sampleParts(ctx context.Context) (out []part, all bool, err error) {
	all = true
	for _, class := range b.copy.Classes {
		var files []lakecopy.File
		for _, f := range b.copy.Files {
			if f.Class == class.ID && f.Rows > 0 {
				files = append(files, f)
			}
		}
		picked := files
		if len(files) > smallFiles || rowsOf(files) > sampleRows {
			picked = spread(files, sampleFiles)
		}
		all = all && len(picked) == len(files)
		shares := sharesOf(picked, sampleRows)
		for i, f := range picked {
			if shares[i] >= f.Rows {
				out = append(out, whole(f))
				continue
			}
			all = false
			if b.oneDate() { // its later rows have no first date of their own
				out = append(out, part{file: f, to: math.MaxInt, end: shares[i]})
				continue
			}
			groups, err := b.copy.Groups(ctx, f)
			if err != nil {
				return nil, false, storeError("reading the copy", err)
			}
			out = append(out, windows(f, groups, shares[i])...)
		}
	}
	return out, all, nil
}

func rowsOf(files []lakecopy.File) (n int64) {
	for _, f := range files {
		n += f.Rows
	}
	return n
}

// spread picks at most n of a list's elements, the first and the last among them.
func spread[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	out := make([]T, n)
	for i := range out {
		out[i] = list[i*(len(list)-1)/(n-1)]
	}
	return out
}

// sharesOf are the rows of each file that a budget allows: what small files do
// not use goes to the larger ones.
func sharesOf(files []lakecopy.File, budget int64) []int64 {
	order := make([]int, len(files))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(files[a].Rows, files[b].Rows) })
	out := make([]int64, len(files))
	for n, i := range order {
		out[i] = min(files[i].Rows, budget/int64(len(order)-n))
		budget -= out[i]
	}
	return out
}

// windows are the first, the middle and the last rows of a file, a third of the
// share each. Nothing but reading leads into a row group, so that of a very large
// one the later rows are left alone.
func windows(f lakecopy.File, groups []int64, share int64) []part {
	rows := f.Rows + f.Deleted
	size := share / 3
	var out []part
	for _, w := range []struct{ first, reach int64 }{{0, 0}, {(rows - size) / 2, sampleReach / 2}, {rows - size, sampleReach}} {
		p := part{file: f, to: len(groups)}
		begins := int64(0)
		for begins+groups[p.from] <= w.first {
			begins += groups[p.from]
			p.from++
		}
		p.first = begins + min(w.first-begins, w.reach)
		p.end = p.first + size
		out = append(out, p)
	}
	return out
}
