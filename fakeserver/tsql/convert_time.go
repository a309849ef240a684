package tsql

import (
	"encoding/binary"
	"math/big"
	"time"

	"cdcseed/fakeserver/tds"
)

// wall is what t shows, labelled UTC: how every type but datetimeoffset is kept.
func wall(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// toTime drops the offset of a datetimeoffset without applying it, which is
// what SQL Server documents for every conversion to a type without offset.
func toTime(v Value, to tds.Type, style int) (any, error) {
	t, err := momentOf(v, to, style)
	if err != nil {
		return nil, err
	}
	switch to.ID {
	case tds.DateTimeOffType:
		return inRange(roundFraction(t, to.Scale), v.T, to)
	case tds.DateTime2NType:
		return inRange(roundFraction(wall(t), to.Scale), v.T, to)
	case tds.DateNType:
		y, m, d := t.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC), nil
	case tds.TimeNType:
		w := roundFraction(wall(t), to.Scale)
		return time.Date(1900, 1, 1, w.Hour(), w.Minute(), w.Second(), w.Nanosecond(), time.UTC), nil
	}
	return toDateTime(v, wall(t), to)
}

func inRange(t time.Time, from, to tds.Type) (any, error) {
	if y := t.Year(); y < 1 || y > 9999 {
		return nil, outOfRange(from, to)
	}
	return t, nil
}

func outOfRange(from, to tds.Type) error {
	return Errorf(242, 16, "The conversion of a %s data type to a %s data type resulted in an out-of-range value.",
		TypeName(from), TypeName(to))
}

// toDateTime rounds to the nearest three-hundredth of a second, smalldatetime
// from there to the nearest minute.
func toDateTime(v Value, w time.Time, to tds.Type) (any, error) {
	if to.Size == 4 {
		m := tds.RoundDateTime(w).Add(30 * time.Second).Truncate(time.Minute)
		if m.Year() < 1900 || m.After(time.Date(2079, 6, 6, 23, 59, 0, 0, time.UTC)) {
			return nil, outOfRange(v.T, to)
		}
		return m, nil
	}
	out := tds.FromTicks(tds.Ticks(w))
	if y := out.Year(); y < 1753 || y > 9999 {
		return nil, outOfRange(v.T, to)
	}
	return out, nil
}

func roundFraction(t time.Time, scale byte) time.Time {
	unit := time.Second
	for i := byte(0); i < scale; i++ {
		unit /= 10
	}
	return t.Round(unit)
}

// momentOf is the time in v before it is fitted to its new type.
func momentOf(v Value, to tds.Type, style int) (time.Time, error) {
	switch x := v.V.(type) {
	case time.Time:
		if v.T.ID != tds.DateTimeOffType {
			return wall(x), nil
		}
		return x, nil
	case string:
		lit, ok := parseTime(x, style)
		if ok && x != "" && !readable(x, style) {
			return time.Time{}, notSimulated("reading '%s' in style %d", x, style)
		}
		old := to.ID == tds.DateTimNType
		if !ok || old && (lit.digits > 3 || lit.offset && !lit.zulu) {
			return time.Time{}, failed(v, to)
		}
		return lit.t, nil
	case []byte:
		return datetimeOfBytes(x, to)
	}
	r, err := ratOf(v)
	if err != nil {
		return time.Time{}, err
	}
	return dateOfDays(r, to)
}

func datetimeOfBytes(b []byte, to tds.Type) (time.Time, error) {
	if to.ID != tds.DateTimNType || to.Size != 8 {
		return time.Time{}, notSimulated("conversion from binary to %s", TypeName(to))
	}
	b = append(make([]byte, 8), b...)
	b = b[len(b)-8:]
	days, ticks := int32(binary.BigEndian.Uint32(b)), binary.BigEndian.Uint32(b[4:])
	if ticks >= 300*86400 {
		return time.Time{}, outOfRange(tds.VarBinary(8), to)
	}
	return tds.FromTicks(days, ticks), nil
}

const ticksADay = 300 * 86400

// datetimeDays is a datetime as a number: days and their fraction since 1900.
func datetimeDays(v Value) (*big.Rat, bool) {
	t, ok := v.V.(time.Time)
	if !ok || v.T.ID != tds.DateTimNType {
		return nil, false
	}
	days, ticks := tds.Ticks(t)
	return big.NewRat(int64(days)*ticksADay+int64(ticks), ticksADay), true
}

func dateOfDays(r *big.Rat, to tds.Type) (time.Time, error) {
	n := roundRat(new(big.Rat).Mul(r, big.NewRat(ticksADay, 1)), 0)
	days, ticks := new(big.Int).DivMod(n, big.NewInt(ticksADay), new(big.Int))
	if !days.IsInt64() || days.Int64() < -53690 || days.Int64() > 2958463 {
		return time.Time{}, overflow(to)
	}
	return tds.FromTicks(int32(days.Int64()), uint32(ticks.Int64())), nil
}
