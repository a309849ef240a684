package cast

import (
	"fmt"

	"cdcseed/engine/schema"
)

// Pair is the cast from a copy's column to a target's, if there is one.
func Pair(from schema.CopyColumn, to schema.TargetColumn) (Code, bool) { return pair(from, to) }

// MatrixCells names each line of the matrix with each form that it takes.
func MatrixCells() []string {
	var out []string
	for k, e := range matrix() {
		for _, f := range e.from {
			out = append(out, e.cell(k, f))
		}
	}
	return out
}

// MatrixCell is the one that a pair of columns falls into.
func MatrixCell(from schema.CopyColumn, to schema.TargetColumn) string {
	for k, e := range matrix() {
		if f := formOf(from); e.fits(f, from, to) {
			return e.cell(k, f)
		}
	}
	return ""
}

func (e entry) cell(k int, f form) string {
	return fmt.Sprintf("line %d, form %d to kind %v by %s", k, f, e.kind, e.code)
}
