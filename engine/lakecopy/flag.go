package lakecopy

import (
	"fmt"
	"strings"

	"cdcseed/engine/verdict"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// flag finds the rows that a soft-delete column flags.
type flag struct {
	mark   Mark
	column string // as the file's class spells it
}

// span is a run of rows that stay.
type span struct{ from, to int64 }

func length(spans []span) int {
	n := int64(0)
	for _, s := range spans {
		n += s.to - s.from
	}
	return int(n)
}

// among is the rows of spans that are not flagged. A NULL never flags.
func (f *flag) among(a arrow.Array, spans []span) ([]span, error) {
	var out []span
	for _, s := range spans {
		for at := s.from; at < s.to; at++ {
			deleted, err := f.deleted(a, int(at))
			if err != nil {
				return nil, err
			}
			if deleted {
				continue
			}
			if last := len(out) - 1; last >= 0 && out[last].to == at {
				out[last].to++
			} else {
				out = append(out, span{at, at + 1})
			}
		}
	}
	return out, nil
}

func (f *flag) deleted(a arrow.Array, i int) (bool, error) {
	if a.IsNull(i) || a.DataType().ID() == arrow.NULL {
		return false, nil
	}
	text, isText := textAt(a, i)
	switch {
	case f.mark.When == WhenSet:
		return !isText || strings.TrimSpace(text) != "", nil
	case f.mark.When == WhenDelete && isText:
		return deletes(text)
	case f.mark.When == WhenDelete:
		return false, fmt.Errorf("a column of %s names no operation", a.DataType())
	}
	if isText {
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "true", "t", "1", "yes", "y":
			return true, nil
		case "false", "f", "0", "no", "n", "":
			return false, nil
		}
		return false, fmt.Errorf("%.40q is neither true nor false", text)
	}
	switch a := a.(type) {
	case *array.Boolean:
		return a.Value(i), nil
	case *array.Int8:
		return a.Value(i) != 0, nil
	case *array.Int16:
		return a.Value(i) != 0, nil
	case *array.Int32:
		return a.Value(i) != 0, nil
	case *array.Int64:
		return a.Value(i) != 0, nil
	case *array.Uint8:
		return a.Value(i) != 0, nil
	}
	return false, fmt.Errorf("a column of %s is no flag", a.DataType())
}

// deletes reports whether an operation is a delete, by the letters and words that
// tools write for it. One that is unknown is an error: it may be a delete.
func deletes(operation string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(operation)) {
	case "d", "-d", "del", "delete", "deleted":
		return true, nil
	case "", "i", "u", "c", "r", "e", "+i", "+u", "ins", "upd", "insert", "update", "create", "read", "upsert", "refresh", "load":
		return false, nil
	}
	return false, fmt.Errorf("%.40q is no operation that is known", operation)
}

func textAt(a arrow.Array, i int) (string, bool) {
	switch a := a.(type) {
	case *array.String:
		return a.Value(i), true
	case *array.Binary:
		return a.ValueString(i), true
	}
	return "", false
}

// pick copies the rows of some spans; an array of which all rows stay is taken as it is.
func pick(a arrow.Array, spans []span) (arrow.Array, error) {
	switch {
	case len(spans) == 1 && spans[0].from == 0 && int(spans[0].to) == a.Len():
		a.Retain()
		return a, nil
	case len(spans) == 0:
		return array.NewSlice(a, 0, 0), nil
	case len(spans) == 1:
		return array.NewSlice(a, spans[0].from, spans[0].to), nil
	}
	parts := make([]arrow.Array, len(spans))
	for i, s := range spans {
		parts[i] = array.NewSlice(a, s.from, s.to)
		defer parts[i].Release()
	}
	if a.DataType().ID() == arrow.NULL {
		return array.NewNull(length(spans)), nil
	}
	return array.Concatenate(parts, memory.DefaultAllocator)
}

func (s *Scanner) flagError(err error) error {
	keep := "Keep all rows with --keep-deleted, or write the copy again without the flagged rows."
	if s.flag.mark.Kind == Operation {
		keep = "Keep all rows with --ignore-mark " + verdict.ShellWord(s.flag.mark.Column) + ", or write the copy again without the deleted rows."
	}
	return &verdict.Error{
		Code:  verdict.CopyMarks,
		What:  fmt.Sprintf("flag column %q of data file %q cannot be followed", s.flag.mark.Column, s.file.Key),
		Facts: verdict.Facts("tool", s.flag.mark.Tool),
		Why:   "Whether a row is deleted in the source must be certain.",
		Hint:  []string{keep},
		Err:   err,
	}
}
