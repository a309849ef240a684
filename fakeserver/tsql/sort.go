package tsql

import (
	"context"
	"sort"
)

// sortKey is one item of an ORDER BY.
type sortKey struct {
	value scalar
	desc  bool
}

func (sc *scope) sortKeys(items []orderItem) ([]sortKey, error) {
	var keys []sortKey
	for _, o := range items {
		c, err := sc.scalar(o.e)
		if err != nil {
			return nil, err
		}
		if !sortable(c.t) {
			return nil, unsortable(c)
		}
		keys = append(keys, sortKey{c, o.desc})
	}
	return keys, nil
}

func evalKeys(ctx context.Context, f *frame, keys []sortKey) ([]any, error) {
	vals := make([]any, len(keys))
	for i, k := range keys {
		v, err := k.value.eval(ctx, f)
		if err != nil {
			return nil, err
		}
		vals[i] = v
	}
	return vals, nil
}

// sortBy sorts by the values that of gives for the keys; NULL comes first, and
// equal ones stay in the order they were read.
func sortBy[T any](list []T, keys []sortKey, of func(T) []any) error {
	if len(keys) == 0 {
		return nil
	}
	var failure error
	sort.SliceStable(list, func(i, j int) bool {
		k, err := compareKeys(keys, of(list[i]), of(list[j]))
		if err != nil {
			failure = err
		}
		return k < 0
	})
	return failure
}

func compareKeys(keys []sortKey, a, b []any) (int, error) {
	for i, key := range keys {
		k, err := compareNullable(key.value, a[i], b[i])
		if err != nil || k == 0 {
			if err != nil {
				return 0, err
			}
			continue
		}
		if key.desc {
			return -k, nil
		}
		return k, nil
	}
	return 0, nil
}

func compareNullable(c scalar, a, b any) (int, error) {
	switch {
	case a == nil && b == nil:
		return 0, nil
	case a == nil:
		return -1, nil
	case b == nil:
		return 1, nil
	}
	return compareIn(Value{c.t, a}, Value{c.t, b}, c.exact)
}
