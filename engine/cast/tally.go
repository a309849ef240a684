package cast

import "github.com/apache/arrow/go/v17/arrow"

// tally counts one effect on one column and keeps its worst samples. Counting
// a value that is no sample costs a comparison: effects may hit every row.
type tally struct {
	effect Effect
	n      int64
	kept   []kept
	floor  float64 // the smallest loss among the kept ones, once they are full
}

type kept struct {
	Sample
	row     int // in the present batch; -1 once After is known
	written bool
}

// tally finds the column's tally of an effect. A column meets few effects, so
// a short list beats a map.
func (c *column) tally(e Effect) *tally {
	for _, t := range c.tallies {
		if t.effect == e {
			return t
		}
	}
	t := &tally{effect: e}
	c.tallies = append(c.tallies, t)
	return t
}

func (t *tally) count(c *column, i int, loss float64, written bool) {
	t.n++
	full := len(t.kept) == samplesKept
	if full && loss <= t.floor {
		return
	}
	s := kept{
		Sample: Sample{Spot: Spot{File: c.at.File, Row: c.at.row(i)}, Before: ValueText(c.src, i), Loss: loss},
		row:    i, written: written,
	}
	if full {
		t.kept[t.mildest()] = s
	} else {
		t.kept = append(t.kept, s)
	}
	t.floor = t.kept[t.mildest()].Loss
}

// mildest is the place of the smallest loss, the latest of equals.
func (t *tally) mildest() int {
	m := 0
	for k := range t.kept {
		if t.kept[k].Loss <= t.kept[m].Loss {
			m = k
		}
	}
	return m
}

// complete says what became of the batch's samples.
func (t *tally) complete(c *column, after arrow.Array) {
	for k := range t.kept {
		s := &t.kept[k]
		if s.row < 0 {
			continue
		}
		switch {
		case s.written:
			s.After = ValueText(after, s.row)
		case c.rule.Answer == Null:
			s.After, s.Helps = "NULL", []Answer{Null}
		default:
			s.After, s.Helps = c.offers(s.row)
		}
		if c.at.key != nil { // only of values that stayed samples: a key costs texts
			s.Key = c.at.key(s.row)
		}
		s.row = -1
	}
}

func (t *tally) samples() []Sample {
	out := make([]Sample, len(t.kept))
	for k, s := range t.kept {
		out[k] = s.Sample
	}
	return worst(out)
}
