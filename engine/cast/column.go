package cast

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/schema"
)

// Place says where a batch comes from, for samples.
type Place struct {
	File     string
	FirstRow int64             // the number in the file of the batch's first row, counted from 1
	Row      func(i int) int64 // the number in the file of the batch's i-th row, where some were left out; nil where they follow one another

	key func(i int) []KeyValue // of the batch's i-th row; nil where no key is known
}

// row is the number in the file of the batch's i-th row.
func (p Place) row(i int) int64 {
	if p.Row != nil {
		return p.Row(i)
	}
	return p.FirstRow + int64(i)
}

// spot is where the batch's i-th row is found.
func (p Place) spot(i int) Spot {
	s := Spot{File: p.File, Row: p.row(i)}
	if p.key != nil {
		s.Key = p.key(i)
	}
	return s
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
	longAt          []Spot // the first values that are as long
	longRows        []int  // more of them, in the present batch
	day             *int32
	src             arrow.Array
	at              Place
	room            *room // scratch for blocks of values; nil until a kernel asks
	noted           noted
	decoded         decoded
	shown           *Sample // what the answer makes of a value; nil where counts tell
}

// noted are the effects met so far by one value of the batch, the last one that
// anything was said of. They count once it is known that the value is written.
type noted struct {
	row     int // -1 for none
	refused bool
	effects []effectOf
}

type effectOf struct {
	effect Effect
	loss   float64
}

// kernel casts one array. Its result has as many values as src.
type kernel func(c *column, src arrow.Array) (arrow.Array, error)

// begin makes the column ready for a batch.
func (c *column) begin(src arrow.Array, at Place) {
	c.src, c.at = src, at
	c.noted.row = -1
	c.values += int64(src.Len())
	if src.NullN() == 0 {
		return
	}
	if !c.rule.forbidsNull(c.target) {
		c.nulls += int64(src.NullN())
		return
	}
	for i := range src.Len() {
		if src.IsNull(i) {
			c.leaveNull(ForbidsNull, i, 0)
		}
	}
}

// absent makes the NULLs of a column that the batch's file has not. Where that
// asks for an answer they count as what it makes of them: without one they are
// not written.
func (c *column) absent(rows int, at Place) arrow.Array {
	out := allNull(c.mem, c.out, rows)
	c.values += int64(rows)
	switch n := int64(rows); {
	case c.rule.Code == MissingNull && c.rule.Answer == Null:
		c.toNull += n
		c.tally(Missing).n += n
	case c.rule.Code == MissingNull:
		c.refused += n
		c.tally(Missing).n += n
	case c.rule.forbidsNull(c.target):
		c.values -= n // begin counts them
		c.begin(out, at)
		c.finish(out)
	default:
		c.nulls += n
	}
	return out
}

// note counts an effect on the value at i, which is written unless it is refused
// before another value is spoken of. NULLs, whose slots may hold anything, are
// not counted.
func (c *column) note(e Effect, i int, loss float64) {
	if c.src.IsNull(i) {
		return
	}
	if c.noted.row != i {
		c.settle()
		c.noteRow(i)
	}
	if !c.noted.refused {
		c.noted.effects = append(c.noted.effects, effectOf{e, loss})
	}
}

// noteRow begins with the value at i; that it was decoded is the first to be noted.
func (c *column) noteRow(i int) {
	c.noted.row = i
	was := c.decoded.take(i)
	if was > 0 {
		c.noted.effects = append(c.noted.effects, effectOf{Decoded, 0})
	}
	if was > 1 {
		c.noted.effects = append(c.noted.effects, effectOf{UTF8Too, 0})
	}
}

// settle counts what was noted of a value: it was written.
func (c *column) settle() {
	n := &c.noted
	changes := false
	for _, e := range n.effects {
		changes = changes || e.effect.changes()
		c.tally(e.effect).count(c, n.row, e.loss, true)
	}
	if changes {
		c.changed++
	}
	n.row, n.refused, n.effects = -1, false, n.effects[:0]
}

// refuse counts a value that is not written. The caller makes it NULL. Under
// the answer null that is what was asked for; else the seed is refused. A value
// counts under its first reason alone, and under nothing that was noted of it.
func (c *column) refuse(e Effect, i int, loss float64) {
	if !c.src.IsNull(i) {
		c.leaveNull(e, i, loss)
	}
}

// leaveNull counts a value whose place is NULL in what was made.
func (c *column) leaveNull(e Effect, i int, loss float64) {
	if c.noted.row != i {
		c.settle()
	} else if c.noted.refused {
		return
	}
	c.decoded.take(i) // it is not written
	c.noted.row, c.noted.refused, c.noted.effects = i, true, c.noted.effects[:0]
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
func (c *column) seeLong(i int, n int64) {
	switch {
	case n > c.longest.Length:
		c.longest = Longest{Length: n, Count: 1}
		c.longAt, c.longRows = c.longAt[:0], append(c.longRows[:0], i)
	case n == c.longest.Length:
		c.longest.Count++
		if len(c.longAt)+len(c.longRows) < samplesKept {
			c.longRows = append(c.longRows, i)
		}
	}
}

// finish completes the batch's samples from what the kernel made.
func (c *column) finish(after arrow.Array) {
	c.settle()
	for _, t := range c.tallies {
		t.complete(c, after)
	}
	c.show(after)
	for _, i := range c.longRows {
		c.longAt = append(c.longAt, c.at.spot(i))
	}
	c.longRows = c.longRows[:0]
	c.src, c.at = nil, Place{}
}

// result is what the column has counted so far.
func (c *column) result() ColumnReport {
	r := ColumnReport{
		Values: c.values, Nulls: c.nulls, Changed: c.changed, ToNull: c.toNull, Refused: c.refused,
		Effects: map[Effect]int64{}, Samples: map[Effect][]Sample{},
		Longest: c.longest, LongestAt: append([]Spot(nil), c.longAt...), Day: c.day, Answer: c.rule.Answer, Choices: c.rule.Choices(c.target),
		Shown: c.shown,
	}
	r.Unchanged = r.rest()
	if c.day != nil {
		r.Days = map[int32]Written{*c.day: {Unchanged: r.Unchanged, Changed: r.Changed}}
	}
	for _, t := range c.tallies {
		if t.n > 0 {
			r.Effects[t.effect] = t.n
		}
		if len(t.kept) > 0 {
			r.Samples[t.effect] = t.samples()
		}
	}
	return r
}
