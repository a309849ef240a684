package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// readSource reads who the server is, and the table with its capture instances.
func (b *builder) readSource(ctx context.Context) error {
	b.plan.Source = sourcePlan(b.session.identity)
	if err := b.readTable(ctx); err != nil {
		return err
	}
	b.check(b.leftOutComputed()...)
	b.check(otherInstances(b.table, b.plan.Table.Instance)...)
	b.check(b.session.onReplica()...)
	b.check(b.session.onTrust()...)
	return nil
}

func sourcePlan(id Identity) SourcePlan {
	return SourcePlan{
		Server: id.Server, Database: id.Database, DatabaseID: id.DatabaseID, Version: id.ProductVersion,
		Edition: id.Edition, ReadOnly: id.ReadOnly, Login: id.Login,
	}
}

// readTable finds the request's table and what the stream writes of it.
func (b *builder) readTable(ctx context.Context) error {
	table, instance, err := b.session.source.Table(ctx, b.request.Table)
	if err != nil {
		return err
	}
	return b.useTable(table, instance)
}

func (b *builder) useTable(table schema.Table, instance string) error {
	b.table, b.plan.Table = table, tablePlan(table, instance)
	columns, err := schema.TargetColumns(table.Instances)
	if err != nil {
		return err
	}
	for _, c := range columns {
		if c.Computed {
			b.computed = append(b.computed, c.Name)
			continue
		}
		b.captured = append(b.captured, c)
	}
	return nil
}

func (b *builder) leftOutComputed() []verdict.Check {
	if len(b.computed) == 0 {
		return nil
	}
	return []verdict.Check{verdict.Noted("computed columns are left out: "+strings.Join(b.computed, ", "),
		"CDC records no value for them, and the stream's schema leaves them out too.")}
}

// otherInstances notes, for each capture instance beside the configured one,
// what the stream finds there that the configured one has not, or the reverse.
func otherInstances(t schema.Table, configured string) []verdict.Check {
	var out []verdict.Check
	mine := instanceOf(t, configured)
	for _, in := range t.Instances {
		if len(t.Instances) == 1 || mine != nil && in.Name == mine.Name {
			continue
		}
		text := in.Name + " also captures this table"
		if mine != nil {
			text += columnsApart(in, *mine)
		}
		out = append(out, verdict.Noted(text, "The stream reads every capture instance of the table; rows are stamped with the configured one.",
			verdict.Facts("configured", configured, "created on the server's clock", in.Created)...))
	}
	return out
}

// instanceOf is the table's capture instance of that name, nil where it was dropped.
func instanceOf(t schema.Table, name string) *schema.Instance {
	for i := range t.Instances {
		if schema.SameName(t.Instances[i].Name, name) {
			return &t.Instances[i]
		}
	}
	return nil
}

// columnsApart says what an instance captures more and less than another.
func columnsApart(in, than schema.Instance) string {
	word := func(verb string, names []string) string {
		switch len(names) {
		case 0:
			return ""
		case 1:
			return fmt.Sprintf(" and %s column %s", verb, names[0])
		}
		return fmt.Sprintf(" and %s columns %s", verb, strings.Join(names, ", "))
	}
	return word("adds", without(in.Columns, than.Columns)) + word("lacks", without(than.Columns, in.Columns))
}

// without are the names of columns that others do not have.
func without(columns, others []schema.Column) []string {
	var out []string
	for _, c := range columns {
		if !slices.ContainsFunc(others, func(o schema.Column) bool { return schema.SameName(o.Name, c.Name) }) {
			out = append(out, c.Name)
		}
	}
	return out
}

func (s *Session) onReplica() []verdict.Check {
	if !s.identity.ReadOnly {
		return nil
	}
	return []verdict.Check{verdict.Noted("connected to a read-only replica", "Its newest captured commit may be behind the primary's.")}
}

func (s *Session) onTrust() []verdict.Check {
	if !s.trusted {
		return nil
	}
	return []verdict.Check{verdict.Warned(verdict.TrustsAnyServer, "the server's certificate was not checked",
		"Whoever answers at that address is believed, and got the password.")}
}

func tablePlan(t schema.Table, instance string) TablePlan {
	p := TablePlan{Schema: t.Schema, Name: t.Name, ObjectID: t.ObjectID, Instance: instance}
	for _, in := range t.Instances {
		p.Instances = append(p.Instances, InstancePlan{
			Name: in.Name, ObjectID: in.ObjectID, StartLSN: in.StartLSN, ColumnsHash: hashOf(in.Columns),
		})
	}
	return p
}

// instanceNames are the names under which the target may hold the table's
// snapshots: the configured one and those of all its instances.
func (t TablePlan) instanceNames() []string {
	names := []string{t.Instance}
	for _, in := range t.Instances {
		if !slices.Contains(names, in.Name) {
			names = append(names, in.Name)
		}
	}
	return names
}
