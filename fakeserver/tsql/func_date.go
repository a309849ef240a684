package tsql

import (
	"strconv"
	"strings"
	"time"

	"cdcseed/fakeserver/tds"
)

func dateFunction(name string) (builtin, bool) {
	switch name {
	case "DATEADD":
		return builtin{min: 2, max: 2, bind: bindDateAdd}, true
	case "DATEDIFF", "DATEDIFF_BIG":
		return builtin{min: 2, max: 2, bind: bindDateDiff}, true
	case "DATEPART", "DATENAME":
		return builtin{min: 1, max: 1, bind: bindDatePart}, true
	case "YEAR", "MONTH", "DAY":
		return builtin{min: 1, max: 1, bind: func(_ *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
			return bindDatePart(&call{name: []string{"DATEPART"}, part: strings.ToLower(name)}, args)
		}}, true
	}
	return builtin{}, false
}

// timeArg is the type that an argument is read as: texts become datetimeoffset
// where an offset matters, else datetime2, and numbers datetime.
func timeArg(t tds.Type, n int, function string) (tds.Type, error) {
	switch {
	case isTime(t):
		return t, nil
	case isString(t):
		return tds.DateTimeOffset(7), nil
	case isNumber(t), t.ID == tds.NullType:
		return tds.DateTime, nil
	}
	return t, badArgument(t, n, function)
}

func timeOfArg(v Value, t tds.Type) (time.Time, error) {
	c, err := Convert(v, t, 0)
	m, _ := c.V.(time.Time)
	if t.ID == tds.DateTimNType && t.Size == 8 {
		m = tds.FromTicks(tds.Ticks(m))
	}
	return m, err
}

// bindDateAdd gives the type of its third argument, datetime for a text.
func bindDateAdd(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	part := datePart(x.part)
	if part == "" || part == "iso_week" || part == "tzoffset" {
		return args[0], nil, unknownPart(x.part, x.name[0])
	}
	if isString(args[0]) || !implicit(args[0], tds.BigInt) {
		return args[0], nil, badArgument(args[0], 2, x.name[0])
	}
	t, err := timeArg(args[1], 3, x.name[0])
	if err != nil {
		return t, nil, err
	}
	if isString(args[1]) {
		t = tds.DateTime
	}
	if err := partFits(x, part, t); err != nil {
		return t, nil, err
	}
	return t, func(a []Value) (any, error) {
		n, err := intOf(a[0])
		if err != nil {
			return nil, err
		}
		if int64(n) != int64(int32(n)) {
			return nil, overflow(tds.Int)
		}
		m, err := timeOfArg(a[1], t)
		if err != nil {
			return nil, err
		}
		out, ok := addPart(m, part, int64(n))
		if ok {
			if v, err := Convert(Value{t, out}, t, 0); err == nil && out.Year() >= 1 && out.Year() <= 9999 {
				return v.V, nil
			}
		}
		return nil, Errorf(517, 16, "Adding a value to a '%s' column caused an overflow.", TypeName(t))
	}, nil
}

// partFits refuses parts that the type does not have.
func partFits(x *call, part string, t tds.Type) error {
	unit, fixed := partUnit(part)
	small := fixed && unit < 24*time.Hour
	if t.ID == tds.DateNType && small || t.ID == tds.TimeNType && !small ||
		t.ID == tds.DateTimNType && fixed && unit < time.Millisecond && strings.EqualFold(x.name[0], "DATEADD") {
		return Errorf(9810, 16, "The datepart %s is not supported by date function %s for data type %s.",
			part, strings.ToLower(x.name[0]), TypeName(t))
	}
	return nil
}

func addPart(t time.Time, part string, n int64) (time.Time, bool) {
	switch part {
	case "year":
		return addMonths(t, 12*n), n > -10000 && n < 10000
	case "quarter":
		return addMonths(t, 3*n), n > -40000 && n < 40000
	case "month":
		return addMonths(t, n), n > -120000 && n < 120000
	}
	unit, _ := partUnit(part)
	if unit < time.Second {
		return t.Add(time.Duration(n) * unit), true
	}
	seconds := n * int64(unit/time.Second)
	out := time.Unix(t.Unix()+seconds, int64(t.Nanosecond())).In(t.Location())
	return out, true
}

// bindDateDiff counts boundaries on the clock of UTC, where offsets differ.
func bindDateDiff(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	part := datePart(x.part)
	if part == "" || part == "tzoffset" || part == "iso_week" {
		return tds.Int, nil, unknownPart(x.part, x.name[0])
	}
	var types [2]tds.Type
	for i, a := range args {
		var err error
		if types[i], err = timeArg(a, i+2, x.name[0]); err != nil {
			return tds.Int, nil, err
		}
	}
	out := tds.Int
	if strings.EqualFold(x.name[0], "DATEDIFF_BIG") {
		out = tds.BigInt
	}
	return out, func(a []Value) (any, error) {
		from, err := timeOfArg(a[0], types[0])
		if err != nil {
			return nil, err
		}
		to, err := timeOfArg(a[1], types[1])
		if err != nil {
			return nil, err
		}
		n, ok := boundaries(part, from.UTC(), to.UTC())
		if lo, hi := intRange(out); !ok || n < lo || n > hi {
			return nil, Errorf(535, 16, "The %s function resulted in an overflow. The number of dateparts separating two "+
				"date/time instances is too large. Try to use %s with a less precise datepart.",
				strings.ToLower(x.name[0]), strings.ToLower(x.name[0]))
		}
		return n, nil
	}, nil
}

// bindDatePart is DATEPART and, as text, DATENAME.
func bindDatePart(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	part := datePart(x.part)
	if part == "" {
		return tds.Int, nil, unknownPart(x.part, x.name[0])
	}
	t, err := timeArg(args[0], 2, x.name[0])
	if err != nil {
		return t, nil, err
	}
	offset := t.ID == tds.DateTimeOffType || t.ID == tds.DateTime2NType
	if part == "tzoffset" && !offset {
		return t, nil, Errorf(9810, 16, "The datepart tzoffset is not supported by date function %s for data type %s.",
			strings.ToLower(x.name[0]), TypeName(t))
	}
	if err := partFits(x, part, t); err != nil && part != "tzoffset" {
		return t, nil, err
	}
	named := strings.EqualFold(x.name[0], "DATENAME")
	out := tds.Int
	if named {
		out = tds.NVarChar(30)
	}
	return out, func(a []Value) (any, error) {
		m, err := timeOfArg(a[0], t)
		if err != nil {
			return nil, err
		}
		if t.ID == tds.DateTimNType {
			m = tds.RoundDateTime(m)
		}
		if named {
			return partName(m, part), nil
		}
		return partOf(m, part), nil
	}, nil
}

func partName(t time.Time, part string) string {
	switch part {
	case "month":
		return t.Month().String()
	case "weekday":
		return t.Weekday().String()
	case "tzoffset":
		return t.Format("-07:00")
	}
	return strconv.FormatInt(partOf(t, part), 10)
}
