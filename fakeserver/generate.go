package fakeserver

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/big"
	"strconv"
	"strings"
	"time"

	"cdcseed/fakeserver/tds"
)

// generate makes a table's rows by rule. Row n (from 1) of a column is a
// function of the rule's seed, the column's name and n alone: the hash is 64-bit FNV-1a
// over "seed/name/n", mixed by the finaliser of MurmurHash3.
func (t *table) generate(rule RowRule, path string, put func([]any, string) error) error {
	if rule.Rows < 1 || rule.Rows > 1_000_000 {
		return at(path+".rows", "%d is not 1 to 1000000", rule.Rows)
	}
	makers := make([]func(n int) any, len(t.columns))
	for name, r := range rule.Columns {
		i := t.column(name)
		p := path + ".columns." + name
		if i < 0 || !t.columns[i].insertable() {
			return at(p, "table %s.%s has no such column to fill", t.schema, t.name)
		}
		f, err := t.columns[i].maker(r, rule, p)
		if err != nil {
			return err
		}
		makers[i] = f
	}
	for i, c := range t.columns {
		if makers[i] == nil && c.insertable() {
			return at(path+".columns", "there is no rule for %s", c.name)
		}
	}
	for n := 1; n <= rule.Rows; n++ {
		row := make([]any, len(t.columns))
		for i, f := range makers {
			if f != nil {
				row[i] = f(n)
			}
		}
		if err := put(row, fmt.Sprintf("%s row %d", path, n)); err != nil {
			return err
		}
	}
	return nil
}

