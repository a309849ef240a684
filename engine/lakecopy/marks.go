package lakecopy

import (
	"cmp"
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
	When   FlagRule // which values flag a deleted row; empty where none can tell
}

// Name is what the mark is called by in an answer: its column, or its file.
func (m Mark) Name() string {
	if m.Column == "" {
		return m.Path
	}
	return m.Column
}

// FlagRule says which values of a column flag a row as deleted.
type FlagRule string

// The rules.
const (
	WhenTrue   FlagRule = "true"   // a true value; also 1, t, y, yes as text
	WhenSet    FlagRule = "set"    // any value but NULL and empty text
	WhenDelete FlagRule = "delete" // the word or letter of a delete; that of another operation flags none
)

// Flags reports whether the mark can tell rows that are deleted in the source.
// Of a mark that tells operations they are those rows alone where each row of
// the table stands once, with its newest operation.
func (m Mark) Flags() bool { return m.When != "" }

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
		for _, col := range class.Columns {
			m, is := markOf(col, class.Columns)
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

func markOf(c schema.CopyColumn, all []schema.CopyColumn) (Mark, bool) {
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
	case c.Name == "Op" && c.Logical == "STRING": // its first column, but who rewrites its files may move it
		return Mark{Tool: "AWS DMS", Kind: Operation, When: WhenDelete}, true
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
	dmsLoad      = regexp.MustCompile(`^LOAD[0-9A-Fa-f]{5,8}\.`)
	dmsChange    = regexp.MustCompile(`^[0-9]{8}-[0-9]{9,10}\.`)
	dateAndTime  = regexp.MustCompile(`^[0-9]{8}-[0-9]{6,12}\.`)
	kafkaConnect = regexp.MustCompile(`^.+\+[0-9]+\+[0-9]{10}\.`)
)

// fileMarks recognises change files by their names: those of AWS DMS beside
// its full load, the __ct folders of Qlik Replicate, and the offsets by which
// sinks of Kafka Connect name what they took from a topic.
func fileMarks(files []File) []Mark {
	var out []Mark
	var load, change, dated, changeTable, topic string
	for _, f := range files {
		name := path.Base(f.Key)
		switch {
		case load == "" && dmsLoad.MatchString(name):
			load = f.Key
		case change == "" && dmsChange.MatchString(name):
			change = f.Key
		case dated == "" && dateAndTime.MatchString(name):
			dated = f.Key
		case topic == "" && kafkaConnect.MatchString(name):
			topic = f.Key
		}
		for dir := range strings.SplitSeq(path.Dir(f.Key), "/") {
			if changeTable == "" && strings.HasSuffix(strings.ToLower(dir), "__ct") {
				changeTable = f.Key
			}
		}
	}
	if load != "" {
		change = cmp.Or(change, dated) // beside a full load, any date and time is its changes
	}
	if change != "" && (load != "" || dmsOnly(files)) {
		out = append(out, Mark{Tool: "AWS DMS", Kind: Operation, Path: change})
	}
	if changeTable != "" {
		out = append(out, Mark{Tool: "Qlik Replicate", Kind: Operation, Path: changeTable})
	}
	if topic != "" {
		out = append(out, Mark{Tool: "Kafka Connect", Kind: Operation, Path: topic})
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
