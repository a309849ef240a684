package fakeserver

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"cdcseed/fakeserver/tds"
)

// Rows gives a table's columns and its rows as they are now or, with atLSN,
// as they stood right after the commit with that LSN (the newest one at or
// below it): later commits are undone, whether capture has seen them or not
// and whether cleanup has forgotten them or not. An unknown database or table
// has no columns. The rows are in the order of their insertion.
//
// A value is nil for NULL, else by the column's type:
//
//	tinyint, smallint, int, bigint     int64
//	bit                                bool
//	real, float                        float64
//	decimal, numeric                   string, exactly the scale's digits after the point
//	money, smallmoney                  string, four digits after the point
//	date, smalldatetime, datetime2     time.Time, the wall clock labelled UTC
//	datetime                           the same, on milliseconds ending in 0, 3 and 7
//	datetimeoffset                     time.Time with its own offset
//	time                               time.Duration since midnight
//	char, varchar, nchar, nvarchar,
//	text, ntext, xml, sysname          string, char and nchar padded with blanks
//	uniqueidentifier                   string, upper case with hyphens
//	binary, varbinary, image,
//	rowversion, geography and its like []byte
//	sql_variant                        string, bool, int64 or float64
//
// Column.Type is the declared type in lower case with its length, precision
// and scale; a rowversion is "timestamp", as in sys.types.
func (s *Server) Rows(database, schema, table string, atLSN *[10]byte) (columns []Column, rows [][]any) {
	s.lock()
	defer s.mu.Unlock()
	d := s.host.database(database)
	if d == nil {
		return nil, nil
	}
	t := d.table(schema, table)
	if t == nil {
		return nil, nil
	}
	for _, c := range t.columns {
		padded := c.padded
		out := Column{Name: c.name, Type: c.typ.String(), ID: c.id, Nullable: c.nullable || c.computed != nil, Identity: c.identity, AnsiPadded: &padded}
		if c.computed != nil {
			out.Computed = c.computed.text
		}
		columns = append(columns, out)
	}
	for _, r := range d.rowsAt(t, (*LSN)(atLSN)) {
		plain := make([]any, len(r))
		for i, v := range r {
			plain[i] = t.columns[i].typ.plain(v)
		}
		rows = append(rows, plain)
	}
	return columns, rows
}

// rowsAt undoes every edit of t after a commit, on a copy.
func (d *database) rowsAt(t *table, limit *LSN) [][]any {
	if limit == nil {
		return t.rows
	}
	old := &table{columns: t.columns, key: t.key, rows: t.rows}
	old.reindex()
	for i := len(d.history) - 1; i >= 0 && limit.less(d.history[i].lsn); i-- {
		edits := d.history[i].edits
		for n := len(edits) - 1; n >= 0; n-- {
			if e := edits[n]; e.table == t {
				edit{table: old, before: e.before, after: e.after}.undo()
			}
		}
	}
	return old.rows
}

// plain turns a value of the wire into the form that Rows promises.
func (t dataType) plain(v any) any {
	switch x := v.(type) {
	case *big.Int:
		return new(big.Rat).SetFrac(x, tenTo(t.scale)).FloatString(t.scale)
	case tds.MoneyVal:
		return big.NewRat(int64(x), 10_000).FloatString(4)
	case tds.GUID:
		return strings.ToUpper(fmt.Sprintf("%x-%x-%x-%x-%x", x[0:4], x[4:6], x[6:8], x[8:10], x[10:16]))
	case []byte:
		return append([]byte{}, x...)
	case time.Time:
		switch t.name {
		case "time":
			return time.Duration(x.Hour())*time.Hour + time.Duration(x.Minute())*time.Minute +
				time.Duration(x.Second())*time.Second + time.Duration(x.Nanosecond())
		case "datetime":
			return tds.RoundDateTime(x)
		}
	}
	return v
}
