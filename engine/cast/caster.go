package cast

import (
	"fmt"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"cdcseed/engine/verdict"
)

// Caster casts batches of one file class. It counts as it goes and is for one
// goroutine; several of them report apart and Merge.
type Caster struct {
	class   string
	columns []*column
	from    []int // place of each target column's values in the batch; -1 where it has none
	keys    []keyPart
	wanted  []string // the copy's columns to read, in this order
}

// keyPart is a column of the key, and its place in the batch.
type keyPart struct {
	name string
	from int
}

// Caster makes a caster for the files of a class, from the rules alone. loc
// resolves the rules' zones; it may be nil where they name none but UTC and
// wall-clock. A mapping with open questions has no caster: its Refusal is the error.
func (m *Mapping) Caster(class string, loc Locate) (*Caster, error) {
	if err := m.Refusal(); err != nil {
		return nil, err
	}
	return m.Preview(class, loc)
}

// Preview makes a caster also where questions are open, to show people what is
// asked about. It takes values as they stand where no zone or order was named:
// what it makes must never be written.
func (m *Mapping) Preview(class string, loc Locate) (*Caster, error) {
	k := &Caster{class: class, wanted: []string{}}
	zones := map[string]*zone{}
	for _, p := range m.Columns {
		r := p.rule(class)
		if r == nil {
			return nil, fmt.Errorf("column %q has no rule for file class %q", p.Target.Name, class)
		}
		c := &column{target: p.Target, rule: *r, out: ArrowType(p.Target.Type), mem: memory.DefaultAllocator}
		if c.run = kernelOf(*r, p.Target); c.run == nil || c.out == nil {
			return nil, &verdict.Error{
				Code: verdict.PlanInvalid,
				What: fmt.Sprintf("column %q: no cast %q from %s to %s", p.Target.Name, r.Code, r.FromType, p.Target.Type),
				Hint: []string{"Make a new plan with this program."},
			}
		}
		z, err := zoneFor(r.Zone, zones, loc)
		if err != nil {
			return nil, err
		}
		c.zone = z
		k.add(c)
	}
	return k, nil
}

func (k *Caster) add(c *column) {
	from := -1
	if c.rule.Source != nil {
		from = len(k.wanted)
		k.wanted = append(k.wanted, c.rule.Source.Name)
		if c.target.Key {
			k.keys = append(k.keys, keyPart{c.target.Name, from})
		}
	}
	k.columns, k.from = append(k.columns, c), append(k.from, from)
}

// zoneFor is a zone's spans, shared by the columns; nil where nothing is shifted.
func zoneFor(name string, have map[string]*zone, loc Locate) (*zone, error) {
	if name == "" || name == WallClock || isUTC(name) {
		return nil, nil
	}
	if z := have[name]; z != nil {
		return z, nil
	}
	if loc == nil {
		return nil, unknownZone(name, nil)
	}
	l, err := loc(name)
	if err != nil {
		return nil, err
	}
	if l == time.UTC {
		return nil, nil
	}
	have[name] = newZone(l)
	return have[name], nil
}

// Columns names the copy's columns that a batch must hold, in this order.
func (k *Caster) Columns() []string { return k.wanted }

// Cast makes one array per target column, in the target's order and of
// ArrowType's types; the caller releases them. A value that is not written is
// NULL in its array and counted: see Report. Its errors are faults of the
// caller or of the machine, never of a value.
func (k *Caster) Cast(rec arrow.Record, at Place) (out []arrow.Array, err error) {
	if int(rec.NumCols()) != len(k.wanted) {
		return nil, fmt.Errorf("cast file class %q: the batch has %d columns, want %d", k.class, rec.NumCols(), len(k.wanted))
	}
	if len(k.keys) > 0 {
		at.key = func(i int) []KeyValue { return k.keyOf(rec, i) }
	}
	out = make([]arrow.Array, 0, len(k.columns))
	defer func() {
		if err != nil {
			for _, a := range out {
				a.Release()
			}
			out = nil
		}
	}()
	for i, c := range k.columns {
		if k.from[i] < 0 {
			out = append(out, c.absent(int(rec.NumRows()), at))
			continue
		}
		a, err := c.cast(rec.Column(k.from[i]), at)
		if err != nil {
			return out, err
		}
		out = append(out, a)
	}
	return out, nil
}

// keyOf is the key of the batch's i-th row, as the copy has it.
func (k *Caster) keyOf(rec arrow.Record, i int) []KeyValue {
	out := make([]KeyValue, len(k.keys))
	for j, p := range k.keys {
		out[j] = KeyValue{Column: p.name, Value: wholeText(rec.Column(p.from), i)}
	}
	return out
}

func (c *column) cast(src arrow.Array, at Place) (arrow.Array, error) {
	if src.DataType().ID() == arrow.NULL { // it knows of no single NULL
		out := allNull(c.mem, c.out, src.Len())
		c.begin(out, at)
		c.finish(out)
		return out, nil
	}
	c.begin(src, at)
	out, err := c.run(c, src)
	if err != nil {
		return nil, err
	}
	c.finish(out)
	return out, nil
}

// Report is what was counted since the caster was made.
func (k *Caster) Report() Report {
	r := Report{Columns: make(map[string]ColumnReport, len(k.columns))}
	for _, c := range k.columns {
		r.Columns[c.target.Name] = c.result()
	}
	return r
}

// Err is Report().Err() without making a report while all is well.
func (k *Caster) Err() error {
	for _, c := range k.columns {
		if c.refused > 0 {
			return k.Report().Err()
		}
	}
	return nil
}
