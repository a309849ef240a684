package fakeserver

import (
	"context"
	"strings"

	"cdcseed/fakeserver/tds"
	"cdcseed/fakeserver/tsql"
)

// view is a table of the system: its columns as text, and its rows for one
// session in one database.
type view struct {
	columns string
	wire    []tds.Column // instead of columns, where they are not fixed
	rows    func(s *session, d *database) [][]any
	denied  func(s *session, d *database) error // nil: everybody may read it
}

// place is what a name of one to three parts means.
type place struct {
	db           *database
	schema, name string
	written      string
}

// locate resolves a name's database and schema. The caller holds the lock.
func (s *session) locate(n tsql.Name) (place, error) {
	p := place{db: s.db, schema: "dbo", written: strings.Join(n, ".")}
	switch len(n) {
	case 0:
		return p, errNoObject(p)
	case 4:
		return p, tsql.Errorf(7202, 11, "Could not find server '%s' in sys.servers. Verify that the correct server name was specified. If necessary, execute the stored procedure sp_addlinkedserver to add the server to sys.servers.", n[0])
	}
	p.name = n[len(n)-1]
	if len(n) >= 2 && n[len(n)-2] != "" {
		p.schema = n[len(n)-2]
	}
	if len(n) < 3 {
		return p, nil
	}
	if s.srv.host.azure() && !strings.EqualFold(n[0], s.db.name) {
		return p, tsql.Errorf(40515, 15, "Reference to database and/or server name in '%s' is not supported in this version of SQL Server.", p.written)
	}
	if s.srv.host.database(n[0]) == nil {
		return p, errNoObject(p)
	}
	var err error
	p.db, err = s.enter(n[0])
	return p, err
}

func errNoObject(p place) *tds.Error {
	return tsql.Errorf(208, 16, "Invalid object name '%s'.", p.written)
}

// Table binds a table or view.
func (s *session) Table(n tsql.Name) (*tsql.Relation, error) {
	s.srv.lock()
	defer s.srv.mu.Unlock()
	p, err := s.locate(n)
	if err != nil {
		return nil, err
	}
	if t := p.db.table(p.schema, p.name); t != nil {
		if !s.mayReadAny(p.db, t) {
			return nil, errNoSelect(p.db, t.schema, t.name)
		}
		return s.tableRelation(p.db, t), nil
	}
	v := s.viewAt(p)
	if v == nil {
		if err := unplayedObject(p); err != nil {
			return nil, err
		}
		return nil, errNoObject(p)
	}
	if v.denied != nil {
		if err := v.denied(s, p.db); err != nil {
			return nil, err
		}
	}
	cs := v.wire
	if cs == nil {
		cs = columnsOf(v.columns)
	}
	r := &tsql.Relation{Columns: cs, Rows: func(context.Context) ([][]any, error) {
		s.srv.lock()
		defer s.srv.mu.Unlock()
		return v.rows(s, p.db), nil
	}}
	if strings.EqualFold(p.schema, "cdc") { // tables like any other, where catalogue views are not
		r.Unversioned = p.db.unversioned()
	}
	return r, nil
}

func (s *session) tableRelation(d *database, t *table) *tsql.Relation {
	r := &tsql.Relation{Unversioned: d.unversioned()}
	for _, c := range t.columns {
		r.Columns = append(r.Columns, c.wireColumn())
	}
	r.Rows = func(context.Context) ([][]any, error) {
		s.srv.lock()
		defer s.srv.mu.Unlock()
		return t.rows, nil
	}
	return r
}

// viewAt finds a system view, nil when there is none of that name.
func (s *session) viewAt(p place) *view {
	switch strings.ToLower(p.schema) {
	case "sys":
		return s.srv.host.systemView(strings.ToLower(p.name))
	case "information_schema":
		return informationSchema(strings.ToLower(p.name))
	case "cdc":
		if p.db.cdc {
			return p.db.cdcView(p.name)
		}
	case "dbo":
		if p.db.name == "msdb" {
			return msdbTable(s.srv.host, p.name)
		}
	}
	return nil
}

// Denied is the error for reading one column of a table, or nil.
func (s *session) Denied(n tsql.Name, name string) error {
	s.srv.lock()
	defer s.srv.mu.Unlock()
	p, err := s.locate(n)
	if err != nil {
		return err
	}
	t := p.db.table(p.schema, p.name)
	if t == nil || t.column(name) < 0 || s.mayRead(p.db, t.schema, t.name, name) {
		return nil
	}
	return errNoSelectColumn(p.db, t.schema, t.name, t.columns[t.column(name)].name)
}

// wireColumn is the column as a result set shows it. A fixed length column
// made with ANSI_PADDING off and NULL allowed keeps its values' own length.
func (c *column) wireColumn() tds.Column {
	out := tds.Column{Name: c.name, Type: c.typ.wire, Nullable: c.nullable || c.computed != nil, Identity: c.identity, Computed: c.computed != nil}
	if c.padded || !c.nullable {
		return out
	}
	switch c.typ.name {
	case "char":
		out.Type = tds.VarChar(c.typ.length)
	case "binary":
		out.Type = tds.VarBinary(c.typ.length)
	}
	return out
}

// columnsOf reads a list such as "name sysname, object_id int". A type with a
// ! behind it is not nullable. The lists are part of this package, so a
// mistake in one is a defect that its first use shows.
func columnsOf(list string) []tds.Column {
	var out []tds.Column
	for _, f := range strings.Split(list, ", ") {
		name, text, _ := strings.Cut(f, " ")
		text, notNull := strings.CutSuffix(text, "!")
		t, err := parseDataType(text)
		if err != nil {
			panic("column list " + list + ": " + err.Error())
		}
		out = append(out, tds.Column{Name: name, Type: t.wire, Nullable: !notNull})
	}
	return out
}

// textOrNil is s, or NULL when it is empty.
func textOrNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func lsnOrNil(l *LSN) any {
	if l == nil {
		return nil
	}
	return l.bytes()
}
