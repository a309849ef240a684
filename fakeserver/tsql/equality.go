package tsql

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"cdcseed/fakeserver/tds"
)

// equality is the columns of a join's left and right side that ON or WHERE calls
// equal, as the object_id of two catalogue views. Comparing them never fails, and
// only rows that have the same key in them can be partners.
type equality struct{ left, right []place }

// equality finds them in a condition; nil where there are none.
func (sc *scope) equality(on cond, l, r *rowSource) *equality {
	e := &equality{}
	for _, c := range conjuncts(on) {
		x, ok := c.(comparison)
		if !ok || x.op != "=" {
			continue
		}
		a, kindA := sc.keyColumn(x.l)
		b, kindB := sc.keyColumn(x.r)
		switch {
		case kindA == noKey || kindA != kindB:
		case l.has(a) && r.has(b):
			e.left, e.right = append(e.left, a), append(e.right, b)
		case l.has(b) && r.has(a):
			e.left, e.right = append(e.left, b), append(e.right, a)
		}
	}
	if len(e.left) == 0 {
		return nil
	}
	return e
}

// keyKind is what kind of key a column is: equal values of one kind have one key.
type keyKind int

const (
	noKey keyKind = iota
	numberKey
	textKey
	bytesKey
)

func (sc *scope) keyColumn(e expr) (place, keyKind) {
	c, ok := e.(column)
	if !ok {
		return place{}, noKey
	}
	at, err := sc.find(c.parts)
	if err != nil || at.depth != 0 {
		return place{}, noKey
	}
	return at, keyKindOf(sc.sources[at.source].cols[at.column].Type)
}

func keyKindOf(t tds.Type) keyKind {
	switch {
	case isInt(t):
		return numberKey
	case isLegacyLOB(t):
		return noKey
	case isString(t):
		return textKey
	case isBinary(t):
		return bytesKey
	}
	return noKey
}

func (r *rowSource) has(p place) bool { return p.source >= r.first && p.source < r.last }

// partners are the rows of a join's right side by the key they are looked up by.
type partners struct {
	equal *equality
	all   []int
	by    map[string][]int // nil: every row may be a partner
}

// index orders the rows of the right side, whose sources begin at first.
func (e *equality) index(first int, right [][][]any) *partners {
	p := &partners{equal: e}
	if e == nil {
		p.all = make([]int, len(right))
		for i := range right {
			p.all[i] = i
		}
		return p
	}
	p.by = map[string][]int{}
	for i, rows := range right {
		if key, ok := joinKey(rows, first, e.right); ok {
			p.by[key] = append(p.by[key], i)
		}
	}
	return p
}

// of are the rows to try for the row that f's left side is at.
func (p *partners) of(f *frame) []int {
	if p.by == nil {
		return p.all
	}
	key, ok := joinKey(f.rows, 0, p.equal.left)
	if !ok {
		return nil
	}
	return p.by[key]
}

// joinKey is the same for rows whose columns may be equal; false for one with a
// NULL among them, which equals nothing. Text is folded whatever the collation:
// rows that it tells apart are only tried in vain.
func joinKey(rows [][]any, first int, columns []place) (string, bool) {
	var b strings.Builder
	for _, at := range columns {
		row := rows[at.source-first]
		if row == nil || row[at.column] == nil {
			return "", false
		}
		var key string
		switch v := row[at.column].(type) {
		case int64:
			key = strconv.FormatInt(v, 10)
		case string:
			key = fold(v)
		case []byte:
			key = string(bytes.TrimRight(v, "\x00")) // missing bytes at the end are zeros
		default:
			key = fmt.Sprint(v)
		}
		b.WriteString(strconv.Itoa(len(key)))
		b.WriteByte(':')
		b.WriteString(key)
	}
	return b.String(), true
}
