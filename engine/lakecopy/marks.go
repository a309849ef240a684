package lakecopy

import (
	"path"
	"regexp"
	"strings"

	"cdcseed/engine/schema"
)

// MarkKind says what a mark means for the rows.
type MarkKind string

// The kinds of marks.
const (
	SoftDelete  MarkKind = "soft_delete"  // the column flags rows that are deleted in the source
	Operation   MarkKind = "operation"    // rows are changes or versions, not the table's rows
	Bookkeeping MarkKind = "bookkeeping"  // a column of the tool's own, harmless to leave out
	OwnMetadata MarkKind = "own_metadata" // a metadata column of a bronze table: the copy may be a stream's own output
)

// Mark is a trace of another tool that changes, or may change, what the rows mean.
type Mark struct {
	Tool   string
	Column string   // as the copy spells it; empty where the mark is a file
	Kind   MarkKind //
	Path   string   // key of the first file that shows it
	When   FlagRule // of a soft delete: which values flag a row
}

// FlagRule says which values of a soft-delete column flag a row as deleted.
type FlagRule string

// The rules.
const (
	WhenTrue FlagRule = "true" // a true value; also 1, t, y, yes as text
	WhenSet  FlagRule = "set"  // any value but NULL and empty text
)

// known is a column name of a tool, in lower case. A name that ends in * is a beginning.
type known struct {
	tool, column string
	kind         MarkKind
	when         FlagRule
}

// knownMarks is in order: the first that fits is the one. Its names are those
// that the tools document for their destinations.
func knownMarks() []known {
	return []known{
		{"Fivetran", "_fivetran_deleted", SoftDelete, WhenTrue},
		{"Fivetran", "_fivetran_active", Operation, ""}, // history mode: every version of a row
		{"Fivetran", "_fivetran_*", Bookkeeping, ""},
		{"Airbyte", "_ab_cdc_deleted_at", SoftDelete, WhenSet},
		{"Airbyte", "_ab_cdc_*", Bookkeeping, ""},
		{"Airbyte", "_airbyte_*", Bookkeeping, ""},
		{"Stitch", "_sdc_deleted_at", SoftDelete, WhenSet},
		{"Stitch", "_sdc_*", Bookkeeping, ""},
		{"Debezium", "__deleted", SoftDelete, WhenTrue},
		{"Debezium", "__op", Operation, ""},
		{"Debezium", "__source_ts_ms", Bookkeeping, ""},
		{"Debezium", "__ts_ms", Bookkeeping, ""},
		{"Debezium", "__lsn", Bookkeeping, ""},
		{"Hevo", "__hevo__marked_deleted", SoftDelete, WhenTrue},
		{"Hevo", "__hevo__*", Bookkeeping, ""},
		{"Qlik Replicate", "header__change_oper", Operation, ""},
		{"Qlik Replicate", "header__change_seq", Operation, ""},
		{"Qlik Replicate", "header__*", Bookkeeping, ""},
		{"dlt", "_dlt_*", Bookkeeping, ""},
		{"SQL Server CDC", "__$operation", Operation, ""},
		{"SQL Server CDC", "__$*", Bookkeeping, ""},
		{"SQL Server change tracking", "sys_change_operation", Operation, ""},
		{"SQL Server change tracking", "sys_change_*", Bookkeeping, ""},
		{"Apache Hudi", "_hoodie_is_deleted", SoftDelete, WhenTrue},
		{"Apache Hudi", "_hoodie_*", Bookkeeping, ""},
		{"Delta change data feed", "_change_type", Operation, ""},
		{"Delta change data feed", "_commit_version", Bookkeeping, ""},
		{"Delta change data feed", "_commit_timestamp", Bookkeeping, ""},
	}
}

func (k known) fits(folded string) bool {
	if begin, open := strings.CutSuffix(k.column, "*"); open {
		return strings.HasPrefix(folded, begin)
	}
	return folded == k.column
}

// columnMarks looks through all classes' columns; each name is told once.
func (c *Copy) columnMarks() []Mark {
	first := map[string]string{}
	for _, f := range c.Files {
		if _, seen := first[f.Class]; !seen {
			first[f.Class] = f.Key
		}
	}
	var out []Mark
	seen := map[string]bool{}
	for _, class := range c.Classes {
		for i, col := range class.Columns {
			m, is := markOf(col, i, class.Columns)
			if !is || seen[schema.Fold(col.Name)] {
				continue
			}
			seen[schema.Fold(col.Name)] = true
			m.Column, m.Path = col.Name, first[class.ID]
			out = append(out, m)
		}
	}
	return out
}

func markOf(c schema.CopyColumn, at int, all []schema.CopyColumn) (Mark, bool) {
	folded := schema.Fold(c.Name)
	for _, k := range knownMarks() {
		if k.fits(folded) {
			return Mark{Tool: k.tool, Kind: k.kind, When: k.when}, true
		}
	}
	for _, own := range schema.Reserved() {
		if folded == own {
			return Mark{Tool: "mssql-cdc-pyspark", Kind: OwnMetadata}, true
		}
	}
	switch {
	case c.Name == "Op" && at == 0 && c.Logical == "STRING":
		return Mark{Tool: "AWS DMS", Kind: Operation}, true
	case folded == "op" && hasNested(all, "before") && hasNested(all, "after"):
		return Mark{Tool: "Debezium", Kind: Operation}, true
	}
	return Mark{}, false
}

func hasNested(all []schema.CopyColumn, name string) bool {
	for _, c := range all {
		if c.Physical == "GROUP" && schema.SameName(c.Name, name) {
			return true
		}
	}
	return false
}

var (
	dmsLoad   = regexp.MustCompile(`^LOAD[0-9A-Fa-f]{8}\.`)
	dmsChange = regexp.MustCompile(`^[0-9]{8}-[0-9]{9}\.`)
)

// fileMarks recognises change files by their names: those of AWS DMS beside
// its full load, and the __ct folders of Qlik Replicate.
func fileMarks(files []File) []Mark {
	var out []Mark
	var load, change, changeTable string
	for _, f := range files {
		name := path.Base(f.Key)
		switch {
		case load == "" && dmsLoad.MatchString(name):
			load = f.Key
		case change == "" && dmsChange.MatchString(name):
			change = f.Key
		}
		for dir := range strings.SplitSeq(path.Dir(f.Key), "/") {
			if changeTable == "" && strings.HasSuffix(strings.ToLower(dir), "__ct") {
				changeTable = f.Key
			}
		}
	}
	if change != "" && (load != "" || dmsOnly(files)) {
		out = append(out, Mark{Tool: "AWS DMS", Kind: Operation, Path: change})
	}
	if changeTable != "" {
		out = append(out, Mark{Tool: "Qlik Replicate", Kind: Operation, Path: changeTable})
	}
	return out
}

// dmsOnly reports whether every file is named like a change file: a single
// file of such a name beside others may be anything.
func dmsOnly(files []File) bool {
	for _, f := range files {
		if !dmsChange.MatchString(path.Base(f.Key)) {
			return false
		}
	}
	return true
}
