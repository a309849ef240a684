package splice

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/cast"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/store"
)

// Job is one file to stage.
type Job struct {
	Key       string             // of the new file, below the target's root
	File      string             // the copy's file, for samples and errors
	From      store.File         // that file, open
	Columns   []rewrite.Column   // of the table, in its order
	Mapping   *cast.Mapping      // of the copy: a column's Cast is a place in its columns
	Class     string             // of the file
	Locate    cast.Locate        // resolves the rules' zones
	Names     map[string]string  // a copy's column to its name in the file; nil where they are the same
	Partition map[string]*string // values beside the file, by the copy's column; nil is NULL
	Ways      []Choice           // beside Columns, as the plan has them
	Known     *Ranges            // what was proven of other files of the copy; may be nil

	Codec        parquetfile.Codec // of what is encoded anew; empty is Snappy
	StatsColumns []string          // columns with statistics; nil is the first 32
}

// column is a column of the new file.
type column struct {
	rewrite.Column
	way        Way
	plan       cast.ColumnPlan // of one that is cast
	class      string
	from       string // its name in the copy's file
	dictionary bool   // worth one in what is encoded anew
	reason     string // of another way than was planned

	node    *footer.Node            // in the copy's file; nil where it has none
	pages   []footer.Pages          // of its chunks, by row group
	tried   map[int]*castDictionary // those that were cast to try, by row group, as far as there is room
	recoder *recoder                // of one that is recoded
	value   one                     // of one that holds it in every row
	element footer.Element          // in the new schema
	chunks  []footer.Chunk          // in the new footer, by row group
	placed  []int64                 // where the chunks of a recoded one stand
	stats   parquetfile.ColumnBounds
}

// rule is how the column is made of the file.
func (c column) rule() cast.Rule { return c.plan.Rules[0] }

// Decision is how one file gets into the target.
type Decision struct {
	Rewrite string   `json:"rewrite,omitempty"` // why the whole file has to go through Arrow; empty where it has not
	Columns []Choice `json:"columns"`           // beside the table's columns, where it has not
}

// Decide chooses the ways of a file's columns. names are those of the copy's
// columns in the file; known, which may be nil, is what was proven of other files.
// All rows of the file must stay: bytes cannot be copied without some of them.
func Decide(s *Source, columns []rewrite.Column, m *cast.Mapping, class string, names map[string]string, known *Ranges) (Decision, error) {
	if err := s.Refused(); err != nil {
		return Decision{}, err
	}
	if p := s.harshest(footer.Rewrite); p != nil {
		return Decision{Rewrite: p.Error()}, nil
	}
	out := Decision{Columns: make([]Choice, len(columns))}
	copied := false
	for i, c := range columns {
		at, cast := c.Cast()
		if !cast {
			out.Columns[i] = Choice{Way: Constant, Reason: "the same in every row"}
			continue
		}
		plan, rule, err := ruleOf(m, at, class)
		if err != nil {
			return Decision{}, err
		}
		out.Columns[i] = Choose(rule, plan.Target, s.Facts(inFile(names, rule.From)), known)
		copied = copied || out.Columns[i].Way.Copies() || out.Columns[i].Way == Dictionary
	}
	if !copied {
		return Decision{Rewrite: "no column's bytes can be kept"}, nil
	}
	return out, nil
}

func inFile(names map[string]string, from string) string {
	if n, ok := names[from]; ok {
		return n
	}
	return from
}

func ruleOf(m *cast.Mapping, at int, class string) (cast.ColumnPlan, cast.Rule, error) {
	if at >= len(m.Columns) {
		return cast.ColumnPlan{}, cast.Rule{}, fmt.Errorf("column %d of %d", at, len(m.Columns))
	}
	p := m.Columns[at]
	i := slices.IndexFunc(p.Rules, func(r cast.Rule) bool { return r.Class == class })
	if i < 0 {
		return p, cast.Rule{}, fmt.Errorf("column %q has no rule for file class %q", p.Target.Name, class)
	}
	return p, p.Rules[i], nil
}

// columns puts together what each column is made of.
func (j Job) columns(s *Source) ([]column, error) {
	if len(j.Ways) != len(j.Columns) {
		return nil, fmt.Errorf("%d ways for %d columns", len(j.Ways), len(j.Columns))
	}
	out := make([]column, len(j.Columns))
	for i, c := range j.Columns {
		out[i] = column{Column: c, way: j.Ways[i].Way, class: j.Class}
		at, isCast := c.Cast()
		if !isCast {
			if out[i].way != Constant {
				return nil, fmt.Errorf("column %q is a constant and planned as %s", c.Name, out[i].way)
			}
			continue
		}
		plan, rule, err := ruleOf(j.Mapping, at, j.Class)
		if err != nil {
			return nil, err
		}
		out[i].plan = cast.ColumnPlan{Target: plan.Target, Rules: []cast.Rule{rule}}
		out[i].from = inFile(j.Names, rule.From)
		if n := s.columns[out[i].from]; n != nil {
			out[i].node, out[i].dictionary = n, s.dictionary(n.Leaf)
		} else if out[i].way != Null && out[i].way != Constant {
			return nil, fmt.Errorf("%w: column %q was planned as %s and there is no flat column %q", ErrChanged, c.Name, out[i].way, out[i].from)
		}
		if err := out[i].stands(s, j.Known); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// value is what a constant column holds: its own value, or what the cast makes of
// a partition value, which then counts for every row.
func (j Job) value(c column, rows int64) (arrow.Array, *cast.ColumnReport, error) {
	if _, isCast := c.Cast(); !isCast {
		a, err := c.One(memory.DefaultAllocator)
		return a, nil, err
	}
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	text, ok := j.Partition[c.rule().From]
	switch {
	case !ok:
		return nil, nil, fmt.Errorf("column %q has no partition value", c.Name)
	case text == nil:
		b.AppendNull()
	default:
		b.Append(*text)
	}
	in := b.NewArray()
	defer in.Release()
	out, report, err := castOne(c.rule(), c.plan.Target, in, j.Locate)
	if err != nil {
		return nil, nil, err
	}
	report = times(report, rows)
	return out, &report, nil
}

// times is a report of one row as one of n rows that are all alike.
func times(r cast.ColumnReport, n int64) cast.ColumnReport {
	const name = ""
	power, out := cast.Report{Columns: map[string]cast.ColumnReport{name: r}}, cast.Report{}
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out = cast.Merge(out, power)
		}
		power = cast.Merge(power, power)
	}
	return out.Columns[name]
}
