package bronze

import (
	"fmt"
	"slices"
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
	Migration *Migration            // of an older table, to be committed before the seed; the rest is as after it
	Metadata  *delta.Metadata       // of the data commit, where columns are added
	Protocol  *delta.Protocol       // of the data commit, where it must be upgraded
	Table     delta.Metadata        // as the data commit leaves it: how the seed's files name their columns
	Notes     []verdict.Check
}

// FitOptions are a person's answers about the table.
type FitOptions struct {
	UpgradeProtocol bool // give a table the timestampNtz feature that it lacks and needs
}

// FitTable looks at a target that exists. An older one is fitted as it is once
// it is migrated. Refusals: TargetNotBronze, TargetMigration, TargetType,
// TargetNeedsNTZ, ColumnName, TargetFeature.
func FitTable(snap *delta.Snapshot, captured []schema.TargetColumn, o FitOptions) (*Fit, error) {
	if err := bronzeShaped(snap); err != nil {
		return nil, err
	}
	notes, err := newer(snap, bronzeKind())
	if err != nil {
		return nil, err
	}
	f := &Fit{Notes: notes}
	if f.Migration, snap, err = bronzeKind().migrate(snap); err != nil {
		return nil, err
	}
	if err := f.columns(snap, captured); err != nil {
		return nil, err
	}
	if err := f.add(snap); err != nil {
		return nil, err
	}
	if err := f.protocol(snap, o); err != nil {
		return nil, err
	}
	f.Table = snap.Metadata
	if f.Metadata != nil {
		f.Table = *f.Metadata
	}
	return f, snap.Appendable(names(f.Columns)...)
}

// bronzeShaped refuses a table that the stream did not make.
func bronzeShaped(snap *delta.Snapshot) error {
	var missing, other []string
	for _, want := range bronzeKind().columns {
		have, ok := snap.Schema.Field(want.Name)
		switch {
		case !ok && (want.Name == CommandID || bronzeKind().due(snap, want.Name)):
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

// newer looks at a table that a newer release of the package has migrated: it is
// written as it is, unless it says that an older writer would misread it.
func newer(snap *delta.Snapshot, k kind) ([]verdict.Check, error) {
	for _, property := range []string{VersionProperty, MinVersionProperty} {
		if err := counted(snap, k, property); err != nil {
			return nil, err
		}
	}
	has, needs, known := schemaVersion(snap, VersionProperty), schemaVersion(snap, MinVersionProperty), k.version()
	if needs > known {
		return nil, &verdict.Error{
			Code:  verdict.TargetMigration,
			What:  fmt.Sprintf("the %s table %q may only be written by releases that know more of its migrations", k.name, snap.URL()),
			Facts: verdict.Facts("least version a writer must know", needs, "version of the table", has, "version written here", known),
			Why:   "The table says by " + MinVersionProperty + " that an older writer would misread it.",
			Hint:  []string{"Use a newer cdcseed."},
		}
	}
	if has > known {
		return []verdict.Check{verdict.Noted(
			fmt.Sprintf("the %s table was migrated by a newer mssql-cdc-pyspark", k.name),
			"Its columns that are not known here stay NULL in the rows written now, as older releases of the package leave them too.",
			verdict.Facts("version of the table", has, "version written here", known)...)}, nil
	}
	return nil, nil
}

// counted refuses a version that is no number: the package stops at such a table too.
func counted(snap *delta.Snapshot, k kind, property string) error {
	text, set := snap.Metadata.Configuration[property]
	if n, err := strconv.Atoi(strings.TrimSpace(text)); !set || err == nil && n >= 0 {
		return nil
	}
	return &verdict.Error{
		Code:  verdict.TargetMigration,
		What:  fmt.Sprintf("the property %s of the %s table %q is no version", property, k.name, snap.URL()),
		Facts: verdict.Facts("the table says", strconv.Quote(text), "version written here", k.version()),
		Why:   "What the table lacks cannot be told, and mssql-cdc-pyspark does not write it either.",
		Hint:  []string{"Find out who set the property, and set it to the version that the table's columns have."},
	}
}

// schemaVersion is a number among the table's properties; none is 0.
func schemaVersion(snap *delta.Snapshot, property string) int {
	n, err := strconv.Atoi(strings.TrimSpace(snap.Metadata.Configuration[property]))
	if err != nil {
		return 0
	}
	return max(n, 0)
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
	for _, c := range bronzeKind().columns {
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
	if bad := mappedOnly(f.Added); len(bad) > 0 && !snap.Metadata.Mapping().On() {
		return needsMapping(snap, bad)
	}
	after := *snap
	if err := addColumns(&after, f.Added); err != nil {
		return err
	}
	f.Metadata = &after.Metadata
	return nil
}

// addColumns puts columns behind the others of a table that is a copy of the
// caller's own.
func addColumns(table *delta.Snapshot, columns []Column) error {
	fields := slices.Clone(table.Schema.Fields)
	for _, c := range columns {
		field, err := delta.NewField(c.Name, c.Type.Delta(), c.Comment)
		if err != nil {
			return fmt.Errorf("column %q: %w", c.Name, err)
		}
		fields = append(fields, field)
	}
	table.Metadata = table.Metadata.WithSchema(delta.Schema{Fields: fields})
	var err error
	table.Schema, err = delta.ParseSchema(table.Metadata.SchemaString) // with the ids and physical names that new columns got
	return err
}

// protocol sees to the feature that TIMESTAMP_NTZ columns need.
func (f *Fit) protocol(snap *delta.Snapshot, o FitOptions) error {
	if snap.Protocol.Supports(delta.NTZ) {
		return nil
	}
	upgraded := delta.UpgradeNTZ(snap.Protocol)
	// A migration is committed before the seed, and the table must be right by then.
	hint := []string{"ALTER TABLE ... SET TBLPROPERTIES ('delta.feature.timestampNtz' = 'supported')"}
	if f.Migration == nil {
		if o.UpgradeProtocol {
			f.Protocol = &upgraded
			return nil
		}
		hint = append([]string{"Run again with --upgrade-protocol, which changes it in the seed's commit."}, hint...)
	}
	return &verdict.Error{
		Code:  verdict.TargetNeedsNTZ,
		What:  fmt.Sprintf("the bronze table %q has TIMESTAMP_NTZ columns and not the Delta feature for them", snap.URL()),
		Facts: verdict.Facts("protocol", snap.Protocol, "needed", upgraded),
		Why:   "Programs that do not know the feature will no longer read the table once it has it.",
		Hint:  hint,
	}
}
