package tds

import (
	"errors"
	"time"
)

var errBadTime = errors.New("a date or time is out of its type's range")

// decodeTime reads the date and time types; p has a length that t allows. All
// but datetimeoffset are labelled UTC for want of a zone. time is on 1900-01-01.
func decodeTime(t Type, p []byte) (any, error) {
	switch t.ID {
	case DateTim4Type, DateTimeType, DateTimNType:
		if len(p) == 4 {
			return decodeSmallDateTime(p)
		}
		d, n := int32(le(p[:4])), uint32(le(p[4:]))
		if d < minDay1900 || d > maxDay1900 || n >= ticksPerDay {
			return nil, errBadTime
		}
		return FromTicks(d, n), nil
	case DateNType:
		return dayFrom0001(le(p))
	}
	k := timeSize(t.Scale)
	// Five bytes of tenths of a microsecond stay far below what an int64 holds;
	// the longest unit, a second, comes with three bytes only.
	ns := int64(le(p[:k])) * timeUnit(t.Scale)
	if ns >= secondsPerDay*1e9 {
		return nil, errBadTime
	}
	if t.ID == TimeNType {
		return epoch1900.Add(time.Duration(ns)), nil
	}
	day, err := dayFrom0001(le(p[k : k+3]))
	if err != nil {
		return nil, err
	}
	at := day.Add(time.Duration(ns))
	if t.ID == DateTime2NType {
		return at, nil
	}
	offset := int(int16(le(p[k+3:])))
	if offset < -maxOffset || offset > maxOffset {
		return nil, errBadTime
	}
	return at.In(time.FixedZone("", offset*60)), nil
}

func decodeSmallDateTime(p []byte) (any, error) {
	day, minute := int(le(p[:2])), int(le(p[2:]))
	if minute >= minutesPerDay {
		return nil, errBadTime
	}
	return epoch1900.AddDate(0, 0, day).Add(time.Duration(minute) * time.Minute), nil
}

func dayFrom0001(n uint64) (time.Time, error) {
	if n > maxDay0001 {
		return time.Time{}, errBadTime
	}
	return epoch0001.AddDate(0, 0, int(n)), nil
}
