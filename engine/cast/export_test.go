package cast

import (
	"time"

	"github.com/apache/arrow/go/v17/arrow/memory"
)

// UseAllocator makes the caster take memory where a test can count it.
func (k *Caster) UseAllocator(mem memory.Allocator) {
	for _, c := range k.columns {
		c.mem = mem
	}
}

// ReadDecimal is what the decimal parser makes of s: the unscaled value's sign
// and words, and what was dropped.
func ReadDecimal(s string, scale int) (neg bool, hi, lo uint64, rest int, huge, ok bool) {
	t, ok := readDecimal(s, scale)
	return t.value.neg, t.value.hi, t.value.lo, t.rest, t.huge, ok
}

// ReadStamp is what the timestamp parser makes of s.
func ReadStamp(s string) (micros int64, below, zoned bool, offset int64, ok bool) {
	t, ok := readStamp(s)
	return t.micros, t.below.some(), t.zoned, t.offset, ok
}

// ReadDaytime is what the time parser makes of s.
func ReadDaytime(s string) (nanos int64, rest string, ok bool) {
	t, rest, ok := readDaytime(s)
	return t.nanos, rest, ok
}

// ReadGUID is what the GUID parser makes of s.
func ReadGUID(s string) (string, bool) {
	var out [guidLen]byte
	ok := readGUID(&out, s)
	return string(out[:]), ok
}

// Wall and Instant are the zone's two directions, with what they note.
func Wall(loc *time.Location, us int64) (int64, Effect)    { return newZone(loc).wall(us) }
func Instant(loc *time.Location, us int64) (int64, Effect) { return newZone(loc).instant(us) }

// DateOf, DaysOf and Rebase are the calendar's arithmetic.
func DateOf(days int64) (y, m, d int64) { return dateOf(days) }
func DaysOf(y, m, d int64) int64        { return daysOf(y, m, d) }
func Rebase(days int64) int64           { return rebase(days) }

// UTF16Units and CodePageBytes measure text.
func UTF16Units(s string) int              { return utf16Units(s) }
func CodePageBytes(s string, page int) int { return codePageBytes(page)(s) }

// Tick judges a datetime's fraction: microseconds, nanoseconds and the digits after them.
func Tick(fraction, nanos int64, tail string) (exact, near bool, nearest, before int64) {
	return tick(fraction, finer{nanos, tail})
}
