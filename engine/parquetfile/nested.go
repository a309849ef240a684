package parquetfile

import (
	"errors"

	"github.com/apache/arrow/go/v17/arrow/array"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// The values of nested columns are put together here, not by the library: it
// decodes the parts of a nested column in goroutines of its own, where a broken
// page would end the process.

// bind connects the node with the builder of its type.
func (n *node) bind(b array.Builder, sc *pqschema.Schema) (err error) {
	switch b := b.(type) {
	case *array.StructBuilder:
		n.build = func() error { return n.structValue(b) }
		for i, c := range n.children {
			if err := c.bind(b.FieldBuilder(i), sc); err != nil {
				return err
			}
		}
	case *array.MapBuilder:
		n.build = func() error { return n.listValue(b.AppendNull, b.Append) }
		entry, kv := n.children[0], n.children[0].children
		entry.build = func() error { return errors.Join(kv[0].build(), kv[1].build()) }
		return errors.Join(kv[0].bind(b.KeyBuilder(), sc), kv[1].bind(b.ItemBuilder(), sc))
	case *array.ListBuilder:
		n.build = func() error { return n.listValue(b.AppendNull, b.Append) }
		return n.children[0].bind(b.ValueBuilder(), sc)
	default:
		n.leaf, err = newLeaf(sc.Column(n.index), b)
		n.build = n.leafValue
	}
	return err
}

func (n *node) leafValue() error {
	if _, _, ok, err := n.leaf.peek(); err != nil || !ok {
		return errors.Join(err, missing(ok))
	}
	return n.leaf.take()
}

func missing(ok bool) error {
	if ok {
		return nil
	}
	return errShort
}

func (n *node) structValue(b *array.StructBuilder) error {
	def, _, ok, err := n.firstLeaf().peek()
	if err != nil || !ok {
		return errors.Join(err, missing(ok))
	}
	if n.nullable && def < n.def {
		b.AppendNull()
		return n.skip()
	}
	b.Append(true)
	for _, c := range n.children {
		if err := c.build(); err != nil {
			return err
		}
	}
	return nil
}

// listValue appends a list or a map: def is the level at which it has an
// element, one below is empty, less is null.
func (n *node) listValue(null func(), open func(bool)) error {
	first := n.firstLeaf()
	def, _, ok, err := first.peek()
	if err != nil || !ok {
		return errors.Join(err, missing(ok))
	}
	if def < n.def {
		if n.nullable && def < n.def-1 {
			null()
		} else {
			open(true)
		}
		return n.skip()
	}
	open(true)
	for more := true; more; {
		if err := n.children[0].build(); err != nil {
			return err
		}
		_, rep, ok, err := first.peek()
		if err != nil {
			return err
		}
		more = ok && rep >= n.rep
	}
	return nil
}

// skip passes by the one entry that stands in every leaf for a missing value.
func (n *node) skip() error {
	for _, l := range n.allLeaves(nil) {
		if _, _, ok, err := l.peek(); err != nil || !ok {
			return errors.Join(err, missing(ok))
		}
		if err := l.skip(); err != nil {
			return err
		}
	}
	return nil
}

func (n *node) firstLeaf() leaf {
	for len(n.children) > 0 {
		n = n.children[0]
	}
	return n.leaf
}

func (n *node) allLeaves(to []leaf) []leaf {
	if n.leaf != nil {
		to = append(to, n.leaf)
	}
	for _, c := range n.children {
		to = c.allLeaves(to)
	}
	return to
}

// rows appends count values of the column, or fewer where they take more than most
// bytes, and answers how many. Every leaf must be at the start of a row then.
func (n *node) rows(count, most int) (int, error) {
	all := n.allLeaves(nil)
	for row := range count {
		size := 0
		for _, l := range all {
			_, rep, ok, err := l.peek()
			if err != nil || !ok {
				return 0, errors.Join(err, missing(ok))
			}
			if rep != 0 {
				return 0, errors.New("the parts of a nested column disagree on where rows begin")
			}
			size += l.size()
		}
		if size > most && row > 0 {
			return row, nil
		}
		if err := n.build(); err != nil {
			return 0, err
		}
	}
	return count, nil
}
