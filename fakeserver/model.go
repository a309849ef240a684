package fakeserver

import (
	"fmt"
	"strings"
	"time"
)

// database is a database as it stands now.
type database struct {
	name, collation string
	id              int64
	compat          int64
	system          bool // master, tempdb, model, msdb
	cdc, offline    bool
	snapshot        bool
	captureStopped  bool
	roles           []string
	cleanup         *CleanupJob
	aliases         []*aliasType
	tables          []*table
	instances       []*instance
	mapping         []entry  // in LSN order
	history         []commit // every commit ever, in LSN order: what Rows undoes
	waiting         []commit // committed, not yet captured
	polling         time.Duration
	nextScan        time.Duration // by the clock's uptime; 0 when nothing waits for one
	ddl             []ddlRow
	scanErrors      []scanError
	lastRowVersion  uint64
	lastLSN         LSN
	nextObject      int64
}

// table is a user table; its rows are replaced, never changed in place, so
// that a reader may keep them.
type table struct {
	schema, name string
	id           int64
	columns      []*column
	key          []int // positions of the primary key's columns
	rows         [][]any
	at           map[string]int // key text to position in rows
}

type column struct {
	name     string
	id       int // sys.columns.column_id
	typ      dataType
	alias    *aliasType // nil for a column of a system type
	nullable bool
	identity bool
	padded   bool
	computed *product
}

type instance struct {
	name       string
	table      *table
	id         int64
	columns    []int
	start      *LSN // nil until capture has seen the enable
	enabled    LSN  // what start will be, while it is nil
	created    time.Time
	role       string
	netChanges bool
	changes    []changeRow
}

// entry is a row of cdc.lsn_time_mapping.
type entry struct {
	lsn        LSN
	begin, end time.Time // datetime on the server's clock
	idle       bool
}

type commit struct {
	entry
	edits []edit
}

// changeRow is a row of a change table, captured columns only.
type changeRow struct {
	lsn, seq LSN
	op       int64 // 1 delete, 2 insert, 3 before, 4 after an update
	mask     []byte
	row      []any
	command  int64
}

type ddlRow struct {
	instance *instance
	lsn      LSN
	at       time.Time
	command  string
	required bool
}

func (d *database) table(schema, name string) *table {
	for _, t := range d.tables {
		if strings.EqualFold(t.schema, schema) && strings.EqualFold(t.name, name) {
			return t
		}
	}
	return nil
}

// tableByText finds a table by "schema.name", or by its name in dbo.
func (d *database) tableByText(text string) *table {
	schema, name, ok := strings.Cut(text, ".")
	if !ok {
		schema, name = "dbo", text
	}
	return d.table(schema, name)
}

// instance finds a capture instance, by its exact name first: in a
// case-sensitive database two names may differ in case only.
func (d *database) instance(name string) *instance {
	for _, i := range d.instances {
		if i.name == name {
			return i
		}
	}
	for _, i := range d.instances {
		if strings.EqualFold(i.name, name) {
			return i
		}
	}
	return nil
}

func (d *database) instancesOf(t *table) (out []*instance) {
	for _, i := range d.instances {
		if i.table == t {
			out = append(out, i)
		}
	}
	return out
}

// schemas lists the schemas in use, in the order of their ids.
func (d *database) schemas() []string {
	out := []string{"dbo"}
	add := func(name string) {
		for _, s := range out {
			if strings.EqualFold(s, name) {
				return
			}
		}
		out = append(out, name)
	}
	for _, t := range d.tables {
		add(t.schema)
	}
	for _, a := range d.aliases {
		add(a.schema)
	}
	if d.cdc {
		add("cdc")
	}
	return out
}

// schemaID is the id of a schema: dbo has 1, sys 4, the others follow.
func (d *database) schemaID(name string) int64 {
	if strings.EqualFold(name, "sys") {
		return 4
	}
	for i, s := range d.schemas() {
		if strings.EqualFold(s, name) {
			if i == 0 {
				return 1
			}
			return int64(4 + i)
		}
	}
	return 0
}

func (d *database) newObject() int64 {
	d.nextObject += 16
	return d.nextObject
}

func (t *table) column(name string) int {
	for i, c := range t.columns {
		if strings.EqualFold(c.name, name) {
			return i
		}
	}
	return -1
}

// keyText tells rows apart by their primary key; without one, by everything.
func (t *table) keyText(row []any) string {
	var b strings.Builder
	if len(t.key) == 0 {
		for _, v := range row {
			fmt.Fprintf(&b, "%T%v\x00", v, v)
		}
		return b.String()
	}
	for _, k := range t.key {
		v := row[k]
		if s, ok := v.(string); ok { // the default collation: neither case nor trailing blanks count
			v = strings.ToLower(strings.TrimRight(s, " "))
		}
		fmt.Fprintf(&b, "%v\x00", v)
	}
	return b.String()
}

func (t *table) primaryKeyName() string { return "PK_" + t.name }

// reindex rebuilds the look-up of rows by key after positions have moved.
func (t *table) reindex() {
	t.at = make(map[string]int, len(t.rows))
	for i, r := range t.rows {
		t.at[t.keyText(r)] = i
	}
}

// maxLSN is what sys.fn_cdc_get_max_lsn answers: nil when nothing is captured.
func (d *database) maxLSN() *LSN {
	if len(d.mapping) == 0 {
		return nil
	}
	l := d.mapping[len(d.mapping)-1].lsn
	return &l
}
