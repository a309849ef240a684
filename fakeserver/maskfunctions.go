package fakeserver

// columnOrdinalFunction is sys.fn_cdc_get_column_ordinal: the place of a
// column among the captured ones, from 1; NULL for one that is not captured.
func columnOrdinalFunction(s *session, a arguments) (any, error) {
	if n := s.columnOrdinal(a); n > 0 {
		return n, nil
	}
	return nil, nil
}

// columnOrdinal is the same with 0 for no such column.
func (s *session) columnOrdinal(a arguments) int64 {
	name, _ := a.text(0)
	column, _ := a.text(1)
	in := s.db.instance(name)
	if !s.db.cdc || in == nil {
		return 0
	}
	for i, k := range in.columns {
		if k == in.table.column(column) {
			return int64(i + 1)
		}
	}
	return 0
}

// bitSetFunction is sys.fn_cdc_is_bit_set: whether an update mask has the bit
// of an ordinal.
func bitSetFunction(_ *session, a arguments) (any, error) {
	n, ok := a.integer(0)
	mask, ok2 := a[1].V.([]byte)
	if !ok || !ok2 {
		return nil, nil
	}
	return maskHas(mask, n), nil
}

// columnChangedFunction is sys.fn_cdc_has_column_changed: whether an update
// mask of the instance has the column's bit.
func columnChangedFunction(s *session, a arguments) (any, error) {
	n := s.columnOrdinal(a)
	mask, ok := a[2].V.([]byte)
	if n == 0 || !ok {
		return nil, nil
	}
	return maskHas(mask, n), nil
}

// maskHas reads a mask from its last byte on, the lowest bit first.
func maskHas(mask []byte, ordinal int64) bool {
	at := int64(len(mask)) - 1 - (ordinal-1)/8
	return ordinal > 0 && at >= 0 && mask[at]>>((ordinal-1)%8)&1 == 1
}
