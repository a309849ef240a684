// Package splice makes one file of the target from one file of the copy without
// decoding what need not be decoded: the bytes of columns that are right as they
// are are copied as bytes, a column that really changes is the only one that goes
// through Arrow, and constants cost a few dozen bytes a row group. What it stages
// reads like what engine/rewrite makes of the same file.
package splice

import (
	"slices"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// Way is how a column gets into a file of the target.
type Way string

// The ways, from the cheapest to the dearest.
const (
	Null       Way = "null"       // no value: two bytes or three a page
	Constant   Way = "constant"   // one value for all rows
	Copied     Way = "copied"     // bytes as they are, under the target's name
	Annotated  Way = "annotated"  // bytes as they are, under another annotation
	Dictionary Way = "dictionary" // every value stands in a dictionary: that alone is cast
	Recoded    Way = "recoded"    // decoded, cast and encoded
)

// Copies reports whether the values' bytes are taken over as they are.
func (w Way) Copies() bool { return w == Copied || w == Annotated }

// Choice is the way of one column and why it is that one.
type Choice struct {
	Way    Way    `json:"way"`
	Reason string `json:"reason"`           // a clause for people
	Unseen bool   `json:"unseen,omitempty"` // values are kept that nobody looked at, which a look might refuse
}

// Facts is what a file's footer says of one of its columns, as far as it decides
// on the way.
type Facts struct {
	Present    bool     // a flat column that stands in the file once
	Spoiled    string   // why its bytes cannot be kept; empty where they can
	Nulls      int64    // over all row groups; -1 is not known
	Bounds     [][]byte // values between which all values lie, as Parquet stores plain ones
	Bounded    bool     // all values do, or there is none
	Dictionary bool     // every data page of every row group holds places in a dictionary
	Seen       bool     // every value was looked at when the seed was planned, and none was refused
}

// Choose decides on a column: from its rule, the target's column, and what the
// file's footer says. It looks at nothing else.
func Choose(r cast.Rule, to schema.TargetColumn, f Facts, known *Ranges) Choice {
	switch r.Code {
	case cast.MissingNull, cast.AbsentNull, cast.ComputedNull, cast.EmptyNull:
		return Choice{Way: Null, Reason: "there is no value to write"}
	}
	if r.Source != nil && r.Source.Physical == "PARTITION" {
		return Choice{Way: Constant, Reason: "its value stands beside the file, not in it"}
	}
	if !f.Present || r.Source == nil {
		return Choice{Way: Recoded, Reason: "the file has no such flat column"}
	}
	if f.Spoiled != "" {
		return Choice{Way: Recoded, Reason: f.Spoiled}
	}
	stored := asStored(r, to, f, known)
	if stored.Way != Recoded {
		return stored
	}
	if why, ok := byDictionary(to, r, f); ok {
		return Choice{Way: Dictionary, Reason: why}
	}
	return stored
}

// asStored is Copied or Annotated where the stored values are the target's, else
// Recoded with the reason.
func asStored(r cast.Rule, to schema.TargetColumn, f Facts, known *Ranges) Choice {
	passage := r.Passage(to)
	if r.Code == cast.NarrowChecked && !r.Legacy && (r.Source.Logical != "DECIMAL" || to.Type.Kind == schema.Decimal) {
		wide := r // the same numbers, as long as all of them fit
		wide.Code = cast.Same
		passage = wide.Passage(to)
	}
	way := Copied
	switch passage {
	case cast.AsBytes:
	case cast.Reinterpreted:
		way = Annotated
	default:
		return no("its values are stored otherwise in the target")
	}
	if r.Code == cast.BytesToText {
		return no("bytes have to be seen to be text")
	}
	demands := r.Demands(to)
	if annotatedRange(*r.Source) && !slices.Contains(demands, cast.InRange) {
		demands = append(demands, cast.InRange)
	}
	unseen := false
	for _, d := range demands {
		switch d {
		case cast.InRange, cast.Declared:
			if !inRange(r, to, f, known) {
				return no("the footer does not prove that all values are in range")
			}
		case cast.NotNull:
			if f.Nulls != 0 {
				return no("the footer does not prove that no value is NULL")
			}
		case cast.Finite:
			if !f.Seen {
				return no("only its values tell whether all of them are finite")
			}
		case cast.Length, cast.UTF8:
			switch {
			case acts(r.Answer):
				return no("the answer " + string(r.Answer) + " may change values")
			case r.Answer == cast.Stop && !f.Seen:
				return no("the answer stop has every value looked at")
			}
			unseen = unseen || !f.Seen
		default:
			return no("every value has to be looked at")
		}
	}
	return kept(way, to, unseen)
}

func no(reason string) Choice { return Choice{Way: Recoded, Reason: reason} }

// kept is the choice of a column whose bytes are kept. What a copied value is not
// asked for is said with it.
func kept(w Way, to schema.TargetColumn, unseen bool) Choice {
	reason := "stored as the target stores it"
	if w == Annotated {
		reason = "stored as the target stores it, under another annotation"
	}
	switch {
	case !unseen:
	case to.Type.Kind == schema.Binary:
		reason += "; lengths are not looked at"
	default:
		reason += "; lengths and encoding are not looked at"
	}
	return Choice{Way: w, Reason: reason, Unseen: unseen}
}

// acts reports whether an answer changes values that a copy of bytes would keep.
func acts(a cast.Answer) bool { return a == cast.Round || a == cast.Cut || a == cast.Null }

// byDictionary reports whether casting the dictionary alone casts every value.
func byDictionary(to schema.TargetColumn, r cast.Rule, f Facts) (string, bool) {
	demands := r.Demands(to)
	switch {
	case !f.Dictionary, r.Source.Physical == "BOOLEAN", to.Type.Kind == schema.Boolean: // Parquet has no dictionary of booleans
		return "", false
	case slices.Contains(demands, cast.NotNull) && f.Nulls != 0: // a dictionary holds no NULL
		return "", false
	case slices.Contains(demands, cast.OneDate): // which is counted by rows
		return "", false
	}
	return "all its values stand in dictionaries, which alone are cast", true
}
