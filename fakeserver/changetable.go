package fakeserver

import "strings"

// changeTableModel is cdc.<instance>_CT as the catalogue shows a table. Its
// columns are all nullable but for the first, the third and the fourth.
func (in *instance) changeTableModel() *table {
	t := &table{schema: "cdc", name: in.name + "_CT", id: in.id}
	add := func(c column) {
		c.id = len(t.columns) + 1
		t.columns = append(t.columns, &c)
	}
	for _, c := range systemColumns("__$start_lsn binary(10)!, __$end_lsn binary(10), __$seqval binary(10)!, __$operation int!, __$update_mask varbinary(128)") {
		add(c)
	}
	for _, k := range in.columns {
		c := *in.table.columns[k]
		c.nullable, c.identity, c.computed, c.alias = true, false, nil, nil
		if c.typ.isRowVersion() {
			c = systemColumns(c.name + " binary(8)")[0]
		}
		add(c)
	}
	for _, c := range systemColumns("__$command_id int") {
		add(c)
	}
	return t
}

// systemColumns reads a list as columnsOf does.
func systemColumns(list string) []column {
	var out []column
	for _, wire := range columnsOf(list) {
		out = append(out, column{name: wire.Name, nullable: wire.Nullable, padded: true})
	}
	for i, f := range strings.Split(list, ", ") {
		_, text, _ := strings.Cut(f, " ")
		out[i].typ, _ = parseDataType(strings.TrimSuffix(text, "!")) // columnsOf has read it
	}
	return out
}

// visibleChangeTables lists the change tables that the caller may read.
func (s *session) visibleChangeTables(d *database) (out []*table) {
	for _, in := range d.instances {
		if s.mayRead(d, "cdc", in.name+"_CT", "") {
			out = append(out, in.changeTableModel())
		}
	}
	return out
}

// enumerationObject is a function of a capture instance as an object: its name
// and an id of its own beside the change table's.
type enumerationObject struct {
	name string
	id   int64
}

// visibleEnumerations lists the functions of the instances that the caller may use.
func (s *session) visibleEnumerations(d *database) (out []enumerationObject) {
	for _, in := range d.instances {
		if !s.tracks(d, in) {
			continue
		}
		out = append(out, enumerationObject{"fn_cdc_get_all_changes_" + in.name, in.id + 1})
		if in.netChanges {
			out = append(out, enumerationObject{"fn_cdc_get_net_changes_" + in.name, in.id + 2})
		}
	}
	return out
}
