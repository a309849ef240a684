package delta

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"cdcseed/engine/schema"
)

// Mapping says how a table's data files, partition values and statistics name
// the table's columns.
type Mapping string

// The modes of column mapping.
const (
	Unmapped Mapping = "none" // by the table's own names
	ByName   Mapping = "name" // by a physical name that stays when a column is renamed
	ByID     Mapping = "id"   // data files by field id, all else by physical name
)

// MappingFeature is the feature without which no table may map its columns.
const MappingFeature = "columnMapping"

// The table properties and the members of a column's metadata that make up a mapping.
const (
	MappingMode  = "delta.columnMapping.mode"
	MaxColumnID  = "delta.columnMapping.maxColumnId"
	mappedID     = "delta.columnMapping.id"
	mappedName   = "delta.columnMapping.physicalName"
	mappedPrefix = "col-" // of physical names that are made for a column, as Spark has it
)

// Mapping is the table's mode. One that is not known is given as it stands;
// Readable and Appendable refuse it.
func (m Metadata) Mapping() Mapping {
	if mode := strings.ToLower(m.Configuration[MappingMode]); mode != "" {
		return Mapping(mode)
	}
	return Unmapped
}

// On reports whether columns have physical names of their own.
func (m Mapping) On() bool { return m != Unmapped }

// Physical is the name of a column in data files, partition values and statistics.
func (m Mapping) Physical(f Field) string {
	if name, ok := f.Metadata.Text(mappedName); ok && m.On() {
		return name
	}
	return f.Name
}

// ColumnOf is the place of a table's column among a data file's top-level columns,
// given by their names and field ids (-1 is none), or -1 where the file has none of
// it. By name the exact spelling is preferred: a file may hold a second one in
// another case. A physical name may differ in case too: a table that was mapped
// later keeps the names that it had, and files of before then are spelled as their
// writers liked.
func (m Mapping) ColumnOf(f Field, names []string, ids []int32) int {
	if m == ByID {
		id, known := f.ID()
		if !known {
			return -1
		}
		return slices.Index(ids, id)
	}
	name := m.Physical(f)
	if i := slices.Index(names, name); i >= 0 {
		return i
	}
	return slices.IndexFunc(names, func(n string) bool { return schema.SameName(n, name) })
}

// ID is the number that the column keeps for life, which data files have as its
// field id; false where the table maps no columns.
func (f Field) ID() (int32, bool) {
	raw, ok := f.Metadata.Get(mappedID)
	if !ok {
		return 0, false
	}
	var id int32
	if err := json.Unmarshal(raw, &id); err != nil || id < 1 {
		return 0, false
	}
	return id, true
}

// Physical is the physical name of a top-level column, found ignoring case. Of a
// column that the table lacks it is the name itself, which no file has.
func (s *Snapshot) Physical(name string) string {
	f, ok := s.Schema.Field(name)
	if !ok {
		return name
	}
	return s.Metadata.Mapping().Physical(f)
}

// logical turns a path of physical names into the table's own, as far as its
// first part is known.
func (s *Snapshot) logical(path []string) []string {
	mode := s.Metadata.Mapping()
	if !mode.On() || len(path) == 0 {
		return path
	}
	for _, f := range s.Schema.Fields {
		if mode.Physical(f) == path[0] {
			return append([]string{f.Name}, path[1:]...)
		}
	}
	return path
}

// mapNew gives the top-level columns that have no id yet the next ones and
// physical names. The highest id is remembered in the table's properties: no
// id is ever given twice, also when its column was dropped.
func (m Metadata) mapNew(s Schema) Metadata {
	highest := s.highestID()
	if n, err := strconv.ParseInt(m.Configuration[MaxColumnID], 10, 32); err == nil {
		highest = max(highest, int32(n))
	}
	fields := make([]Field, len(s.Fields))
	for i, f := range s.Fields {
		if _, has := f.ID(); !has && !f.has(mappedName) {
			highest++
			f.Metadata = f.Metadata.mapped(highest, physicalName(highest, f.Name))
		}
		fields[i] = f
	}
	m.SchemaString = Schema{fields}.String()
	return m.WithProperty(MaxColumnID, strconv.Itoa(int(highest)))
}

// mapped is a column's metadata with its id first and its physical name last, as Spark orders them.
func (o Object) mapped(id int32, physical string) Object {
	out := Object{members: []member{{mappedID, json.RawMessage(strconv.Itoa(int(id)))}}}
	out.members = append(out.members, o.members...)
	out.members = append(out.members, member{mappedName, json.RawMessage(strconv.Quote(physical))})
	return out
}

// physicalNames is the space of the physical names that are made here.
var physicalNames = uuid.MustParse("8d1d3f2c-6c0b-5f43-9a5e-2f1f6f0f3c11")

