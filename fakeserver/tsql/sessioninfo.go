package tsql

import (
	"context"
	"strconv"

	"cdcseed/fakeserver/tds"
)

func live(t tds.Type, get func() any) scalar {
	return scalar{t: t, nullable: true, eval: func(context.Context, *frame) (any, error) { return get(), nil }}
}

// ownGlobal are the @@ variables that the session itself keeps.
func (s *Session) ownGlobal(name string) (scalar, bool) {
	switch name {
	case "@@ROWCOUNT":
		return live(tds.Int, func() any { return s.rowCount }), true
	case "@@ERROR":
		return live(tds.Int, func() any { return int64(s.lastErr) }), true
	case "@@TRANCOUNT":
		return live(tds.Int, func() any { return int64(s.tran.depth) }), true
	case "@@NESTLEVEL":
		return live(tds.Int, func() any { return int64(s.depth) }), true
	case "@@LOCK_TIMEOUT":
		return live(tds.Int, func() any { return s.number("LOCK_TIMEOUT", -1) }), true
	case "@@TEXTSIZE":
		return live(tds.Int, func() any { return s.textSize() }), true
	case "@@DATEFIRST":
		return live(tds.TinyInt, func() any { return int64(7) }), true
	}
	return scalar{}, false
}

func (s *Session) number(option string, otherwise int64) int64 {
	if n, err := strconv.ParseInt(s.options[option], 10, 32); err == nil {
		return n
	}
	return otherwise
}

// ownFunction are the functions that tell about the session itself.
func (s *Session) ownFunction(name string) (scalar, bool) {
	switch name {
	case "ERROR_NUMBER":
		return s.errorField(tds.Int, func(e *tds.Error) any { return int64(e.Number) }), true
	case "ERROR_MESSAGE":
		return s.errorField(tds.NVarChar(4000), func(e *tds.Error) any { return e.Message }), true
	case "ERROR_SEVERITY":
		return s.errorField(tds.Int, func(e *tds.Error) any { return int64(e.Class) }), true
	case "ERROR_STATE":
		return s.errorField(tds.Int, func(e *tds.Error) any { return int64(e.State) }), true
	case "ERROR_LINE":
		return s.errorField(tds.Int, func(e *tds.Error) any { return int64(e.Line) }), true
	case "ERROR_PROCEDURE":
		return s.errorField(tds.NVarChar(128), func(e *tds.Error) any {
			if e.Proc == "" {
				return nil
			}
			return e.Proc
		}), true
	case "XACT_STATE":
		return live(tds.SmallInt, func() any { return int64(min(1, s.tran.depth)) }), true
	case "ROWCOUNT_BIG":
		return live(tds.BigInt, func() any { return s.rowCount }), true
	}
	return scalar{}, false
}

// errorField is NULL outside a CATCH block.
func (s *Session) errorField(t tds.Type, field func(*tds.Error) any) scalar {
	return live(t, func() any {
		if len(s.caught) == 0 {
			return nil
		}
		return field(s.caught[len(s.caught)-1])
	})
}
