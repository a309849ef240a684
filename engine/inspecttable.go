package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cdcseed/engine/clock"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// InspectTable finds the table that name means, as planning does, with what a
// person should know before seeding it. Refusals: those of
// sqlserver.Source.Table and of schema.TargetColumns.
func (s *Session) InspectTable(ctx context.Context, name string) (TableView, error) {
	v, err := s.inspectTable(ctx, name)
	return v, stoppedInspecting(ctx, err)
}

func (s *Session) inspectTable(ctx context.Context, name string) (TableView, error) {
	b := s.inspection(Request{Table: name})
	if err := b.readTable(ctx); err != nil {
		return TableView{}, err
	}
	v := TableView{Table: b.table, Instance: b.plan.Table.Instance, Checks: []verdict.Check{}}
	mine := instanceOf(v.Table, v.Instance)
	if mine == nil { // dropped since the stream was configured with it
		mine = &v.Table.Instances[len(v.Table.Instances)-1]
	}
	v.Key = keyOf(*mine)
	now, err := s.source.Clock(ctx, s.zone)
	if err != nil && !errors.Is(err, verdict.ZoneUnknown) { // told when as_of is asked for
		return v, err
	}
	v.Checks = append(v.Checks, otherInstances(v.Table, v.Instance)...)
	v.Checks = append(v.Checks, startedLately(v.Table, now.Wall)...)
	v.Checks = append(v.Checks, noKey(*mine)...)
	v.Checks = append(v.Checks, b.leftOutComputed()...)
	v.Checks = append(v.Checks, largeObjects(b.captured)...)
	return v, nil
}

// Uncaptured lists the user tables that have no capture instance, as
// schema.table in order: those that the login may see.
func (s *Session) Uncaptured(ctx context.Context) ([]string, error) {
	names, err := s.source.Uncaptured(ctx)
	return names, stoppedInspecting(ctx, err)
}

// keyOf are the columns of an instance's unique index with their types.
func keyOf(in schema.Instance) []string {
	out := []string{}
	for _, name := range in.Key {
		i := slices.IndexFunc(in.Columns, func(c schema.Column) bool { return schema.SameName(c.Name, name) })
		if i >= 0 {
			name += " " + in.Columns[i].Type.String()
		}
		out = append(out, name)
	}
	return out
}

func noKey(in schema.Instance) []verdict.Check {
	if len(in.Key) > 0 {
		return nil
	}
	return []verdict.Check{verdict.Noted("no unique index is captured: a row that is there twice cannot be told from two rows",
		"Whatever reads the target has no key to join changes to rows by.")}
}

// lately is how long a capture instance is new to people whose copy may be older.
const lately = 7 * 24 * time.Hour

// startedLately notes that the newest instance is younger than a copy may be.
// now is the server's clock, 0 where it is not known.
func startedLately(t schema.Table, now clock.Local) []verdict.Check {
	in := t.Instances[len(t.Instances)-1]
	age := now.Sub(in.Created)
	if now == 0 || age < 0 || age > lately {
		return nil
	}
	why := "A copy that started before it cannot be seeded: changes between are in no change table."
	if len(t.Instances) > 1 {
		why = "A copy that started before it is read on from the older instance, as long as that one is there."
	}
	return []verdict.Check{verdict.Noted(fmt.Sprintf("%s captures since %s on the server's clock only, %s ago", in.Name, in.Created.FloorSecond(), words(age)), why)}
}

// largeObjects notes columns of which SQL Server logs a value only when it changes.
func largeObjects(columns []schema.TargetColumn) []verdict.Check {
	var names []string
	for _, c := range columns {
		if isLarge(c.SQL) {
			names = append(names, c.Name+" "+c.SQL.String())
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []verdict.Check{verdict.Noted(strings.Join(names, ", ")+": before-images hold NULL unless the column changed",
		"The seed holds the values themselves; the rule is the change rows', and the stream's.")}
}

func isLarge(t schema.SQLType) bool {
	switch t.Name {
	case "text", "ntext", "image", "xml":
		return true
	case "varchar", "nvarchar", "varbinary":
		return t.Length < 0
	}
	return false
}
