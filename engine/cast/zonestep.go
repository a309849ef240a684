package cast

import "slices"

// steps is one direction of a zone as pieces of time within which every value
// moves by the same offset and has the same effect, with an index that finds
// the piece of a time of 1900 to 2100 without a search.
type steps struct {
	pieces []piece
	index  []int32 // by stretches of 2^stretch microseconds from firstStep on: the first piece of each
}

// piece is a run of times, from included.
type piece struct {
	from, to int64
	offset   int64
	effect   Effect
}

const (
	stretch   = 41 // 2^41 us are 25 days: hardly ever has one more than two pieces
	firstStep = -2_208_988_800_000_000
	lastStep  = 4_102_444_800_000_000
)

// stepsOf makes the pieces between boundaries, at which alone a direction of a
// zone changes, and asks it once for each.
func stepsOf(boundaries []int64, move func(int64) (int64, Effect)) *steps {
	slices.Sort(boundaries)
	boundaries = slices.Compact(boundaries)
	s := &steps{}
	for k := 0; k+1 < len(boundaries); k++ {
		at := boundaries[k]
		moved, effect := move(at)
		if n := len(s.pieces); n > 0 && s.pieces[n-1].offset == moved-at && s.pieces[n-1].effect == effect {
			s.pieces[n-1].to = boundaries[k+1]
			continue
		}
		s.pieces = append(s.pieces, piece{from: at, to: boundaries[k+1], offset: moved - at, effect: effect})
	}
	for at, k := int64(firstStep), 0; at < lastStep; at += 1 << stretch {
		for k < len(s.pieces)-1 && s.pieces[k].to <= at {
			k++
		}
		s.index = append(s.index, int32(k))
	}
	return s
}

// find is the piece of a time; false where none is known.
func (s *steps) find(at int64) (*piece, bool) {
	k := 0
	if stretch := uint64(at-firstStep) >> stretch; stretch < uint64(len(s.index)) {
		k = int(s.index[stretch])
		for k < len(s.pieces) && s.pieces[k].to <= at {
			k++
		}
	} else {
		k, _ = slices.BinarySearchFunc(s.pieces, at, func(p piece, at int64) int {
			if p.to <= at {
				return -1
			}
			return 1
		})
	}
	if k >= len(s.pieces) || at < s.pieces[k].from {
		return nil, false
	}
	return &s.pieces[k], true
}

// move moves a block and counts effects; it is false where a time is beyond
// the pieces.
func (s *steps) move(out, in []int64, count *zoneCounts) bool {
	p, n := &s.pieces[0], 0
	out = out[:len(in)]
	for k, v := range in {
		if v < p.from || v >= p.to {
			count.add(p.effect, n)
			next, ok := s.find(v)
			if !ok {
				return false
			}
			p, n = next, 0
		}
		n++
		out[k] = v + p.offset
	}
	count.add(p.effect, n)
	return true
}

// zoneCounts is how often a block met each effect of a zone.
type zoneCounts struct{ afterGap, inGap, ambiguous int64 }

func (z *zoneCounts) add(e Effect, n int) {
	switch e {
	case AfterGap:
		z.afterGap += int64(n)
	case InGap:
		z.inGap += int64(n)
	case Ambiguous:
		z.ambiguous += int64(n)
	}
}

// toWall and toInstant are the two directions in steps. They end where fold begins.
func (z *zone) toWall() *steps {
	if z.wallSteps == nil {
		at := []int64{z.spans[0].from, z.foldStart()}
		for k := 1; k < len(z.spans); k++ {
			at = append(at, z.spans[k].from)
			if skipped := z.spans[k].offset - z.spans[k-1].offset; skipped > 0 {
				at = append(at, min(z.spans[k].from+skipped, z.spans[k].to))
			}
		}
		z.wallSteps = stepsOf(z.before(at), z.wall)
	}
	return z.wallSteps
}

func (z *zone) toInstant() *steps {
	if z.instantSteps == nil {
		at := []int64{z.spans[0].from + z.spans[0].offset, z.foldStart()}
		for k := 1; k < len(z.spans); k++ {
			from := z.spans[k].from
			at = append(at, from, from+z.spans[k-1].offset, from+z.spans[k].offset)
		}
		z.instantSteps = stepsOf(z.before(at), z.instant)
	}
	return z.instantSteps
}

// foldStart is the first time that fold moves.
func (z *zone) foldStart() int64 { return z.spans[len(z.spans)-1].to - 2*dayMicros }

// before leaves out what comes after fold's start.
func (z *zone) before(at []int64) []int64 {
	end := z.foldStart()
	return slices.DeleteFunc(at, func(v int64) bool { return v > end })
}