func hashOf(seed uint64, column string, n int) uint64 {
	h := fnv.New64a()
	h.Write(fmt.Appendf(nil, "%d/%s/%d", seed, column, n))
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// maker is the rule as a function of the row number. Its values are checked
// here: the first and the last of a series, every choice of a list.
func (c *column) maker(r ColumnRule, whole RowRule, path string) (func(int) any, error) {
	if r.NullIn > 0 && !c.nullable {
		return nil, at(path+".null_in", "column %s is not nullable", c.name)
	}
	hash := func(n int) uint64 { return hashOf(whole.Seed, c.name, n) }
	f, err := c.plainMaker(r, whole.Rows, hash, path)
	if err != nil || r.NullIn == 0 {
		return f, err
	}
	return func(n int) any {
		if hashOf(whole.Seed, c.name+"/null", n)%r.NullIn == 0 {
			return nil
		}
		return f(n)
	}, nil
}

func (c *column) plainMaker(r ColumnRule, rows int, hash func(int) uint64, path string) (func(int) any, error) {
	rules := 0
	for _, set := range []bool{r.From != nil, r.Pick != nil, r.Between != nil, r.Text != "", r.Hash != 0} {
		if set {
			rules++
		}
	}
	if rules != 1 {
		return nil, at(path, "exactly one of from, pick, between, text and hash is needed")
	}
	switch {
	case r.From != nil:
		series := func(n int) any { return *r.From + int64(n-1)*r.Step }
		for _, n := range []int{1, rows} {
			if _, err := c.cell(fmt.Append(nil, series(n))); err != nil || !strings.HasSuffix(c.typ.name, "int") {
				return nil, at(path+".from", "column %s of type %s cannot hold %v", c.name, c.typ, series(n))
			}
		}
		return series, nil
	case r.Pick != nil:
		return c.picker(r.Pick, hash, path)
	case r.Between != nil:
		return c.between(r.Between, hash, path)
	case r.Text != "":
		return c.texter(r.Text, hash, path)
	}
	return c.hasher(r.Hash, hash, path)
}

func (c *column) picker(list []json.RawMessage, hash func(int) uint64, path string) (func(int) any, error) {
	values := make([]any, len(list))
	for i, raw := range list {
		v, err := c.cell(raw)
		if err != nil {
			return nil, at(fmt.Sprintf("%s.pick[%d]", path, i), "%v", err)
		}
		values[i] = v
	}
	if len(values) == 0 {
		return nil, at(path+".pick", "at least one value is needed")
	}
	return func(n int) any { return values[hash(n)%uint64(len(values))] }, nil
}

// between spreads values evenly from the lowest to the highest, both possible.
func (c *column) between(ends []json.RawMessage, hash func(int) uint64, path string) (func(int) any, error) {
	if len(ends) != 2 {
		return nil, at(path+".between", "two values are needed")
	}
	low, err := c.cell(ends[0])
	if err != nil {
		return nil, at(path+".between[0]", "%v", err)
	}
	high, err := c.cell(ends[1])
	if err != nil {
		return nil, at(path+".between[1]", "%v", err)
	}
	a, b := c.units(low), c.units(high)
	if a == nil || b == nil || a.Cmp(b) > 0 {
		return nil, at(path+".between", "column %s has no values from %s to %s", c.name, short(ends[0]), short(ends[1]))
	}
	span := new(big.Int).Sub(b, a)
	span.Add(span, big.NewInt(1))
	return func(n int) any {
		x := new(big.Int).SetUint64(hash(n))
		return c.fromUnits(x.Mod(x, span).Add(x, a), low)
	}, nil
}

// units counts a value in the smallest steps of its type.
func (c *column) units(v any) *big.Int {
	switch x := v.(type) {
	case int64:
		return big.NewInt(x)
	case *big.Int:
		return x
	case tds.MoneyVal:
		return big.NewInt(int64(x))
	case float64:
		return big.NewInt(int64(x * 1000))
	case time.Time:
		return new(big.Int).Div(new(big.Int).Add(new(big.Int).Mul(big.NewInt(x.Unix()), big.NewInt(1e9)),
			big.NewInt(int64(x.Nanosecond()))), big.NewInt(int64(c.step())))
	}
	return nil
}

// step is the smallest step of a time type; datetime's is the millisecond,
// which is then rounded to a tick.
func (c *column) step() time.Duration {
	switch c.typ.name {
	case "date":
		return 24 * time.Hour
	case "smalldatetime":
		return time.Minute
	case "datetime":
		return time.Millisecond
	}
	d := time.Second
	for range c.typ.scale {
		d /= 10
	}
	return d
}

func (c *column) fromUnits(n *big.Int, like any) any {
	switch x := like.(type) {
	case int64:
		return n.Int64()
	case *big.Int:
		return n
	case tds.MoneyVal:
		return tds.MoneyVal(n.Int64())
	case float64:
		f := float64(n.Int64()) / 1000
		if c.typ.name == "real" {
			f = float64(float32(f))
		}
		return f
	case time.Time:
		s, rest := new(big.Int).DivMod(new(big.Int).Mul(n, big.NewInt(int64(c.step()))), big.NewInt(1e9), new(big.Int))
		t := time.Unix(s.Int64(), rest.Int64()).In(x.Location())
		if c.typ.name == "datetime" {
			t = toDateTime(t)
		}
		return t
	}
	return nil
}

// texter fills {n} with the row number and {h} with eight digits of hash.
func (c *column) texter(text string, hash func(int) uint64, path string) (func(int) any, error) {
	make := func(n int) string {
		s := strings.ReplaceAll(text, "{n}", strconv.Itoa(n))
		return strings.ReplaceAll(s, "{h}", fmt.Sprintf("%08x", hash(n)>>32))
	}
	longest := textLength(c.typ, make(1_000_000))
	if !c.typ.isText() || c.typ.length > 0 && longest > c.typ.length {
		return nil, at(path+".text", "column %s of type %s cannot hold it", c.name, c.typ)
	}
	return func(n int) any { return c.pad(make(n)) }, nil
}

// hasher makes bytes of hash for binary columns and identifiers.
func (c *column) hasher(size int, hash func(int) uint64, path string) (func(int) any, error) {
	guid := c.typ.name == "uniqueidentifier"
	binary := c.typ.name == "binary" || c.typ.name == "varbinary"
	if !guid && !binary || size < 1 || size > 1000 || guid && size != 16 || c.typ.length > 0 && size > c.typ.length {
		return nil, at(path+".hash", "column %s of type %s cannot hold %d bytes of hash", c.name, c.typ, size)
	}
	return func(n int) any {
		b := []byte{}
		for i := 0; len(b) < size; i++ {
			b = fmt.Appendf(b, "%s", bytesOf(hash(n*1000+i)))
		}
		if guid {
			return tds.GUID(b[:16])
		}
		return c.pad(b[:size])
	}, nil
}

func bytesOf(x uint64) []byte {
	b := make([]byte, 8)
	for i := range b {
		b[i] = byte(x >> (8 * i))
	}
	return b
}
