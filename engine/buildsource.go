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
	id := b.session.identity
	b.plan.Source = SourcePlan{
		Server: id.Server, Database: id.Database, DatabaseID: id.DatabaseID, Version: id.ProductVersion,
		Edition: id.Edition, ReadOnly: id.ReadOnly, Login: id.Login,
	}
	table, instance, err := b.session.source.Table(ctx, b.request.Table)
	if err != nil {
		return err
	}
	b.table = table
	b.plan.Table = tablePlan(table, instance)
	columns, err := schema.TargetColumns(table.Instances)
	if err != nil {
		return err
	}
	var computed []string
	for _, c := range columns {
		if c.Computed {
			computed = append(computed, c.Name)
			continue
		}
		b.captured = append(b.captured, c)
	}
	if len(computed) > 0 {
		b.check(verdict.Noted("computed columns are left out: "+strings.Join(computed, ", "),
			"CDC records no value for them, and the stream's schema leaves them out too."))
	}
	if len(table.Instances) > 1 {
		b.check(verdict.Noted(fmt.Sprintf("the table has %d capture instances; the stream reads them all", len(table.Instances)),
			"Rows are stamped with the configured one.", verdict.Facts("configured", instance)...))
	}
	if id.ReadOnly {
		b.check(verdict.Noted("connected to a read-only replica", "Its newest captured commit may be behind the primary's."))
	}
	if b.session.trusted {
		b.check(verdict.Warned(verdict.TrustsAnyServer, "the server's certificate was not checked",
			"Whoever answers at that address is believed, and got the password."))
	}
	return nil
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
