package splice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"cdcseed/engine/cast"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/splice/footer"
)

// prepare finds out, before a byte is written, what each column is made of: the
// pages of chunks to copy are walked, dictionaries are tried, constants are made.
func (s *stage) prepare(ctx context.Context) error {
	for i := range s.columns {
		c := &s.columns[i]
		if !c.way.Copies() && c.way != Dictionary {
			continue
		}
		if err := s.walk(ctx, c); err != nil {
			return err
		}
	}
	for i := range s.columns {
		if err := s.make(ctx, &s.columns[i]); err != nil {
			return err
		}
	}
	s.order = make([]int, len(s.columns))
	for i := range s.order {
		s.order[i] = i
	}
	rank := map[Way]int{Copied: 0, Annotated: 0, Dictionary: 1, Recoded: 2, Constant: 3, Null: 3}
	slices.SortStableFunc(s.order, func(a, b int) int {
		x, y := s.columns[a], s.columns[b]
		if n := cmp.Compare(rank[x.way], rank[y.way]); n != 0 || !x.way.Copies() {
			return n
		}
		return physicalOrder(s.groups, x.node.Leaf, y.node.Leaf)
	})
	return nil
}

// walk reads the page headers of a column's chunks. Pages of a kind that the
// footer did not tell of, and that may not be copied, have the column recoded.
func (s *stage) walk(ctx context.Context, c *column) error {
	for g, group := range s.groups {
		if err := ctx.Err(); err != nil {
			return err
		}
		pages, err := footer.Walk(s.job.From, c.node, group.Chunk(c.node.Leaf), nil)
		if err != nil {
			return fmt.Errorf("row group %d: %w", g, err)
		}
		c.pages = append(c.pages, pages)
		s.out.counts.Pages += pages.Data + pages.Other
		if pages.Odd {
			c.recode("a page uses " + pages.NotKept.String())
			return nil
		}
	}
	if c.way != Dictionary {
		return nil
	}
	d, room := s.dictionaries(c), triedBytes
	c.tried = map[int]*castDictionary{}
	for g, group := range s.groups {
		made, err := d.cast(ctx, group.Chunk(c.node.Leaf), c.pages[g])
		if errors.Is(err, errByRows) {
			c.recode(err.Error())
			return nil
		}
		if err != nil {
			return err
		}
		if room -= len(made.page); room >= 0 {
			c.tried[g] = made
		}
	}
	return nil
}

// triedBytes is how much of a column's new dictionaries is held until their row
// groups are written; the others are cast twice.
const triedBytes = 4 << 20

func (c *column) recode(why string) {
	c.way, c.reason, c.pages, c.tried = Recoded, why, nil, nil
}

func (s *stage) dictionaries(c *column) dictionaryCaster {
	return dictionaryCaster{col: *c, node: c.node, foot: s.src.foot, from: s.job.From, locate: s.job.Locate}
}

// make makes what a column needs that is no copy.
func (s *stage) make(ctx context.Context, c *column) (err error) {
	switch c.way {
	case Recoded:
		if s.in == nil {
			if s.in, err = parquetfile.Open(s.job.From); err != nil {
				return err
			}
		}
		c.recoder, err = newRecoder(ctx, s.in, s.job.File, *c, s.job.Locate, s.job.Codec)
		return err
	case Constant:
		value, report, err := s.job.value(*c, s.src.Rows())
		if err != nil {
			return err
		}
		defer value.Release()
		if report != nil {
			s.report.Columns[c.plan.Target.Name] = *report
			if err := s.report.Err(); err != nil {
				return err
			}
		}
		return s.fill(c, value)
	case Null:
		return s.nothing(c)
	}
	return nil
}

// fill makes the value of a column that holds it in every row.
func (s *stage) fill(c *column, value arrow.Array) error {
	if value.IsNull(0) {
		return s.empty(c)
	}
	made, err := encode(c.Name, c.FieldID, value)
	if err != nil {
		return err
	}
	c.element, c.stats = made.element, made.stats
	c.value = one{physical: made.element.Physical(), plain: made.plain}
	if low, ok := bound(made.plain, c.value.physical); ok {
		c.value.bound = low
	}
	return nil
}

// bound is a plain value as statistics have it; false for one that is left out of
// them: a float's, whose NaN and zeros have no agreed order.
func bound(plain []byte, p footer.Physical) ([]byte, bool) {
	if p == footer.Float || p == footer.Double {
		return nil, false
	}
	return withoutLength(plain, p), true
}

// empty is a column without a value.
func (s *stage) empty(c *column) error {
	t := cast.ArrowType(c.Type)
	if t == nil {
		return fmt.Errorf("column %q has no type", c.Name)
	}
	none := array.MakeArrayOfNull(s.mem, t, 0)
	defer none.Release()
	made, err := encode(c.Name, c.FieldID, none)
	if err != nil {
		return err
	}
	c.element = made.element
	c.value = one{physical: made.element.Physical()}
	c.stats = parquetfile.ColumnBounds{Name: c.Name, Nulls: s.src.Rows()}
	return nil
}

// nothing is a column without a value by its rule, whose rows the cast counts.
func (s *stage) nothing(c *column) error {
	m := cast.Mapping{Columns: []cast.ColumnPlan{c.plan}}
	k, err := m.Caster(c.class, s.job.Locate)
	if err != nil {
		return err
	}
	for row := int64(0); row < s.src.Rows(); row += recodeRows {
		n := min(recodeRows, s.src.Rows()-row)
		fields, arrays := []arrow.Field{}, []arrow.Array{}
		for _, name := range k.Columns() { // of a type without any value
			fields, arrays = append(fields, arrow.Field{Name: name, Type: arrow.Null, Nullable: true}), append(arrays, array.NewNull(int(n)))
		}
		rec := array.NewRecord(arrow.NewSchema(fields, nil), arrays, n)
		made, err := k.Cast(rec, cast.Place{File: s.job.File, FirstRow: row + 1})
		rec.Release()
		if err != nil {
			return err
		}
		made[0].Release()
		if err := k.Err(); err != nil {
			return err
		}
	}
	s.report = cast.Merge(s.report, k.Report())
	return s.empty(c)
}
