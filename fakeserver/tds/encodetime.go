package tds

import "time"

// appendTime writes the date and time types. Digits beyond the type's scale
// are cut; rounding is the evaluator's affair. datetime is rounded to its tick
// and smalldatetime to its minute, because those cannot be cut.
func appendTime(b []byte, t Type, v any) ([]byte, error) {
	tm, ok := v.(time.Time)
	if !ok {
		return nil, mismatch(t, v)
	}
	var day int64
	switch t.ID {
	case DateTimNType, DateTimeType, DateTim4Type:
		if t.width() == 4 {
			return appendSmallDateTime(b, t, tm)
		}
		d, n := Ticks(tm)
		if d < minDay1900 || d > maxDay1900 {
			return nil, rangeError(tm, t)
		}
		return u32(u32(b, uint32(d)), n), nil
	case TimeNType:
		return appendTimeOfDay(b, t, tm), nil
	case DateNType:
		day = days(epoch0001, tm)
	case DateTime2NType:
		b = appendTimeOfDay(b, t, tm)
		day = days(epoch0001, tm)
	case DateTimeOffType: // the instant in UTC, then the offset
		b = appendTimeOfDay(b, t, tm.UTC())
		day = days(epoch0001, tm.UTC())
	}
	if day < 0 || day > maxDay0001 {
		return nil, rangeError(tm, t)
	}
	b = uintN(b, uint64(day), 3)
	if t.ID != DateTimeOffType {
		return b, nil
	}
	_, offset := tm.Zone()
	if minutes := offset / 60; minutes >= -maxOffset && minutes <= maxOffset {
		return u16(b, uint16(int16(minutes))), nil
	}
	return nil, rangeError(tm, t)
}

// maxOffset is the largest offset of datetimeoffset, in minutes.
const maxOffset = 14 * 60

func appendTimeOfDay(b []byte, t Type, tm time.Time) []byte {
	return uintN(b, uint64(nanoOfDay(tm)/timeUnit(t.Scale)), timeSize(t.Scale))
}

func appendSmallDateTime(b []byte, t Type, tm time.Time) ([]byte, error) {
	w := wall(tm).Add(30 * time.Second).Truncate(time.Minute)
	day := days(epoch1900, w)
	if day < 0 || day > 0xffff {
		return nil, rangeError(tm, t)
	}
	return u16(u16(b, uint16(day)), uint16(w.Hour()*60+w.Minute())), nil
}
