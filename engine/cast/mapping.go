// Package cast maps a copy's columns to a target's and casts their values, on
// Arrow batches. Every pair of types has one cast from a closed list; every
// value that would change or does not fit is counted, never lost in silence.
package cast

import (
	"slices"

	"cdcseed/engine/schema"
)

// Mapping is how every column of the target is made from each file class of a
// copy. It is a value of the plan: it alone rebuilds the casters.
type Mapping struct {
	Columns []ColumnPlan `json:"columns"`
	LeftOut []string     `json:"left_out"` // the copy's columns that nothing captures, in order of appearance

	Classes []schema.FileClass `json:"-"` // what it was made for; none in a mapping that was read from a plan
}

// ColumnPlan is one target column and its rules, one a file class.
type ColumnPlan struct {
	Target schema.TargetColumn `json:"target"`
	Rules  []Rule              `json:"rules"`
}

// Rule is how a target column is made from the files of one class.
type Rule struct {
	Class    string             `json:"class"`
	From     string             `json:"from,omitempty"`      // the copy's column as the copy spells it; empty where it has none
	FromType string             `json:"from_type,omitempty"` // its type, for people
	Source   *schema.CopyColumn `json:"source,omitempty"`    // its type, for the caster
	Code     Code               `json:"code"`
	Answer   Answer             `json:"answer,omitempty"`
	Zone     string             `json:"zone,omitempty"`     // of the copy's timestamps, where the cast uses one
	Encoding string             `json:"encoding,omitempty"` // of the copy's text, where it is not UTF-8
	Legacy   bool               `json:"legacy,omitempty"`   // old dates are in the Julian calendar
	Note     string             `json:"note,omitempty"`     // what a person should know about it
}

// Choices lists the answers that the column takes, of all its rules.
func (c ColumnPlan) Choices() []Answer {
	var out []Answer
	for _, r := range c.Rules {
		for _, a := range r.Choices(c.Target) {
			if !slices.Contains(out, a) {
				out = append(out, a)
			}
		}
	}
	return out
}

// rule is the column's rule for a class, or nil.
func (c ColumnPlan) rule(class string) *Rule {
	for i := range c.Rules {
		if c.Rules[i].Class == class {
			return &c.Rules[i]
		}
	}
	return nil
}
