package tsql

import (
	"time"

	"cdcseed/fakeserver/tds"
)

func offsetFunction(name string) (builtin, bool) {
	switch name {
	case "SWITCHOFFSET":
		return builtin{min: 2, max: 2, bind: bindSwitchOffset}, true
	case "TODATETIMEOFFSET":
		return builtin{min: 2, max: 2, bind: bindToOffset}, true
	}
	return builtin{}, false
}

// bindSwitchOffset keeps the instant and shows it at another offset.
func bindSwitchOffset(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	t := tds.DateTimeOffset(7)
	switch {
	case args[0].ID == tds.DateTimeOffType:
		t = args[0]
	case !implicit(args[0], t):
		return t, nil, badArgument(args[0], 1, x.name[0])
	}
	return withOffset(x, args, t, func(m time.Time, loc *time.Location) time.Time { return m.In(loc) })
}

// bindToOffset keeps what the clock shows and says which offset it is in.
func bindToOffset(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	t := tds.DateTimeOffset(7)
	switch a := args[0]; {
	case a.ID == tds.DateTime2NType, a.ID == tds.DateTimeOffType:
		t = tds.DateTimeOffset(a.Scale)
	case a.ID == tds.DateTimNType:
		t = tds.DateTimeOffset(3)
	case !implicit(a, t):
		return t, nil, badArgument(a, 1, x.name[0])
	}
	return withOffset(x, args, t, func(m time.Time, loc *time.Location) time.Time {
		return time.Date(m.Year(), m.Month(), m.Day(), m.Hour(), m.Minute(), m.Second(), m.Nanosecond(), loc)
	})
}

func withOffset(x *call, args []tds.Type, t tds.Type, apply func(time.Time, *time.Location) time.Time) (tds.Type, func([]Value) (any, error), error) {
	if !isString(args[1]) && !isInt(args[1]) && args[1].ID != tds.NullType {
		return t, nil, badArgument(args[1], 2, x.name[0])
	}
	return t, func(a []Value) (any, error) {
		c, err := Convert(a[0], t, 0)
		if err != nil {
			return nil, err
		}
		m, _ := c.V.(time.Time)
		loc, ok := offsetArg(a[1].V)
		if !ok {
			return nil, Errorf(9812, 16, "The timezone provided to builtin function %s is invalid.", x.name[0])
		}
		return apply(m, loc), nil
	}, nil
}

// offsetArg is +hh:mm or a number of minutes.
func offsetArg(v any) (*time.Location, bool) {
	switch x := v.(type) {
	case string:
		return parseOffset(x)
	case int64:
		return time.FixedZone("", int(x)*60), x >= -840 && x <= 840
	}
	return nil, false
}
