package fakeserver

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"
)

// addDatabase checks a database's description and makes it so.
func (h *host) addDatabase(w *Database, path string) error {
	if w.Name == "" {
		return at(path+".name", "a name is needed")
	}
	if h.database(w.Name) != nil {
		return at(path+".name", "there is a database %q already", w.Name)
	}
	d := &database{
		name: w.Name, id: int64(len(h.databases) + 1), collation: w.Collation, compat: int64(w.CompatibilityLevel),
		cdc: w.CDC, offline: w.Offline, snapshot: w.Snapshot, captureStopped: w.CaptureStopped,
		polling: time.Duration(w.PollingSeconds) * time.Second, roles: w.Roles, lastRowVersion: 2000, nextObject: 565577053,
	}
	if h.azure() {
		d.id += 3
	}
	if d.collation == "" {
		d.collation = defaultCollation
	}
	if d.compat == 0 {
		d.compat = int64(10 * h.major)
	}
	if !w.CDC && (len(w.Instances) > 0 || len(w.Mapping) > 0 || w.Cleanup != nil || w.CaptureStopped || w.PollingSeconds != 0 || len(w.DDL) > 0 || len(w.CaptureErrors) > 0) {
		return at(path+".cdc", "capture instances, mapping rows and jobs need cdc true")
	}
	if w.PollingSeconds < 0 || w.PollingSeconds > 86_399 {
		return at(path+".capture_polling_seconds", "%d is not 0 to 86399", w.PollingSeconds)
	}
	if h.settings.AgentStopped && w.CDC && !w.CaptureStopped {
		return at(path+".capture_stopped", "true is needed while the server's agent_stopped is")
	}
	if err := d.addScanErrors(w.CaptureErrors, path+".capture_errors"); err != nil {
		return err
	}
	if w.Cleanup != nil {
		job := *w.Cleanup
		if job.Threshold == 0 {
			job.Threshold = 5000
		}
		if job.RetentionMinutes <= 0 || job.RetentionMinutes > 52494800 {
			return at(path+".cleanup.retention_minutes", "%d is not 1 to 52494800", job.RetentionMinutes)
		}
		d.cleanup = &job
	}
	for i, a := range w.Types {
		if err := d.addAlias(a, fmt.Sprintf("%s.types[%d]", path, i)); err != nil {
			return err
		}
	}
	for i := range w.Tables {
		if err := d.addTable(&w.Tables[i], fmt.Sprintf("%s.tables[%d]", path, i)); err != nil {
			return err
		}
	}
	for i, in := range w.Instances {
		if _, err := d.addInstance(in, fmt.Sprintf("%s.capture_instances[%d]", path, i)); err != nil {
			return err
		}
	}
	if err := d.load(w, path); err != nil {
		return err
	}
	h.databases = append(h.databases, d)
	return nil
}

func (d *database) addTable(w *Table, path string) error {
	schema := w.Schema
	if schema == "" {
		schema = "dbo"
	}
	if w.Name == "" {
		return at(path+".name", "a name is needed")
	}
	switch strings.ToLower(schema) {
	case "sys", "cdc", "information_schema":
		return at(path+".schema", "%s is the server's own", schema)
	}
	if d.table(schema, w.Name) != nil {
		return at(path+".name", "there is a table %s.%s already", schema, w.Name)
	}
	t := &table{schema: schema, name: w.Name, id: d.newObject()}
	for i, c := range w.Columns {
		if err := d.addColumn(t, c, fmt.Sprintf("%s.columns[%d]", path, i)); err != nil {
			return err
		}
	}
	if len(t.columns) == 0 {
		return at(path+".columns", "at least one is needed")
	}
	for i, c := range w.Columns {
		if c.Computed == "" {
			continue
		}
		p, err := parseProduct(c.Computed, t)
		if err != nil {
			return at(fmt.Sprintf("%s.columns[%d].computed", path, i), "%v", err)
		}
		t.columns[i].computed = p
	}
	for i, name := range w.PrimaryKey {
		k := t.column(name)
		if k < 0 || t.columns[k].nullable {
			return at(fmt.Sprintf("%s.primary_key[%d]", path, i), "%q is not a column that is not nullable", name)
		}
		t.key = append(t.key, k)
	}
	d.tables = append(d.tables, t)
	return d.fill(t, w, path)
}

