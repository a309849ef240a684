package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine/schema"
	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// lookAtRights tells one by one what the login may do: what a seed needs, what
// the stream needs beside it, and what only tells more.
func (d *doctor) lookAtRights(ctx context.Context) []Finding {
	if d.session == nil {
		return nil
	}
	var found []Finding
	var err error
	d.rights, err = ask(ctx, d, "the login's rights", d.session.source.Rights)
	if err != nil {
		found = append(found, stops(err))
		d.rights.User = d.session.identity.Login
	} else {
		found = append(found, finds(verdict.Okay(fmt.Sprintf("connect to %s, as user %s", d.session.identity.Database, d.rights.User),
			verdict.Facts("db_owner", yes(d.rights.Owner), "VIEW DATABASE STATE", yes(d.rights.DatabaseState), "VIEW SERVER STATE", yes(d.rights.ServerState))...))...)
	}
	if d.on {
		found = append(found, d.usable(ctx)...)
	}
	inMsdb := slices.ContainsFunc(d.reads, func(o optionalRead) bool { return o.err == nil && strings.HasPrefix(o.name, "msdb.") })
	for _, o := range d.reads {
		if inMsdb { // then the login has its user there
			o.grant = strings.Replace(o.grant, " "+msdbUser, "", 1)
		}
		found = append(found, o.finding(d.rights.User, d.session.identity.Login))
	}
	return found
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// usable tells which capture instances the login may use, and of the table that
// was named, what it may read or lacks.
func (d *doctor) usable(ctx context.Context) []Finding {
	tables, err := ask(ctx, d, "the captured tables", d.session.source.Tables)
	if err != nil {
		return []Finding{stops(err)}
	}
	d.tables = tables
	instances := 0
	for _, t := range tables {
		instances += len(t.Instances)
	}
	c := verdict.Okay(fmt.Sprintf("use %s of %s", verdict.Plural(instances, "capture instance", "capture instances"), verdict.Plural(len(tables), "table", "tables")))
	if d.request.Table == "" {
		if len(tables) == 0 {
			return []Finding{noTables(d.rights.User)}
		}
		return finds(c)
	}
	if len(tables) == 0 {
		c = verdict.Noted("no capture instance may be used by this login", "")
	}
	found := finds(c)
	view, err := ask(ctx, d, "the table "+d.request.Table, func(ctx context.Context) (TableView, error) {
		return d.session.InspectTable(ctx, d.request.Table)
	})
	if err != nil {
		d.noTable = err
		return append(found, d.lacking(ctx)...)
	}
	d.table = &view
	return append(found, d.mayUse(ctx, view.Table)...)
}

func noTables(user string) Finding {
	f := advised(verdict.Check{
		Level: verdict.Stop, Text: "no captured table may be used by this login",
		Why: "CDC hides an instance from a login that lacks SELECT on its captured columns or membership in its gating role.",
	},
		"Let an owner grant it for the table to be seeded: GRANT SELECT ON [schema].[table] TO "+bracket(user)+";",
		"If nothing is captured here yet, an owner turns it on: EXEC sys.sp_cdc_enable_table.")
	f.Cause = verdict.NoInstance
	return f
}

// lacking tells what the login has not got of a table that it named and may not use.
func (d *doctor) lacking(ctx context.Context) []Finding {
	if !errors.Is(d.noTable, verdict.SourceDenied) && !errors.Is(d.noTable, verdict.NoInstance) {
		return nil // the refusal itself says why, where the tables are told
	}
	type tracked struct {
		sch, name string
		found     bool
	}
	t, err := ask(ctx, d, "whether the table is captured", func(ctx context.Context) (tracked, error) {
		sch, name, found, err := d.session.source.Tracked(ctx, d.request.Table)
		return tracked{sch, name, found}, err
	})
	if err != nil || !t.found {
		return nil
	}
	columns, err := ask(ctx, d, "rights on columns", func(ctx context.Context) ([]sqlserver.ColumnRight, error) {
		return d.session.source.ColumnRights(ctx, t.sch, t.name)
	})
	if err != nil {
		return []Finding{stops(err)}
	}
	var without []string
	for _, c := range columns {
		if !c.MayRead {
			without = append(without, c.Name)
		}
	}
	table, user := bracket(t.sch)+"."+bracket(t.name), bracket(d.rights.User)
	if len(without) == 0 && len(columns) > 0 {
		return denied(fmt.Sprintf("SELECT on every column of %s.%s is there, so it is the gating role that is missing", t.sch, t.name), nil,
			"Let an owner look the role up with EXEC sys.sp_cdc_help_change_data_capture and run: ALTER ROLE [the role] ADD MEMBER "+user+";")
	}
	return denied(fmt.Sprintf("SELECT is missing on %d of the %d columns of %s.%s", len(without), len(columns), t.sch, t.name),
		verdict.Facts("missing on", strings.Join(without, ", ")),
		"Let an owner run: GRANT SELECT ON "+table+" TO "+user+";",
		"SELECT on the captured columns alone is enough: EXEC sys.sp_cdc_help_change_data_capture lists them to an owner.")
}

func denied(text string, facts []verdict.Fact, do ...string) []Finding {
	f := advised(verdict.Check{
		Level: verdict.Stop, Text: text, Facts: facts, Why: "CDC shows an instance to those only who may read all its captured columns and are in its gating role.",
	}, do...)
	f.Cause = verdict.SourceDenied
	return []Finding{f}
}

// mayUse tells the rights on each instance of a table that the login may use.
func (d *doctor) mayUse(ctx context.Context, t Table) []Finding {
	columns, err := ask(ctx, d, "rights on columns", func(ctx context.Context) ([]sqlserver.ColumnRight, error) {
		return d.session.source.ColumnRights(ctx, t.Schema, t.Name)
	})
	if err != nil {
		return []Finding{stops(err)}
	}
	var found []Finding
	for _, in := range t.Instances {
		for _, f := range []Finding{mayRead(t, in, columns), d.gate(ctx, in), d.changes(ctx, in)} {
			f.About = in.Name
			found = append(found, f)
		}
	}
	return found
}

func mayRead(t Table, in schema.Instance, columns []sqlserver.ColumnRight) Finding {
	may := func(name string) bool {
		return slices.ContainsFunc(columns, func(c sqlserver.ColumnRight) bool { return c.MayRead && schema.SameName(c.Name, name) })
	}
	var without []string
	for _, c := range in.Columns {
		if !may(c.Name) {
			without = append(without, c.Name)
		}
	}
	if len(without) == 0 {
		return Finding{Check: verdict.Okay(fmt.Sprintf("SELECT on all %s of %s that %s captures", verdict.Plural(len(in.Columns), "column", "columns"), t, in.Name))}
	}
	return Finding{Check: verdict.Noted(fmt.Sprintf("%s captures columns of %s that are gone, renamed or not to be read by this login: %s", in.Name, t, strings.Join(without, ", ")),
		"The instance is shown to the login all the same.")}
}

func (d *doctor) gate(ctx context.Context, in schema.Instance) Finding {
	if in.Role == "" {
		return Finding{Check: verdict.Okay(in.Name + " has no gating role")}
	}
	member, err := ask(ctx, d, "the gating role "+in.Role, func(ctx context.Context) (bool, error) {
		return d.session.source.InRole(ctx, in.Role)
	})
	switch {
	case err != nil:
		return Finding{Check: verdict.Noted(stops(err).Text, "The instance is shown to the login all the same.")}
	case member:
		return Finding{Check: verdict.Okay(fmt.Sprintf("member of %s, the gating role of %s", in.Role, in.Name))}
	}
	return Finding{Check: verdict.Okay(fmt.Sprintf("no member of %s, the gating role of %s, and not held to it", in.Role, in.Name))}
}

func (d *doctor) changes(ctx context.Context, in schema.Instance) Finding {
	may, err := ask(ctx, d, "the change table of "+in.Name, func(ctx context.Context) (bool, error) {
		return d.session.source.MayReadChanges(ctx, in.Name)
	})
	changes := bracket("cdc") + "." + bracket(in.Name+"_CT")
	switch {
	case err != nil:
		return Finding{Check: verdict.Noted(stops(err).Text, "The stream reads it; a seed does not.")}
	case may:
		return Finding{Check: verdict.Okay("SELECT on the change table of " + in.Name + ", which the stream reads")}
	}
	return advised(verdict.Noted("this login may not read the change table of "+in.Name, "The stream does, with a login of its own or this one; a seed does not."),
		"If the stream uses this login, an owner runs: GRANT SELECT ON "+changes+" TO "+bracket(d.rights.User)+";")
}
