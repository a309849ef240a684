package cast

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
)

// timeBlock is a block of times on its way to the target: microseconds, and
// nanoseconds below them where the copy has some. What happened to them is
// counted here first, and told only where the whole block came through.
type timeBlock struct {
	c    *column
	src  arrow.Array
	from int // its first value's place in src
	vals []int64
	fine []int64 // nil where nothing is below

	zone                 zoneCounts
	old, rebased         int64
	normalised, subMicro int64
	lossy                int64
	most                 float64 // no value lost more
	shortened            int64
	short                float64
}

// times is room for the block of src that begins at from.
func (c *column) times(src arrow.Array, from int) *timeBlock {
	b := &c.blockRoom().times
	*b = timeBlock{c: c, src: src, from: from}
	return b
}

// take reads raw times of a unit; false where one is far out of any type's range.
func (b *timeBlock) take(raw []int64, unit arrow.TimeUnit) bool {
	r := b.c.blockRoom()
	b.vals = r.micros[:len(raw)]
	by := int64(1)
	switch unit {
	case arrow.Nanosecond:
		b.fine = r.fine[:len(raw)]
		for k, v := range raw {
			q := floorDiv(v, 1000)
			b.vals[k], b.fine[k] = q, v-q*1000
		}
		return true
	case arrow.Microsecond:
	case arrow.Millisecond:
		by = 1_000
	default:
		by = 1_000_000
	}
	for k, v := range raw {
		b.vals[k] = v * by
	}
	return within(raw, -(1<<62)/by, 1<<62/by)
}

// tell counts what happened; false where a value may be a sample, or may have
// been changed twice: beside its calendar, a value changes in its fraction alone.
func (b *timeBlock) tell() bool {
	if b.rebased > 0 && b.normalised+b.subMicro+b.lossy > 0 {
		return false
	}
	effect, _ := b.c.lossyEffect()
	return b.c.calmlyAll([]counted{
		{OldTime, b.old, 0},
		{Rebased, b.rebased, 0},
		{AfterGap, b.zone.afterGap, 0},
		{InGap, b.zone.inGap, 0},
		{Ambiguous, b.zone.ambiguous, 0},
		{Normalised, b.normalised, 0},
		{SubMicro, b.subMicro, 0},
		{Shortened, b.shortened, b.short},
		{effect, b.lossy, b.most},
	})
}

// rebase is rebased for the block.
func (b *timeBlock) rebase() {
	year1900 := microsOf(1900, 1, 1)
	for k, v := range b.vals {
		if v >= year1900 {
			continue
		}
		b.old++
		if days := floorDiv(v, dayMicros); days < gregorianStart {
			moved := rebase(days)
			if moved != days {
				b.rebased++
			}
			b.vals[k] = moved*dayMicros + v - days*dayMicros
		}
	}
}

// shift is stampPath.shift for the block.
func (b *timeBlock) shift(p *stampPath) bool {
	if p.legacy {
		b.rebase()
	}
	switch {
	case p.toWall:
		return b.move(b.c.zone.toWall())
	case p.toInstant:
		return b.move(b.c.zone.toInstant())
	}
	return true
}

// onWall is column.onWall for the block.
func (b *timeBlock) onWall() bool {
	if b.c.rule.Legacy {
		b.rebase()
	}
	if b.c.zone == nil || !b.c.rule.needsZone() {
		return true
	}
	return b.move(b.c.zone.toWall())
}

// move moves the block by a zone's steps. What stands for NULL stays 0, and
// nothing is told of it.
func (b *timeBlock) move(s *steps) bool {
	if !s.move(b.vals, b.vals, &b.zone) {
		return false
	}
	if b.src.NullN() == 0 {
		return true
	}
	zeroNulls(b.vals, b.src.NullBitmapBytes(), b.src.Data().Offset()+b.from)
	at, ok := s.find(0)
	return ok && at.effect == ""
}

// settle is stampPath.settle for the block.
func (b *timeBlock) settle(p *stampPath) bool {
	ok := true
	switch {
	case p.ticks:
		ok = b.toTicks()
	case p.unit > 0:
		ok = b.toUnits(p.unit)
	case b.fine != nil && p.seventh:
		for _, f := range b.fine {
			if f != 0 {
				b.subMicro++
			}
		}
	case b.fine != nil:
		ok = b.toMicros()
	}
	return ok && within(b.vals, p.low, p.high)
}

// below is what the value at k has below the microsecond.
func (b *timeBlock) below(k int) int64 {
	if b.fine == nil {
		return 0
	}
	return b.fine[k]
}

func (b *timeBlock) toTicks() bool {
	effect, lossy := b.c.lossyEffect()
	for k, v := range b.vals {
		second := floorDiv(v, 1_000_000) * 1_000_000
		fraction := v - second
		at := 3 * (fraction*1000 + b.below(k)) // see tick
		tick := (at + tickThirds/2) / tickThirds
		nearest := tickMicros(tick)
		if fraction == nearest && b.below(k) == 0 {
			continue
		}
		b.vals[k] = second + nearest
		if off := at - tick*tickThirds; off >= -tickNear && off <= tickNear {
			b.normalised++
			continue
		}
		if !lossy {
			return false
		}
		b.loses(math.Abs(float64(fraction - nearest)))
		if effect == CutOff {
			b.vals[k] = second + tickMicros(at/tickThirds)
		}
	}
	return true
}

func (b *timeBlock) toUnits(unit int64) bool {
	effect, lossy := b.c.lossyEffect()
	for k, v := range b.vals {
		floor := floorDiv(v, unit) * unit
		if v == floor && b.below(k) == 0 {
			continue
		}
		if !lossy {
			return false
		}
		b.loses(float64(v - floor))
		if effect == Rounded && v-floor >= unit/2 {
			floor += unit
		}
		b.vals[k] = floor
	}
	return true
}

func (b *timeBlock) toMicros() bool {
	effect, lossy := b.c.lossyEffect()
	for k, f := range b.fine {
		if f == 0 {
			continue
		}
		if !lossy {
			return false
		}
		b.loses(float64(f) / 1000)
		if effect == Rounded && f >= 500 {
			b.vals[k]++
		}
	}
	return true
}

func (b *timeBlock) loses(lost float64) {
	b.lossy++
	b.most = max(b.most, lost)
}
