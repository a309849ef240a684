package fakeserver

import (
	"time"

	"cdcseed/fakeserver/tds"
	"cdcseed/fakeserver/tsql"
)

// cdcFunction is a scalar function of CDC, by its lower-case name in sys.
func cdcFunction(name string) (function, bool) {
	switch name {
	case "fn_cdc_get_max_lsn":
		return function{tds.Binary(10), 0, 0, maxLSNFunction}, true
	case "fn_cdc_get_min_lsn":
		return function{tds.Binary(10), 1, 1, minLSNFunction}, true
	case "fn_cdc_increment_lsn":
		return function{tds.Binary(10), 1, 1, step(1)}, true
	case "fn_cdc_decrement_lsn":
		return function{tds.Binary(10), 1, 1, step(-1)}, true
	case "fn_cdc_map_time_to_lsn":
		return function{tds.Binary(10), 2, 2, timeToLSNFunction}, true
	case "fn_cdc_map_lsn_to_time":
		return function{tds.DateTime, 1, 1, lsnToTimeFunction}, true
	case "fn_cdc_get_column_ordinal":
		return function{tds.Int, 2, 2, columnOrdinalFunction}, true
	case "fn_cdc_is_bit_set":
		return function{tds.Bit, 2, 2, bitSetFunction}, true
	case "fn_cdc_has_column_changed":
		return function{tds.Bit, 3, 3, columnChangedFunction}, true
	}
	return function{}, false
}

// needMapping is what the functions that read cdc.lsn_time_mapping say in a
// database without it, and under snapshot isolation that is not allowed.
func (s *session) needMapping() error {
	if s.db.cdc {
		return s.mayReadVersions(s.db)
	}
	return tsql.Errorf(208, 16, "Invalid object name 'cdc.lsn_time_mapping'.")
}

func maxLSNFunction(s *session, _ arguments) (any, error) {
	if err := s.needMapping(); err != nil {
		return nil, err
	}
	top := s.db.maxLSN()
	if top == nil && s.srv.host.settings.EmptyMaxLSN == "zeros" {
		top = &LSN{}
	}
	return lsnOrNil(top), nil
}

// minLSNFunction answers ten zero bytes, not an error, for an instance that is
// not there or not for the caller.
func minLSNFunction(s *session, a arguments) (any, error) {
	zero := make([]byte, 10)
	name, ok := a.text(0)
	if !ok {
		return zero, nil
	}
	if err := s.mayReadVersions(s.db); err != nil {
		return nil, err
	}
	in := s.db.instance(name)
	if in == nil || in.start == nil || !s.tracks(s.db, in) {
		return zero, nil
	}
	return in.start.bytes(), nil
}

func step(by int64) func(*session, arguments) (any, error) {
	return func(_ *session, a arguments) (any, error) {
		l, err := a.lsn(0)
		if l == nil || err != nil {
			return nil, err
		}
		return l.add(by).bytes(), nil
	}
}

func timeToLSNFunction(s *session, a arguments) (any, error) {
	if err := s.needMapping(); err != nil {
		return nil, err
	}
	v, err := tsql.Convert(a[1], tds.DateTime, 0)
	if err != nil {
		return nil, err
	}
	operator, ok := a.text(0)
	t, isTime := v.V.(time.Time)
	if !ok || !isTime {
		return nil, nil
	}
	byLSN := s.srv.host.settings.MapTime == "by_lsn"
	return lsnOrNil(s.db.mapTime(operator, toDateTime(t), byLSN)), nil
}

func lsnToTimeFunction(s *session, a arguments) (any, error) {
	if err := s.needMapping(); err != nil {
		return nil, err
	}
	l, err := a.lsn(0)
	if l == nil || err != nil {
		return nil, err
	}
	if t := s.db.mapLSN(*l); t != nil {
		return *t, nil
	}
	return nil, nil
}