func (d *database) addColumn(t *table, w Column, path string) error {
	if w.Name == "" {
		return at(path+".name", "a name is needed")
	}
	if t.column(w.Name) >= 0 {
		return at(path+".name", "there is a column %q already", w.Name)
	}
	typ, alias, err := d.columnType(w.Type)
	if err != nil {
		return at(path+".type", "%v", err)
	}
	c := &column{name: w.Name, id: w.ID, typ: typ, alias: alias, nullable: w.Nullable, identity: w.Identity}
	c.padded = w.AnsiPadded == nil || *w.AnsiPadded
	last := 0
	if n := len(t.columns); n > 0 {
		last = t.columns[n-1].id
	}
	if c.id == 0 {
		c.id = last + 1
	}
	if c.id <= last {
		return at(path+".column_id", "%d does not follow %d", c.id, last)
	}
	if w.Computed != "" {
		switch typ.name {
		case "tinyint", "smallint", "int", "bigint", "decimal", "numeric", "money", "smallmoney":
		default:
			return at(path+".computed", "a computed column is an exact number, not %s", typ)
		}
	}
	t.columns = append(t.columns, c)
	return nil
}

// fill gives a table its first rows.
func (d *database) fill(t *table, w *Table, path string) error {
	if w.Generate != nil && len(w.Rows) > 0 {
		return at(path+".generate", "rows are given already")
	}
	t.at = map[string]int{}
	put := func(row []any, path string) error {
		if err := d.complete(t, row, path); err != nil {
			return err
		}
		k := t.keyText(row)
		if _, ok := t.at[k]; ok && len(t.key) > 0 {
			return at(path, "table %s.%s already has this key", t.schema, t.name)
		}
		t.at[k] = len(t.rows)
		t.rows = append(t.rows, row)
		return nil
	}
	if w.Generate != nil {
		return t.generate(*w.Generate, path+".generate", put)
	}
	for i, raw := range w.Rows {
		p := fmt.Sprintf("%s.rows[%d]", path, i)
		row, err := t.rowFrom(raw, p)
		if err != nil {
			return err
		}
		if err := put(row, p); err != nil {
			return err
		}
	}
	return nil
}

// addInstance makes a capture instance; a third one for a table is refused.
func (d *database) addInstance(w Instance, path string) (*instance, error) {
	if w.Name == "" || len([]rune(w.Name)) > 100 {
		return nil, at(path+".name", "a name of 1 to 100 characters is needed")
	}
	if !d.freeInstanceName(w.Name) {
		return nil, at(path+".name", "there is a capture instance %q already", w.Name)
	}
	t := d.tableByText(w.Table)
	if t == nil {
		return nil, at(path+".table", "there is no table %q", w.Table)
	}
	if len(d.instancesOf(t)) == 2 {
		return nil, at(path+".table", "%w", errTwoInstances(t))
	}
	in := &instance{name: w.Name, table: t, id: d.newObject(), role: w.Role, netChanges: w.NetChanges, start: w.Start}
	var err error
	if in.created, err = localTime(w.Created); err != nil {
		return nil, at(path+".created", "%v", err)
	}
	if w.NetChanges && len(t.key) == 0 {
		return nil, at(path+".supports_net_changes", "table %q has no primary key", w.Table)
	}
	for i, name := range w.Columns {
		c := t.column(name)
		if c < 0 {
			return nil, at(fmt.Sprintf("%s.columns[%d]", path, i), "table %q has no column %q", w.Table, name)
		}
		in.columns = append(in.columns, c)
	}
	sort.Ints(in.columns)
	for i := 1; i < len(in.columns); i++ {
		if in.columns[i] == in.columns[i-1] {
			return nil, at(path+".columns", "column %q is given twice", t.columns[in.columns[i]].name)
		}
	}
	for i := range t.columns {
		if len(w.Columns) == 0 {
			in.columns = append(in.columns, i)
		}
	}
	for _, k := range t.key {
		if w.NetChanges && !slices.Contains(in.columns, k) {
			return nil, at(path+".columns", "net changes need the key column %q", t.columns[k].name)
		}
	}
	d.instances = append(d.instances, in)
	return in, nil
}

// freeInstanceName compares names exactly: a case-sensitive database has
// instances whose names differ only in case, and clients meet them.
func (d *database) freeInstanceName(name string) bool {
	for _, i := range d.instances {
		if i.name == name {
			return false
		}
	}
	return true
}
