package tds

import (
	"context"
	"errors"
	"fmt"
)

// Flags of a column in COLMETADATA.
const (
	flagNullable         = 0x01
	flagUpdatableUnknown = 0x08
	flagIdentity         = 0x10
	flagComputed         = 0x20
)

// Columns starts a result set. The one before it ends.
func (w *Reply) Columns(cols []Column) {
	w.endResult()
	w.cols, w.rows, w.open = cols, 0, true
	b := u16([]byte{tokColMetadata}, uint16(len(cols)))
	for _, c := range cols {
		b = u32(b, 0) // user type
		b = u16(b, c.flags())
		b = typeInfo(b, c.Type)
		switch c.Type.ID {
		case TextType, NTextType, ImageType:
			b = usVarchar(append(b, 1), "t") // the name of the table, in one part
		}
		b = bVarchar(b, c.Name)
	}
	w.put(b)
}

func (c *Column) flags() uint16 {
	fl := uint16(flagUpdatableUnknown)
	if c.Nullable {
		fl |= flagNullable
	}
	if c.Identity {
		fl |= flagIdentity
	}
	if c.Computed {
		fl |= flagComputed
	}
	return fl
}

var errNoResult = errors.New("tds: a row outside of a result set")

// Row sends one row; a value is nil for NULL, else what Type.ID asks for (see
// Type). It fails when a value does not fit its column, when the client has
// cancelled the request, and when the client is gone; a Session returns that
// error as it is.
func (w *Reply) Row(vals ...any) error {
	switch {
	case w.ctx.Err() != nil:
		return context.Cause(w.ctx)
	case w.c.w.err != nil:
		return w.c.w.err
	case !w.open:
		return errNoResult
	case len(vals) != len(w.cols):
		return fmt.Errorf("tds: a row of %d values for %d columns", len(vals), len(w.cols))
	}
	b, err := w.encodeRow(w.row[:0], vals)
	if err != nil {
		return err
	}
	w.put(b)
	w.row = b
	w.rows++
	return nil
}

// encodeRow uses NBCROW, where NULLs are bits in front, when that is shorter
// and the client knows it.
func (w *Reply) encodeRow(b []byte, vals []any) ([]byte, error) {
	nulls := 0
	for _, v := range vals {
		if v == nil {
			nulls++
		}
	}
	nbc := nulls > 1 && (w.c.login.Strict || w.c.login.TDSVersion >= tds73b)
	if nbc {
		b = append(append(b, tokNBCRow), make([]byte, (len(vals)+7)/8)...)
	} else {
		b = append(b, tokRow)
	}
	var err error
	for i, v := range vals {
		if nbc && v == nil {
			b[1+i/8] |= 1 << (i % 8)
			continue
		}
		if b, err = appendValue(b, w.cols[i].Type, v); err != nil {
			return nil, fmt.Errorf("column %d (%q): %w", i+1, w.cols[i].Name, err)
		}
	}
	return b, nil
}
