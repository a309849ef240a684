package sqlserver

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"embed"
	"errors"
	"fmt"

	"cdcseed/engine/lsn"
)

//go:embed queries/*.sql
var queries embed.FS

// statement is the text of a query by the name of its file. The files are part
// of the program: a name that is not there is a fault of the program.
func statement(name string) string {
	text, err := queries.ReadFile("queries/" + name + ".sql")
	if err != nil {
		panic(fmt.Sprintf("sqlserver: no statement %q", name))
	}
	return string(text)
}

// text binds a parameter as nvarchar, which is how every parameter crosses.
func text(name string, value any) sql.NamedArg { return sql.Named(name, fmt.Sprint(value)) }

// read runs a statement and gives its rows to use, from the first one again
// when a transient error makes a new try. use must keep nothing between calls.
func (s *Source) read(ctx context.Context, name string, use func(*sql.Rows) error, args ...any) error {
	err := s.retry(ctx, func() error { return s.ask(ctx, name, use, args...) })
	if err != nil {
		return s.refusal(ctx, "read "+name, err)
	}
	return nil
}

// ask runs a statement once. The driver leaves the rest of an answer unread
// when a statement fails before its first result, and waits for ever the next
// time that such a connection is used (go-mssqldb issue 407), so the
// connection goes with the error. Of rows, closing reads the rest.
func (s *Source) ask(ctx context.Context, name string, use func(*sql.Rows) error, args ...any) error {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	rows, err := c.QueryContext(ctx, statement(name), args...)
	if err != nil {
		if !errors.Is(err, context.Canceled) { // after which the driver knows where it is
			giveUp(c)
		}
		return giveBack(c, err)
	}
	err = use(rows)
	if err == nil {
		err = rows.Err()
	}
	//nolint:sqlclosecheck // whether closing worked decides about the connection, which a defer could not tell
	if rows.Close() != nil { // of no interest beside rows.Err, but for the connection
		giveUp(c)
	}
	return giveBack(c, err)
}

// giveUp has the pool close a connection when it is given back.
func giveUp(c *sql.Conn) {
	_ = c.Raw(func(any) error { return driver.ErrBadConn })
}

// giveBack returns a connection to the pool; err is the one to tell.
func giveBack(c *sql.Conn, err error) error {
	_ = c.Close() // fails where it was given up, on purpose or by the driver
	return err
}

// row reads one row into dest and reports whether there was one.
func (s *Source) row(ctx context.Context, name string, dest []any, args ...any) (found bool, err error) {
	err = s.read(ctx, name, func(rows *sql.Rows) (err error) {
		found, err = onlyRow(rows, dest...)
		return err
	}, args...)
	return found && err == nil, err
}

// onlyRow reads the first row into dest, and on to the end, or closing would
// interrupt the server; false where there is none.
func onlyRow(rows *sql.Rows, dest ...any) (found bool, err error) {
	if !rows.Next() {
		return false, nil
	}
	if err := rows.Scan(dest...); err != nil {
		return false, err
	}
	for rows.Next() {
	}
	return true, nil
}

// lsnOf reads an LSN that crossed as text. NULL and the zero LSN are how SQL
// Server says that it has none, and neither is one here.
func lsnOf(v sql.NullString) (*lsn.LSN, error) {
	if !v.Valid {
		return nil, nil
	}
	l, err := lsn.Parse(v.String)
	if err != nil || l.IsZero() {
		return nil, err
	}
	return &l, nil
}
