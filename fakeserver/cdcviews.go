package fakeserver

import (
	"encoding/binary"
	"strings"

	"cdcseed/fakeserver/tds"
)

var cdcTableNames = [...]string{"captured_columns", "change_tables", "ddl_history", "index_columns", "lsn_time_mapping"}

// cdcView is a table of the cdc schema by name. lsn_time_mapping is open to
// everybody, the others need SELECT like any table.
func (d *database) cdcView(name string) *view {
	v := &view{denied: func(s *session, d *database) error {
		if s.mayRead(d, "cdc", name, "") {
			return nil
		}
		return errNoSelect(d, "cdc", name)
	}}
	switch strings.ToLower(name) {
	case "change_tables":
		v.columns = "object_id int!, version int, source_object_id int, capture_instance sysname!, start_lsn binary(10), end_lsn binary(10), " +
			"supports_net_changes bit, has_drop_pending bit, role_name sysname, index_name sysname, filegroup_name sysname, create_date datetime, partition_switch bit!"
		v.rows = changeTableRows
	case "captured_columns":
		v.columns = "object_id int!, column_name sysname!, column_id int, column_type sysname!, column_ordinal int!, is_computed bit, masking_function nvarchar(4000)"
		v.rows = capturedColumnRows
	case "index_columns":
		v.columns = "object_id int!, column_name sysname!, index_ordinal tinyint!, column_id int!"
		v.rows = cdcIndexRows
	case "ddl_history":
		v.columns = "source_object_id int, object_id int!, required_column_update bit, ddl_command nvarchar(max), ddl_lsn binary(10)!, ddl_time datetime"
		v.rows = ddlRows
	case "lsn_time_mapping":
		v.columns = "start_lsn binary(10)!, tran_begin_time datetime, tran_end_time datetime, tran_id varbinary(10), tran_begin_lsn binary(10)"
		v.rows, v.denied = mappingRows, nil
	default:
		return d.changeTable(name, v)
	}
	return v
}

// changeTable is cdc.<instance>_CT.
func (d *database) changeTable(name string, v *view) *view {
	ci, ok := cutSuffixFold(name, "_CT")
	in := d.instance(ci)
	if !ok || in == nil {
		return nil
	}
	v.wire = in.tableColumns()
	v.rows = func(*session, *database) [][]any { return in.tableRows() }
	return v
}

func cutSuffixFold(s, suffix string) (string, bool) {
	n := len(s) - len(suffix)
	if n < 0 || !strings.EqualFold(s[n:], suffix) {
		return s, false
	}
	return s[:n], true
}

func (in *instance) tableColumns() []tds.Column {
	cs := columnsOf("__$start_lsn binary(10)!, __$end_lsn binary(10), __$seqval binary(10)!, __$operation int!, __$update_mask varbinary(128)")
	return append(append(cs, in.capturedColumns()...), columnsOf("__$command_id int")...)
}

// capturedColumns are the source's columns as a change table has them: all
// nullable, a rowversion as binary(8).
func (in *instance) capturedColumns() []tds.Column {
	var cs []tds.Column
	for _, k := range in.columns {
		c := in.table.columns[k].wireColumn()
		c.Nullable, c.Identity, c.Computed = true, false, false
		cs = append(cs, c)
	}
	return cs
}

func (in *instance) tableRows() [][]any {
	var out [][]any
	for _, c := range in.changes {
		row := []any{c.lsn.bytes(), nil, c.seq.bytes(), c.op, c.mask}
		out = append(out, append(append(row, c.row...), c.command))
	}
	return out
}

func changeTableRows(_ *session, d *database) [][]any {
	var out [][]any
	for _, in := range d.instances {
		out = append(out, []any{
			in.id, int64(0), in.table.id, in.name, lsnOrNil(in.start), nil, in.netChanges, nil,
			textOrNil(in.role), in.indexName(), nil, in.created, true,
		})
	}
	return out
}

// indexName is the index that CDC tells rows apart by, NULL without one.
func (in *instance) indexName() any {
	if len(in.table.key) == 0 {
		return nil
	}
	return in.table.primaryKeyName()
}

func capturedColumnRows(_ *session, d *database) [][]any {
	var out [][]any
	for _, in := range d.instances {
		for i, k := range in.columns {
			c := in.table.columns[k]
			out = append(out, []any{in.id, c.name, int64(c.id), c.typ.baseName(), int64(i + 1), c.computed != nil, nil})
		}
	}
	return out
}

func cdcIndexRows(_ *session, d *database) [][]any {
	var out [][]any
	for _, in := range d.instances {
		for i, k := range in.table.key {
			c := in.table.columns[k]
			out = append(out, []any{in.id, c.name, int64(i + 1), int64(c.id)})
		}
	}
	return out
}

func ddlRows(_ *session, d *database) [][]any {
	var out [][]any
	for _, r := range d.ddl {
		out = append(out, []any{r.instance.table.id, r.instance.id, r.required, r.command, r.lsn.bytes(), r.at})
	}
	return out
}

// mappingRows shows a transaction id for commits and the single zero byte
// that idle entries have.
func mappingRows(_ *session, d *database) [][]any {
	out := make([][]any, 0, len(d.mapping))
	for _, m := range d.mapping {
		id := []byte{0}
		if !m.idle {
			id = append([]byte{0, 0}, binary.BigEndian.AppendUint64(nil, binary.BigEndian.Uint64(m.lsn[2:]))...)
		}
		out = append(out, []any{m.lsn.bytes(), m.begin, m.end, id, make([]byte, 10)})
	}
	return out
}
