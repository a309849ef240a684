// Package footertest makes what tests of footers need and no product code makes.
package footertest

import (
	"fmt"

	"cdcseed/engine/schema"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
)

// Element is an optional leaf as c describes it, made of another flat column's.
func Element(like *footer.Node, c schema.CopyColumn) (footer.Element, error) {
	const kind, length, repetition = 1, 2, 3 // fields, as parquet.thrift numbers them
	e := like.CloneElements()[0]
	for p := footer.Physical(0); p <= footer.FixedBytes; p++ {
		if p.String() != c.Physical {
			continue
		}
		e.Struct().Set(kind, thrift.Int32(int32(p)))
		e.Struct().Delete(length)
		if p == footer.FixedBytes {
			e.Struct().Set(length, thrift.Int32(int32(c.Length)))
		}
		e.Struct().Set(repetition, thrift.Int32(int32(footer.Optional)))
		e.SetName(c.Name)
		return e, e.Annotate(c)
	}
	return e, fmt.Errorf("column %q: no leaf has type %q", c.Name, c.Physical)
}
