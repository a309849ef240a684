package delta

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"cdcseed/engine/verdict"
)

// Appendable says by a refusal (verdict.TargetFeature) which feature of the
// table an append cannot honour. supplied names the columns that the new files
// will hold: a column with a default, NOT NULL, a length, or a type that is
// never written is refused by whether it is among them. Without any name the
// stricter answer is given. NOT NULL is checked again, against the files'
// statistics, when the commit is made.
func (s *Snapshot) Appendable(supplied ...string) error {
	r := s.unappendable()
	for i := 0; r == nil && i < len(s.Schema.Fields); i++ {
		f := s.Schema.Fields[i]
		has := slices.ContainsFunc(supplied, func(n string) bool { return strings.EqualFold(n, f.Name) })
		r = s.unfillable(f, has, len(supplied) == 0)
	}
	if r != nil {
		return s.refuse(verdict.TargetFeature, *r)
	}
	return nil
}

// unappendable is what no choice of columns helps against.
func (s *Snapshot) unappendable() *refusal {
	if r := s.protocolNumbers(); r != nil {
		return r
	}
	// A writer reads the log, so it owes what a reader owes.
	for _, f := range append(slices.Clone(s.Protocol.Reader()), s.Protocol.Writer()...) {
		if r := s.unappendableFeature(f); r != nil {
			return r
		}
	}
	for _, check := range []func() *refusal{s.mapped, s.numbered, s.widened, s.constrained, s.ruled, s.trackable, s.timestamped} {
		if r := check(); r != nil {
			return r
		}
	}
	if p := s.Metadata.Format.Provider; p != "" && !strings.EqualFold(p, "parquet") {
		return &refusal{feature: "format " + p, what: "only Parquet files are written"}
	}
	return nil
}

func (s *Snapshot) unappendableFeature(f string) *refusal {
	switch f {
	case "appendOnly", "changeDataFeed", "deletionVectors", "domainMetadata", "inCommitTimestamp", NTZ, ntzAlias,
		"typeWidening", "v2Checkpoint", "vacuumProtocolCheck", "checkpointProtection", "rowTracking", "clustering":
		return nil // honoured
	case "invariants", "checkConstraints", "generatedColumns", "identityColumns", "allowColumnDefaults", "columnMapping",
		"variantType", "variantType-preview", "variantShredding", "variantShredding-preview":
		return nil // by what the table makes of them
	case "icebergCompatV1", "icebergCompatV2", "icebergCompatV3":
		if s.Metadata.on("delta.enableI" + f[1:]) {
			return &refusal{
				feature: f, what: "it is enabled",
				why:  "The table's Iceberg metadata would be made wrong by files of another layout.",
				hint: []string{"Turn UniForm off for this table before seeding it."},
			}
		}
		return nil
	case "typeWidening-preview":
		return &refusal{
			feature: f, what: "the preview asks for more in each commit than the final feature typeWidening",
			why:  "Only the final form is honoured.",
			hint: []string{"ALTER TABLE ... DROP FEATURE `typeWidening-preview`, then enable type widening again with a current Delta."},
		}
	case "materializePartitionColumns":
		if len(s.Metadata.PartitionColumns) > 0 {
			return &refusal{
				feature: f, what: "data files must hold the partition columns too",
				why:  "This version of cdcseed does not write them.",
				hint: []string{"ALTER TABLE ... DROP FEATURE `materializePartitionColumns`."},
			}
		}
		return nil
	case "coordinatedCommits-preview":
		if s.Metadata.Configuration["delta.coordinatedCommits.commitCoordinator-preview"] != "" {
			return &refusal{
				feature: f, what: "a coordinator is set",
				why:  "Commits must go through it and not through files.",
				hint: []string{"ALTER TABLE ... DROP FEATURE `coordinatedCommits-preview`."},
			}
		}
		return nil
	}
	if r := byCatalog(f); r != nil {
		return r
	}
	return unknown(f)
}

