package cast

import (
	"slices"
	"strings"
	"time"

	"cdcseed/engine/schema"
)

// Answer is what a person decides about a column's values that a cast would
// change or cannot write.
type Answer string

// The answers. The last four belong to one cast each.
const (
	Stop      Answer = "stop"       // any value that would change refuses the seed, unless the stream changes it alike
	Round     Answer = "round"      // to the nearest, halves away from zero; of times, toward the future
	Cut       Answer = "cut"        // digits dropped; times toward the past
	Null      Answer = "null"       // a value that does not fit becomes NULL, counted
	TextOrder Answer = "text-order" // 16 bytes in the order of the text
	SQLOrder  Answer = "sql-order"  // 16 bytes in SQL Server's order: the first three groups reversed
	Pad       Answer = "pad"        // pad to the declared length
	Keep      Answer = "keep"       // leave short values short
)

// WallClock is the zone answer that says: the copy's timestamps carry the
// digits of the source's clock, whatever their annotation claims.
const WallClock = "wall-clock"

// Locate finds a time zone by the name a person gave it.
type Locate func(name string) (*time.Location, error)

// Answers is what was decided about columns before they are matched. Keys are
// target column names in any case.
type Answers struct {
	Map      []string          // --map COPY=CAPTURED, or COPY= for a column that is left out
	Cast     map[string]Answer // --cast COL=ANSWER
	Missing  map[string]Answer // --missing COL=stop|null
	Encoding map[string]string // --encoding COL=NAME: in which a text column's bytes are
	Zone     string            // --copy-time-zone: UTC, an IANA or Windows name, wall-clock, or empty
	Location Locate            // resolves Zone; may be nil where Zone is empty, UTC or wall-clock
}

// Choices lists the answers that the rule takes for its target column. NULL is
// never one for a key, rounding is none where the stream cuts, and a cast that
// nothing can go wrong with takes none.
func (r Rule) Choices(to schema.TargetColumn) []Answer {
	about, _ := Describe(r.Code)
	out := about.Answers
	switch r.Code {
	case Same:
		out = sameChoices(to)
	case Widen:
		if isWhole(to.Type.Kind) {
			out = nil
		}
	case IntToFloat:
		out = nil
	}
	if len(out) == 0 && r.forbidsNull(to) && !to.Key {
		return []Answer{Stop, Null}
	}
	return slices.DeleteFunc(slices.Clone(out), func(a Answer) bool {
		return a == Null && to.Key || a == Round && streamCuts(to.SQL)
	})
}

// forbidsNull reports whether a NULL of the copy is none of the source's values.
func (r Rule) forbidsNull(to schema.TargetColumn) bool {
	return !to.Nullable && !to.Computed && r.Code != ComputedNull
}

// sameChoices are for values that are written as they are and yet may be none
// of the SQL type's.
func sameChoices(to schema.TargetColumn) []Answer {
	switch k := to.Type.Kind; {
	case k == schema.Boolean, isWhole(k) && to.SQL.Name != "tinyint":
		return nil
	case k == schema.String, k == schema.Binary:
		return []Answer{Stop, Cut, Null}
	case k == schema.TimestampNTZ, k == schema.Timestamp:
		return []Answer{Stop, Round, Cut, Null}
	}
	return []Answer{Stop, Null}
}

func isWhole(k schema.Kind) bool {
	return k == schema.Short || k == schema.Integer || k == schema.Long
}

// needsZone reports whether the rule's cast has no meaning without a zone.
func (r Rule) needsZone() bool {
	switch r.Code {
	case InstantToWall, WallToInstant, Int96ToWall, Int96ToInstant:
		return true
	case StampToDate, StampToTime:
		return r.Source != nil && (r.Source.UTC || formOf(*r.Source) == int96)
	}
	return false
}

// takesWallClock reports whether wall-clock answers the rule's zone: a moment
// cannot be made from digits alone.
func (r Rule) takesWallClock() bool { return r.Code != WallToInstant && r.Code != Int96ToInstant }

func isUTC(zone string) bool { return strings.EqualFold(zone, "UTC") }
