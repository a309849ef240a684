package bronze

import (
	"fmt"
	"strconv"
	"strings"

	"cdcseed/engine/delta"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// Fit is how a seed fits into an existing bronze table.
type Fit struct {
	Columns   []Column              // what the seed's files hold, in the table's order and spelling
	Captured  []schema.TargetColumn // those of them that are captured, likewise
	Added     []Column              // captured columns that the table lacks: they come last
	CommandID bool                  // the table has _command_id
	Metadata  *delta.Metadata       // of the data commit, where columns are added
	Protocol  *delta.Protocol       // of the data commit, where it must be upgraded
	Notes     []verdict.Check
}

// FitOptions are a person's answers about the table.
type FitOptions struct {
	UpgradeProtocol bool // give a table the timestampNtz feature that it lacks and needs
}

// FitTable looks at a target that exists. Refusals: TargetNotBronze,
// TargetMigration, TargetType, TargetNeedsNTZ, ColumnName, TargetFeature.
func FitTable(snap *delta.Snapshot, captured []schema.TargetColumn, o FitOptions) (*Fit, error) {
	if err := bronzeShaped(snap); err != nil {
		return nil, err
	}
	notes, err := migrated(snap, "bronze", Version)
	if err != nil {
		return nil, err
	}
	f := &Fit{Notes: notes}
	if err := f.columns(snap, captured); err != nil {
		return nil, err
	}
	if err := f.add(snap); err != nil {
		return nil, err
	}
	if err := f.protocol(snap, o); err != nil {
		return nil, err
	}
	return f, snap.Appendable(f.names()...)
}

func (f *Fit) names() []string {
	out := make([]string, len(f.Columns))
	for i, c := range f.Columns {
		out[i] = c.Name
	}
	return out
}

// bronzeShaped refuses a table that the stream did not make.
func bronzeShaped(snap *delta.Snapshot) error {
	var missing, other []string
	for _, want := range append(leading(), trailing()...) {
		have, ok := snap.Schema.Field(want.Name)
		switch {
		case !ok && want.Name == CommandID:
		case !ok && (want.Name == SnapshotLSN || want.Name == Chunk) && schemaVersion(snap, VersionProperty) < Version:
		case !ok:
			missing = append(missing, want.Name)
		case primitive(have) != want.Type.Delta():
			other = append(other, fmt.Sprintf("%s is %s, not %s", have.Name, primitive(have), want.Type.Delta()))
		}
	}
	e := &verdict.Error{
		Code: verdict.TargetNotBronze,
		Why:  "The stream reads what it wrote there by those columns.",
		Hint: []string{"Give --target the table that the stream writes, or a place where no table is yet."},
	}
	switch {
	case len(missing) > 0:
		e.What = fmt.Sprintf("the Delta table %q is no bronze table: it lacks %s", snap.URL(), strings.Join(missing, ", "))
	case len(other) > 0:
		e.What = fmt.Sprintf("the Delta table %q is no bronze table: %s", snap.URL(), strings.Join(other, "; "))
	case len(snap.Metadata.PartitionColumns) > 0:
		e.What = fmt.Sprintf("the Delta table %q is partitioned by %s, which no bronze table is", snap.URL(), strings.Join(snap.Metadata.PartitionColumns, ", "))
	default:
		return nil
	}
	return e
}

// migrated compares the table's schema version with the one that new tables have.
// An older table is refused: the stream's package changes it, in commits of its own.
func migrated(snap *delta.Snapshot, kind string, known int) ([]verdict.Check, error) {
	has, needs := schemaVersion(snap, VersionProperty), schemaVersion(snap, MinVersionProperty)
	if has < known || needs > known {
		e := &verdict.Error{
			Code:  verdict.TargetMigration,
			What:  fmt.Sprintf("the %s table %q has schema version %d", kind, snap.URL(), has),
			Facts: verdict.Facts("version of the table", has, "version written here", known),
			Why:   "Rows written now would lack what newer releases of mssql-cdc-pyspark look for.",
			Hint:  []string{"Let a current mssql-cdc-pyspark write the table once, which migrates it: run the stream's job again, then seed."},
		}
		if needs > known {
			e.Facts = append(e.Facts, verdict.Facts("least version a writer must know", needs)...)
			e.Why = "The table says by " + MinVersionProperty + " that an older writer would misread it."
			e.Hint = []string{"Use a newer cdcseed."}
		}
		return nil, e
	}
	if has > known {
		return []verdict.Check{verdict.Noted(
			fmt.Sprintf("the %s table was migrated by a newer mssql-cdc-pyspark", kind),
			"Its columns that are not known here stay NULL in the rows written now, as older releases of the package leave them too.",
			verdict.Facts("version of the table", has, "version written here", known)...)}, nil
	}
	return nil, nil
}

// schemaVersion is a number among the table's properties; none is 0.
func schemaVersion(snap *delta.Snapshot, property string) int {
	n, err := strconv.Atoi(strings.TrimSpace(snap.Metadata.Configuration[property]))
	if err != nil {
		return 0
	}
	return n
}

func primitive(f delta.Field) string {
	if name, ok := f.Primitive(); ok {
		return name
	}
	return "nested"
}

// columns takes from the table, in its order, what a seed writes, and appends
// what the table lacks.
func (f *Fit) columns(snap *delta.Snapshot, captured []schema.TargetColumn) error {
	wanted := map[string]schema.TargetColumn{}
	for _, c := range captured {
		wanted[schema.Fold(c.Name)] = c
	}
	metadata := map[string]Column{}
	for _, c := range append(leading(), trailing()...) {
		metadata[c.Name] = c
	}
	var differ []verdict.Fact
	have := map[string]bool{}
	for _, field := range snap.Schema.Fields {
		name := schema.Fold(field.Name)
		have[name] = true
		if c, ok := metadata[name]; ok {
			f.CommandID = f.CommandID || c.Name == CommandID
			f.Columns = append(f.Columns, Column{Name: field.Name, Type: c.Type, Comment: field.Comment()})
			continue
		}
		c, ok := wanted[name]
		if !ok {
			continue
		}
		if got := primitive(field); got != c.Type.Delta() {
			differ = append(differ, verdict.Facts(field.Name, "table "+got+", stream "+c.Type.Delta())...)
			continue
		}
		c.Name = field.Name
		f.Columns = append(f.Columns, Column{Name: field.Name, Type: c.Type, Comment: field.Comment()})
		f.Captured = append(f.Captured, c)
	}
	if len(differ) > 0 {
		return typesDiffer(snap, differ)
	}
	for _, c := range captured {
		if have[schema.Fold(c.Name)] || c.Computed {
			continue
		}
		f.Added = append(f.Added, Column{Name: c.Name, Type: c.Type})
		f.Captured = append(f.Captured, c)
	}
	f.Columns = append(f.Columns, f.Added...)
	return nil
}

func typesDiffer(snap *delta.Snapshot, differ []verdict.Fact) error {
	return &verdict.Error{
		Code:  verdict.TargetType,
		What:  fmt.Sprintf("columns of the bronze table %q have other types than the stream gives them now", snap.URL()),
		Facts: differ,
		Why:   "The stream itself stops at such a column, so a seed would only hide it.",
		Hint: []string{
			"Where the new type is wider: ALTER TABLE ... SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true'), then ALTER TABLE ... ALTER COLUMN ... TYPE ...",
			"Otherwise seed a new table.",
		},
	}
}

// add makes the metadata that holds the new columns, after all others.
func (f *Fit) add(snap *delta.Snapshot) error {
	if len(f.Added) == 0 {
		return nil
	}
	if err := CheckNames(f.Added); err != nil {
		return err
	}
	s := delta.Schema{Fields: snap.Schema.Fields[:len(snap.Schema.Fields):len(snap.Schema.Fields)]}
	for _, c := range f.Added {
		field, err := delta.NewField(c.Name, c.Type.Delta(), "")
		if err != nil {
			return fmt.Errorf("column %q: %w", c.Name, err)
		}
		s.Fields = append(s.Fields, field)
	}
	m := snap.Metadata.WithSchema(s)
	f.Metadata = &m
	return nil
}

// protocol sees to the feature that TIMESTAMP_NTZ columns need.
func (f *Fit) protocol(snap *delta.Snapshot, o FitOptions) error {
	if snap.Protocol.Supports(delta.NTZ) {
		return nil
	}
	upgraded := delta.UpgradeNTZ(snap.Protocol)
	if o.UpgradeProtocol {
		f.Protocol = &upgraded
		return nil
	}
	return &verdict.Error{
		Code:  verdict.TargetNeedsNTZ,
		What:  fmt.Sprintf("the bronze table %q has TIMESTAMP_NTZ columns and not the Delta feature for them", snap.URL()),
		Facts: verdict.Facts("protocol", snap.Protocol, "needed", upgraded),
		Why:   "Programs that do not know the feature will no longer read the table once it has it.",
		Hint: []string{
			"Run again with --upgrade-protocol, which changes it in the seed's commit.",
			"ALTER TABLE ... SET TBLPROPERTIES ('delta.feature.timestampNtz' = 'supported')",
		},
	}
}
