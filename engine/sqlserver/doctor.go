package sqlserver

import (
	"context"
	"database/sql"
	"slices"

	"cdcseed/engine/asof"
	"cdcseed/engine/clock"
)

// Connection is how the server was reached, without what is secret of it.
type Connection struct {
	Encrypt Encrypt
	SignIn  SignIn // empty for a SQL login or the operating system's sign-on
	User    string // empty for the operating system's sign-on
}

// Connection tells how the source is connected.
func (s *Source) Connection() Connection {
	return Connection{Encrypt: s.options.Encrypt, SignIn: s.options.SignIn, User: s.options.User}
}

// Encrypted reports whether what is sent is.
func (c Connection) Encrypted() bool { return c.Encrypt != encryptNone }

// Denied reports whether err is the server's answer that the login may not do
// or see what was asked.
func Denied(err error) bool {
	return anyNumber(err, 229, 230, 262, 297, 300, 916, 15247, 22902, 22904, 22981)
}

// Absent reports whether err is the server's answer that it has no such view,
// procedure or database: an edition without it, or a version before it.
func Absent(err error) bool { return anyNumber(err, 207, 208, 911, 2812, 40515) }

func anyNumber(err error, of ...int32) bool {
	return slices.ContainsFunc(numbers(err), func(n int32) bool { return slices.Contains(of, n) })
}

// Rights are what a login may do in the database beyond one table.
type Rights struct {
	User          string // the name that grants go to
	Owner         bool   // db_owner
	DatabaseState bool   // VIEW DATABASE STATE
	ServerState   bool   // VIEW SERVER STATE
}

// Rights asks what the login may do. None of it is needed for a seed.
func (s *Source) Rights(ctx context.Context) (Rights, error) {
	var user sql.NullString
	var owner, database, server sql.NullBool
	_, err := s.row(ctx, "login_rights", []any{&user, &owner, &database, &server})
	return Rights{user.String, owner.Bool, database.Bool, server.Bool}, err
}

// ColumnRight is a column of a source table, and whether the login may read it.
type ColumnRight struct {
	Name    string
	MayRead bool
}

// ColumnRights lists the columns of a table that the catalogue shows the login:
// none where it has no right on the table at all.
func (s *Source) ColumnRights(ctx context.Context, sch, table string) (out []ColumnRight, err error) {
	err = s.read(ctx, "column_rights", func(rows *sql.Rows) error {
		out = nil
		for rows.Next() {
			var name string
			var may sql.NullBool
			if err := rows.Scan(&name, &may); err != nil {
				return err
			}
			out = append(out, ColumnRight{name, may.Bool})
		}
		return nil
	}, text("schema", sch), text("table", table))
	return out, err
}

// MayReadChanges reports whether the login may read an instance's change table,
// which the stream does and a seed does not.
func (s *Source) MayReadChanges(ctx context.Context, instance string) (bool, error) {
	var may sql.NullBool
	_, err := s.row(ctx, "change_table_rights", []any{&may}, text("instance", instance))
	return may.Bool, err
}

// InRole reports whether the login is a member of a database role.
func (s *Source) InRole(ctx context.Context, role string) (bool, error) {
	var member sql.NullBool
	_, err := s.row(ctx, "role_member", []any{&member}, text("role", role))
	return member.Bool, err
}

// Tracked finds a table that is captured, whether the login may use its capture
// instances or not, by what the user calls it; false where the catalogue does
// not show one.
func (s *Source) Tracked(ctx context.Context, name string) (sch, table string, found bool, err error) {
	err = s.read(ctx, "tracked_tables", func(rows *sql.Rows) error {
		found = false
		for rows.Next() {
			var inSchema, called string
			if err := rows.Scan(&inSchema, &called); err != nil {
				return err
			}
			if calls(name, inSchema, called) {
				sch, table, found = inSchema, called, true
			}
		}
		return nil
	})
	return sch, table, found, err
}

// EarliestAsOf is the earliest time as_of that maps to a position whose changes
// an instance still keeps; nil where it cannot be told.
func (s *Source) EarliestAsOf(ctx context.Context, c asof.Clock, instance string) (*clock.Instant, error) {
	return s.earliest(ctx, c, instance)
}