// constrained refuses check constraints: they are SQL, which is not evaluated here.
func (s *Snapshot) constrained() *refusal {
	var names []string
	for key := range s.Metadata.Configuration {
		if name, ok := strings.CutPrefix(key, "delta.constraints."); ok {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	sort.Strings(names)
	return &refusal{
		feature: "checkConstraints",
		what:    fmt.Sprintf("constraint %q: %s", names[0], s.Metadata.Configuration["delta.constraints."+names[0]]),
		why:     "The rows to be written cannot be tested against an SQL expression.",
		hint:    []string{"ALTER TABLE ... DROP CONSTRAINT `" + names[0] + "`; add it again after the seed, which tests all rows."},
	}
}

// ruled refuses columns whose values follow a rule in SQL, nested ones too.
func (s *Snapshot) ruled() *refusal {
	var out *refusal
	_ = s.Schema.walk(func(path []string, f Field) {
		for _, key := range f.Metadata.Keys() {
			feature := ""
			switch {
			case key == "delta.invariants":
				feature = "invariants"
			case key == "delta.generationExpression":
				feature = "generatedColumns"
			case strings.HasPrefix(key, "delta.identity."):
				feature = "identityColumns"
			}
			if feature == "" || out != nil {
				continue
			}
			value, _ := f.Metadata.Get(key)
			out = &refusal{
				feature: feature,
				what:    fmt.Sprintf("column %q has %s %s", strings.Join(path, "."), key, value),
				why:     "Its values must follow a rule that is not evaluated here.",
				hint:    []string{"Seed a table without that rule."},
			}
		}
		if out == nil && !f.Nullable && len(path) > 1 {
			out = &refusal{
				feature: "NOT NULL", what: fmt.Sprintf("within the nested column %q", strings.Join(path, ".")),
				why: "Nested values are not checked here.", hint: []string{"Seed a table without that rule."},
			}
		}
	}, func([]string, string) {})
	return out
}

// trackable checks what row tracking needs.
func (s *Snapshot) trackable() *refusal {
	if !s.Protocol.Supports("rowTracking") {
		return nil
	}
	if !s.Protocol.Supports("domainMetadata") {
		return &refusal{feature: "rowTracking", what: "without the feature domainMetadata, which it needs"}
	}
	if _, err := s.rowMark(); err != nil {
		return &refusal{feature: "rowTracking", what: err.Error(), why: "New rows would get row ids that other rows have."}
	}
	return nil
}

// timestamped checks that the newest commit tells its in-commit timestamp.
func (s *Snapshot) timestamped() *refusal {
	if s.Version < 0 || !ictOn(s.Protocol, s.Metadata) || s.InCommitTimestamp != nil {
		return nil
	}
	return &refusal{
		feature: "inCommitTimestamp", what: fmt.Sprintf("commit %d tells none", s.Version),
		why:  "The next commit's must be later than it.",
		hint: []string{"Make any commit with Spark; it writes one."},
	}
}

// unfillable refuses a top-level column that the new files would leave or fill wrongly.
func (s *Snapshot) unfillable(f Field, supplied, notTold bool) *refusal {
	missing, given := !supplied, supplied || notTold
	kind, primitive := f.Primitive()
	switch {
	case missing && !f.Nullable:
		return &refusal{
			feature: "NOT NULL", what: fmt.Sprintf("column %q would be left without values", f.Name),
			hint: []string{"ALTER TABLE ... ALTER COLUMN `" + f.Name + "` DROP NOT NULL."},
		}
	case missing && f.has("CURRENT_DEFAULT"):
		return &refusal{
			feature: "allowColumnDefaults", what: fmt.Sprintf("column %q has a default and would be left without values", f.Name),
			why:  "A default is SQL, which is not evaluated here.",
			hint: []string{"ALTER TABLE ... ALTER COLUMN `" + f.Name + "` DROP DEFAULT."},
		}
	case given && f.has("__CHAR_VARCHAR_TYPE_STRING"):
		length, _ := f.Metadata.Text("__CHAR_VARCHAR_TYPE_STRING")
		return &refusal{
			feature: length, what: fmt.Sprintf("column %q has a length that Spark enforces", f.Name),
			why: "Lengths are not checked here.", hint: []string{"Seed a table where the column is a STRING."},
		}
	case given && primitive && (kind == "void" || kind == "variant" || strings.HasPrefix(kind, "geo")):
		return &refusal{feature: "type " + kind, what: fmt.Sprintf("column %q cannot be filled", f.Name)}
	}
	return nil
}

func (f Field) has(key string) bool {
	raw, ok := f.Metadata.Get(key)
	return ok && string(raw) != "null"
}

// rowMark is the highest row id given out so far, -1 for none.
func (s *Snapshot) rowMark() (int64, error) {
	text, ok := s.Domains[rowTracking]
	if !ok {
		return -1, nil
	}
	var mark struct {
		High *int64 `json:"rowIdHighWaterMark"`
	}
	if err := json.Unmarshal([]byte(text), &mark); err != nil || mark.High == nil || *mark.High < -1 {
		return 0, fmt.Errorf("the domain %s holds %.80q and no high-water mark", rowTracking, text)
	}
	return *mark.High, nil
}

const rowTracking = "delta.rowTracking"