// physicalName follows from the id, which is new in its table, and the name. A
// plan and its execution so come to the same one, and files that an earlier try
// left carry it.
func physicalName(id int32, name string) string {
	return mappedPrefix + uuid.NewSHA1(physicalNames, fmt.Appendf(nil, "%d %s", id, name)).String()
}

func (s Schema) highestID() int32 {
	var highest int32
	// The schema was walked when it was parsed, or made of primitive types.
	_ = s.walk(func(_ []string, f Field) {
		if id, ok := f.ID(); ok {
			highest = max(highest, id)
		}
	}, func([]string, string) {})
	return highest
}

// mapped refuses a column mapping that cannot be followed: files hold their
// columns under other names than the table, so a doubt would mix columns up.
func (s *Snapshot) mapped() *refusal {
	mode := s.Metadata.Mapping()
	if !mode.On() {
		return nil
	}
	what := ""
	switch {
	case mode != ByName && mode != ByID:
		what = fmt.Sprintf("mode %q is not known", s.Metadata.Configuration[MappingMode])
	case !s.Protocol.Supports(MappingFeature) || !s.readsMapping():
		what = fmt.Sprintf("mode %q is set, but the protocol does not list the feature", mode)
	default:
		what = s.Schema.unmappable()
	}
	if what == "" {
		return nil
	}
	return &refusal{
		feature: MappingFeature, what: what,
		why:  "Data files name columns otherwise than the table does; which is which must be certain.",
		hint: []string{"Write the table again: CREATE TABLE ... AS SELECT * FROM ..."},
	}
}

// readsMapping reports whether readers are told of the mapping too.
func (s *Snapshot) readsMapping() bool {
	for _, f := range s.Protocol.Reader() {
		if f == MappingFeature {
			return true
		}
	}
	return false
}

// numbered refuses a table whose highest column id is not what it should be: new
// columns are numbered from there on. A reader does not need it.
func (s *Snapshot) numbered() *refusal {
	if !s.Metadata.Mapping().On() {
		return nil
	}
	text, highest := s.Metadata.Configuration[MaxColumnID], s.Schema.highestID()
	if n, err := strconv.ParseInt(text, 10, 32); err == nil && int32(n) >= highest {
		return nil
	}
	return &refusal{
		feature: MappingFeature, what: fmt.Sprintf("%s is %q, and a column has id %d", MaxColumnID, text, highest),
		why:  "A new column could get an id that another one has, or had.",
		hint: []string{"Write the table again: CREATE TABLE ... AS SELECT * FROM ..."},
	}
}

// unmappable is what is wrong with the columns' ids and physical names, or empty.
func (s Schema) unmappable() (what string) {
	ids, names := map[int32]string{}, map[string]string{}
	_ = s.walk(func(path []string, f Field) {
		at := strings.Join(path, ".")
		id, hasID := f.ID()
		physical, hasName := f.Metadata.Text(mappedName)
		// Members of different structs may share a physical name.
		place := strings.Join(path[:len(path)-1], ".") + "\x00" + physical
		switch {
		case what != "":
		case !hasID:
			what = fmt.Sprintf("column %q has no id", at)
		case !hasName || physical == "":
			what = fmt.Sprintf("column %q has no physical name", at)
		case ids[id] != "":
			what = fmt.Sprintf("columns %q and %q share the id %d", ids[id], at, id)
		case names[place] != "":
			what = fmt.Sprintf("columns %q and %q share the physical name %q", names[place], at, physical)
		}
		ids[id], names[place] = at, at
	}, func([]string, string) {})
	return what
}

// remaps checks that a change of the metadata leaves every column where its
// values are in the files that are there.
func (m Metadata) remaps(old Metadata) error {
	if m.Mapping() != old.Mapping() {
		return fmt.Errorf("column mapping may not change from %q to %q", old.Mapping(), m.Mapping())
	}
	if !m.Mapping().On() {
		return nil
	}
	was, err := ParseSchema(old.SchemaString)
	if err != nil {
		return err
	}
	is, err := ParseSchema(m.SchemaString)
	if err != nil {
		return err
	}
	for _, f := range was.Fields {
		now, kept := is.Field(f.Name)
		before, _ := f.ID()
		after, _ := now.ID()
		if !kept || before != after || old.Mapping().Physical(f) != m.Mapping().Physical(now) {
			return fmt.Errorf("column %q may not lose its id %d or its physical name", f.Name, before)
		}
	}
	a, errA := strconv.Atoi(old.Configuration[MaxColumnID])
	b, errB := strconv.Atoi(m.Configuration[MaxColumnID])
	if errA == nil && (errB != nil || b < a) {
		return fmt.Errorf("%s may not go from %d to %q", MaxColumnID, a, m.Configuration[MaxColumnID])
	}
	return nil
}
