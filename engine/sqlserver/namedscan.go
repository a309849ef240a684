package sqlserver

import (
	"database/sql"
	"fmt"
	"strings"
)

// namedScan reads rows of a procedure by column name: procedures gain columns
// from one version to the next, and some are called otherwise than documented.
type namedScan struct {
	at     map[string]int
	values []any
	dest   []any
}

func newNamedScan(rows *sql.Rows) (*namedScan, error) {
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	n := &namedScan{at: map[string]int{}, values: make([]any, len(names)), dest: make([]any, len(names))}
	for i, name := range names {
		n.at[strings.ToLower(name)] = i
		n.dest[i] = &n.values[i]
	}
	return n, nil
}

func (n *namedScan) next(rows *sql.Rows) error { return rows.Scan(n.dest...) }

// value is the present row's value of the first of the columns that exists, nil for NULL.
func (n *namedScan) value(columns ...string) any {
	for _, c := range columns {
		if i, ok := n.at[c]; ok {
			return n.values[i]
		}
	}
	return nil
}

func (n *namedScan) text(columns ...string) string {
	switch v := n.value(columns...).(type) {
	case nil:
		return ""
	case []byte:
		return string(v)
	default:
		return fmt.Sprint(v)
	}
}

// integer is a number, 0 for NULL.
func (n *namedScan) integer(columns ...string) int64 {
	v, _ := n.value(columns...).(int64)
	return v
}
