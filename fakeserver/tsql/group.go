package tsql

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"cdcseed/fakeserver/tds"
)

// grouping is a GROUP BY: its keys, and the aggregates asked for above it.
type grouping struct {
	keys       []groupKey
	aggregates []*aggregate
}

type groupKey struct {
	print string
	value scalar
}

func (g *grouping) slot(print string) (int, bool) {
	for i, k := range g.keys {
		if k.print == print {
			return i, true
		}
	}
	return 0, false
}

func (sc *scope) grouping(list []expr) (*grouping, error) {
	at := *sc
	at.clause = inGroupBy
	g := &grouping{}
	for _, e := range list {
		if hasSubquery(e) {
			return nil, at.misplacedAggregate()
		}
		c, err := at.scalar(e)
		if err != nil {
			return nil, err
		}
		if !sortable(c.t) {
			return nil, unsortable(c)
		}
		g.keys = append(g.keys, groupKey{at.fingerprint(e), c})
	}
	return g, nil
}

func sortable(t tds.Type) bool { return t.ID != tds.XMLType && !isLegacyLOB(t) }

func unsortable(c scalar) error {
	return Errorf(305, 16, "The %s data type cannot be compared or sorted, except when using the IS NULL operator.", TypeName(c.t))
}

// group is the rows with equal keys, folded into accumulators.
type group struct {
	keys []any
	accs []accumulator
}

// groups collects the groups of one run in the order they first appear.
type groups struct {
	g     *grouping
	byKey map[string]*group
	list  []*group
}

func (gs *groups) add(ctx context.Context, f *frame) error {
	keys := make([]any, len(gs.g.keys))
	var id strings.Builder
	for i, k := range gs.g.keys {
		v, err := k.value.eval(ctx, f)
		if err != nil {
			return err
		}
		keys[i] = v
		id.WriteString(valueKey(k.value.t, v, k.value.exact))
		id.WriteByte(0)
	}
	g := gs.byKey[id.String()]
	if g == nil {
		g = &group{keys: keys, accs: make([]accumulator, len(gs.g.aggregates))}
		gs.byKey[id.String()] = g
		gs.list = append(gs.list, g)
	}
	for i, a := range gs.g.aggregates {
		if err := g.accs[i].add(ctx, a, f); err != nil {
			return err
		}
	}
	return nil
}

// frame is where the expressions above the GROUP BY find the group's values.
func (gs *groups) frame(g *group, outer *frame) (*frame, error) {
	f := outer.inner(0)
	f.keys = g.keys
	for i, a := range gs.g.aggregates {
		v, err := g.accs[i].result(a)
		if err != nil {
			return nil, err
		}
		f.aggs = append(f.aggs, v)
	}
	return f, nil
}

// valueKey is equal for values of type t that compare as equal.
func valueKey(t tds.Type, v any, exact bool) string {
	switch x := v.(type) {
	case nil:
		return "-"
	case string:
		if exact {
			return "s" + strings.TrimRight(x, " ")
		}
		return "s" + fold(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case []byte:
		return "b" + strings.TrimRight(string(x), "\x00")
	case *big.Int:
		return "d" + x.String()
	case tds.GUID:
		return "g" + hex.EncodeToString(x[:])
	case time.Time:
		if t.ID == tds.DateTimNType {
			return fmt.Sprint(tds.Ticks(x))
		}
		return fmt.Sprint("t", x.Unix(), x.Nanosecond())
	}
	return fmt.Sprintf("%T%v", v, v)
}

func rowKey(cols []scalar, row []any) string {
	var b strings.Builder
	for i, v := range row {
		k := valueKey(cols[i].t, v, cols[i].exact)
		fmt.Fprintf(&b, "%d:%s", len(k), k)
	}
	return b.String()
}
