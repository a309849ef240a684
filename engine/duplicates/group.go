package duplicates

import (
	"bytes"
	"cmp"
	"slices"
)

// Result is what a Counter found.
type Result struct {
	Rows   int64 // looked at
	Keys   int64 // that stand in more than one row
	Extra  int64 // rows of these beyond the first of each
	Open   int64 // keys that the collation may hold for one another, in groups
	OpenBy int64 // keys of these groups beyond the first of each

	Samples     []Sample // of keys that stand more than once, the most frequent ones
	OpenSamples []Sample // of groups of keys that may be the same
}

// Sample is one key with some of its rows, or a group of keys with a row of some.
type Sample struct {
	Count  int64 // rows of the key, or keys of the group
	Places []Place
}

// Place is a row.
type Place struct {
	Key  string // as it is written there
	File int    // as the caller numbers files
	Row  int64
}

// Samples keep few keys, and few places of each.
const (
	samplesKept = 5
	placesKept  = 3
)

// found is a sample with its rows' records, before they are made text.
type found struct {
	count  int64
	bodies [][]byte
	file   int // of the first place, which decides between equals
	row    int64
}

// groups counts records that come in order.
type groups struct {
	rows, keys, extra, open, openBy int64
	samples, openSamples            []found

	begun   bool
	hash    uint64
	wide    []byte
	sure    []byte
	n       int64    // rows of the present key
	places  [][]byte // of the present key
	kept    int      // how many of them count
	classes int64    // keys of the present group
	firsts  [][]byte // a row of each of its first keys
	held    int
}

// take counts one record, r as it was read from body. All bytes are copied: the
// caller reuses them.
func (g *groups) take(hash uint64, r record, body []byte) {
	g.rows++
	switch {
	case !g.begun || hash != g.hash || !bytes.Equal(r.wide, g.wide):
		g.endGroup()
		g.begun, g.hash, g.wide = true, hash, append(g.wide[:0], r.wide...)
		g.sure = append(g.sure[:0], r.sure...)
	case !bytes.Equal(r.sure, g.sure):
		g.endKey()
		g.sure = append(g.sure[:0], r.sure...)
	}
	g.n++
	if g.kept < placesKept {
		g.places, g.kept = keep(g.places, g.kept, body)
	}
}

// keep copies a body into the n-th of a list of buffers.
func keep(list [][]byte, n int, body []byte) ([][]byte, int) {
	if n == len(list) {
		list = append(list, nil)
	}
	list[n] = append(list[n][:0], body...)
	return list, n + 1
}

func (g *groups) endKey() {
	if g.n == 0 {
		return
	}
	if g.n > 1 {
		g.keys++
		g.extra += g.n - 1
		g.samples = offer(g.samples, g.n, g.places[:g.kept])
	}
	g.classes++
	if g.held < placesKept {
		g.firsts, g.held = keep(g.firsts, g.held, g.places[0])
	}
	g.n, g.kept = 0, 0
}

func (g *groups) endGroup() {
	g.endKey()
	if g.classes > 1 {
		g.open++
		g.openBy += g.classes - 1
		g.openSamples = offer(g.openSamples, g.classes, g.firsts[:g.held])
	}
	g.classes, g.held = 0, 0
}

// offer keeps a sample where it is among the most frequent.
func offer(list []found, count int64, bodies [][]byte) []found {
	f := found{count: count}
	if len(list) == samplesKept && count < list[samplesKept-1].count {
		return list
	}
	for _, b := range bodies {
		f.bodies = append(f.bodies, bytes.Clone(b))
	}
	if r, err := readRecord(bodies[0]); err == nil { // it was read before
		f.file, f.row = r.file, r.row
	}
	return worst(append(list, f))
}

// worst keeps the most frequent samples, of equals those that come first in the copy.
func worst(list []found) []found {
	slices.SortFunc(list, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.file, b.file), cmp.Compare(a.row, b.row))
	})
	return list[:min(len(list), samplesKept)]
}

// plus adds what was found in another range of hashes.
func (g *groups) plus(o *groups) {
	g.rows += o.rows
	g.keys += o.keys
	g.extra += o.extra
	g.open += o.open
	g.openBy += o.openBy
	g.samples = worst(append(g.samples, o.samples...))
	g.openSamples = worst(append(g.openSamples, o.openSamples...))
}

// result makes the samples text.
func (g *groups) result(o Options) (r Result, err error) {
	r = Result{Rows: g.rows, Keys: g.keys, Extra: g.extra, Open: g.open, OpenBy: g.openBy}
	if r.Samples, err = samplesOf(g.samples, o); err != nil {
		return r, err
	}
	r.OpenSamples, err = samplesOf(g.openSamples, o)
	return r, err
}

func samplesOf(list []found, o Options) (out []Sample, err error) {
	for _, f := range list {
		s := Sample{Count: f.count}
		for _, b := range f.bodies {
			r, err := readRecord(b)
			if err != nil {
				return nil, err
			}
			text, err := keyText(o.Columns, r.raw, o.Text)
			if err != nil {
				return nil, err
			}
			s.Places = append(s.Places, Place{Key: text, File: r.file, Row: r.row})
		}
		out = append(out, s)
	}
	return out, nil
}
