package delta

import (
	"strings"

	"cdcseed/engine/schema"
)

// widens reports whether Delta's type widening lists a change from one
// primitive type to another.
func widens(from, to string) bool {
	rank := map[string]int{"byte": 1, "short": 2, "integer": 3, "long": 4}
	digits := map[string]int{"byte": 3, "short": 5, "integer": 10, "long": 20}
	switch {
	case from == "date":
		return to == "timestamp_ntz"
	case from == "float":
		return to == "double"
	case rank[from] > 0 && rank[to] > 0:
		return rank[from] < rank[to]
	case to == "double":
		return rank[from] > 0 && from != "long"
	case !strings.HasPrefix(to, "decimal"):
		return false
	}
	t, err := schema.ParseDelta(to)
	if err != nil {
		return false
	}
	if whole := digits[from]; whole > 0 {
		return t.Precision-t.Scale >= whole
	}
	f, err := schema.ParseDelta(from)
	return err == nil && f.Kind == schema.Decimal && t.Scale >= f.Scale && t.Precision-t.Scale >= f.Precision-f.Scale
}
