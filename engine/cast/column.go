package cast

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/schema"
)

// Place says where a batch comes from, for samples. Rows are numbered as the
// caller counts them; the first row of the batch has number FirstRow.
type Place struct {
	File     string
	FirstRow int64
	Kept     bool // rows were left out before the cast and have no numbers
}

// column is one target column being cast: its rule, its counts and, during a
// batch, the array that is read.
type column struct {
	target schema.TargetColumn
	rule   Rule
	out    arrow.DataType
	mem    memory.Allocator
	run    kernel
	zone   *zone // of the copy's timestamps; nil where none was named

	values, nulls   int64
	changed         int64
	toNull, refused int64
	tallies         []*tally
	longest         Longest
	day             *int32
	src             arrow.Array
	at              Place
	room            *room // scratch for blocks of values; nil until a kernel asks
}

// kernel casts one array. Its result has as many values as src.
type kernel func(c *column, src arrow.Array) (arrow.Array, error)

// begin makes the column ready for a batch.
func (c *column) begin(src arrow.Array, at Place) {
	c.src, c.at = src, at
	c.values += int64(src.Len())
	c.nulls += int64(src.NullN())
	if src.NullN() > 0 && c.rule.forbidsNull(c.target) {
		for i := range src.Len() {
			if src.IsNull(i) {
				c.leaveNull(ForbidsNull, i, 0)
			}
		}
	}
}

// absent makes the NULLs of a column that the batch's file has not. While
// that is an open question, nothing more need be said of them.
func (c *column) absent(rows int, at Place) arrow.Array {
	out := allNull(c.mem, c.out, rows)
	if !c.rule.forbidsNull(c.target) || c.rule.Code == MissingNull && c.rule.Answer != Null {
		c.values += int64(rows)
		return out
	}
	c.begin(out, at)
	c.nulls -= int64(rows) // the copy holds none
	c.finish(out)
	return out
}

// note counts an effect on the value at i, which is written. NULLs, whose
// slots may hold anything, are not counted.
func (c *column) note(e Effect, i int, loss float64) {
	if c.src.IsNull(i) {
		return
	}
	if e.changes() {
		c.changed++
	}
	c.tally(e).count(c, i, loss, true)
}

// refuse counts a value that is not written. The caller makes it NULL. Under
// the answer null that is what was asked for; else the seed is refused.
func (c *column) refuse(e Effect, i int, loss float64) {
	if c.src.IsNull(i) {
		return
	}
	c.leaveNull(e, i, loss)
}

// leaveNull counts a value whose place is NULL in what was made.
func (c *column) leaveNull(e Effect, i int, loss float64) {
	if c.rule.Answer == Null {
		c.toNull++
	} else {
		c.refused++
	}
	c.tally(e).count(c, i, loss, false)
}

// lossy decides about a value that would change: whether the change is
// written, as the answer says, and how. Without an answer it is refused for
// the reason given.
func (c *column) lossy(i int, loss float64, reason Effect) (how Answer, write bool) {
	switch c.rule.Answer {
	case Round:
		c.note(Rounded, i, loss)
		return Round, true
	case Cut:
		c.note(CutOff, i, loss)
		return Cut, true
	}
	c.refuse(reason, i, loss)
	return "", false
}

// seeLong takes the value at i, n units long, for one of the longest where it is.
func (c *column) seeLong(_ int, n int64) {
	switch {
	case n > c.longest.Length:
		c.longest = Longest{Length: n, Count: 1}
	case n == c.longest.Length:
		c.longest.Count++
	}
}

// finish completes the batch's samples from what the kernel made.
func (c *column) finish(after arrow.Array) {
	for _, t := range c.tallies {
		t.complete(c, after)
	}
	c.src = nil
}

// result is what the column has counted so far.
func (c *column) result() ColumnReport {
	r := ColumnReport{
		Values: c.values, Nulls: c.nulls, Changed: c.changed, ToNull: c.toNull, Refused: c.refused,
		Effects: map[Effect]int64{}, Samples: map[Effect][]Sample{},
		Longest: c.longest, Day: c.day, Answer: c.rule.Answer, Choices: c.rule.Choices(c.target),
	}
	for _, t := range c.tallies {
		r.Effects[t.effect] = t.n
		if len(t.kept) > 0 {
			r.Samples[t.effect] = t.samples()
		}
	}
	return r
}
