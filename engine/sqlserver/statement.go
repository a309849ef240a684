package sqlserver

import (
	"context"
	"database/sql"
	"embed"
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
	err := s.retry(ctx, func() error {
		rows, err := s.db.QueryContext(ctx, statement(name), args...)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }() // what it answers beyond rows.Err matters to nobody: rows were read
		if err := use(rows); err != nil {
			return err
		}
		return rows.Err()
	})
	if err != nil {
		return s.refusal(ctx, "read "+name, err)
	}
	return nil
}

// row reads one row into dest and reports whether there was one.
func (s *Source) row(ctx context.Context, name string, dest []any, args ...any) (found bool, err error) {
	err = s.read(ctx, name, func(rows *sql.Rows) error {
		found = rows.Next()
		if !found {
			return nil
		}
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		for rows.Next() { // to the end, or closing would interrupt the server
		}
		return nil
	}, args...)
	return found && err == nil, err
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
