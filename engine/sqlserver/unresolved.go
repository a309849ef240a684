package sqlserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// unresolved tells why a name is that of no table which can be seeded, as far as
// the catalogue shows it: captured but not for this login, there but not
// captured, or not there at all.
func (s *Source) unresolved(ctx context.Context, name string, err error) error {
	refusal := verdict.As(err)
	if refusal.Code != verdict.NoInstance || validName(name) != nil {
		return err
	}
	_, _, hidden, readErr := s.Tracked(ctx, name)
	if readErr != nil {
		return readErr
	}
	if hidden {
		return &verdict.Error{
			Code:  verdict.SourceDenied,
			What:  fmt.Sprintf("%q is captured, but this login may not use the capture instance", name),
			Facts: verdict.Facts("user", s.options.User),
			Hint: []string{"Grant the login SELECT on all captured columns of the table, and membership in the gating role if the instance has one: " +
				"EXEC sys.sp_cdc_help_change_data_capture shows both to an owner."},
		}
	}
	seen, readErr := s.uncaptured(ctx)
	if readErr != nil {
		return readErr
	}
	if i := slices.IndexFunc(seen, func(t schema.Table) bool { return calls(name, t.Schema, t.Name) }); i >= 0 {
		return notCaptured(seen[i], name)
	}
	rights, readErr := s.Rights(ctx)
	if readErr != nil {
		return readErr
	}
	if !rights.Owner {
		return err
	}
	e := *refusal
	e.What = fmt.Sprintf("the database has no table and no capture instance called %q", name)
	e.Why = "This login is a db_owner and sees every one."
	e.Hint = []string{"Look at the spelling and at --database: cdcseed tables lists what is captured."}
	return &e
}

// notCaptured is the refusal of a table that the login sees and nothing captures.
func notCaptured(t schema.Table, asked string) error {
	quoted := func(s string) string { return "N'" + strings.ReplaceAll(s, "'", "''") + "'" }
	e := &verdict.Error{
		Code: verdict.NoInstance,
		What: fmt.Sprintf("%s is there and is not captured: it has no capture instance", t),
		Why:  "CDC keeps changes of captured tables only, and only from when they were captured on.",
		Hint: []string{
			fmt.Sprintf("Let a db_owner run: EXEC sys.sp_cdc_enable_table @source_schema=%s, @source_name=%s, @role_name=NULL", quoted(t.Schema), quoted(t.Name)),
			"Then take the copy: one that began before cannot be seeded.",
		},
	}
	if !isTableName(asked, t.Schema, t.Name) { // an instance of that name may have been there
		e.Facts = verdict.Facts("asked for", asked)
	}
	return e
}

// calls reports whether name is what a user may call a table: schema.table, or
// schema_table as an instance of it is named unless told otherwise.
func calls(name, sch, table string) bool {
	return schema.SameName(sch+"_"+table, name) || isTableName(name, sch, table)
}
