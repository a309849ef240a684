package engine

import (
	"fmt"
	"slices"
	"strings"

	"cdcseed/engine/lakecopy"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// settledMark is what comes of another tool's mark under the answers given.
type settledMark struct {
	lakecopy.Mark
	asked   bool            // an answer settles it, or did
	filters bool            // its flagged rows are left out
	check   []verdict.Check // what is said of one that blocks nothing
	open    string          // why it blocks; empty where it does not
	hint    string          // what settles one that blocks
}

// marks settles what other tools left in the copy (decision 23). An answer to a
// mark that is not there is an error: it was meant for something.
func (b *builder) marks() error {
	if err := b.unmet(); err != nil {
		return err
	}
	settled := b.settle()
	b.useMarks(settled)
	for _, m := range settled {
		b.check(m.check...)
	}
	b.stop(marksRefusal(settled))
	return nil
}

// settle finds what comes of each mark. Of several that flag deleted rows the
// first decides which are left out; one that tells operations does where no
// other flags them.
func (b *builder) settle() []settledMark {
	out := make([]settledMark, len(b.copy.Marks))
	filter := ""
	for _, kind := range []bool{false, true} {
		for i, m := range b.copy.Marks {
			if operation := m.Kind == lakecopy.Operation; operation != kind {
				continue
			}
			if out[i] = b.settleOne(m, filter); out[i].filters {
				filter = m.Column
			}
		}
	}
	return out
}

func (b *builder) settleOne(m lakecopy.Mark, filter string) settledMark {
	out := settledMark{Mark: m, asked: m.Kind != lakecopy.Bookkeeping && m.Column != ""}
	ignored := slices.ContainsFunc(b.request.IgnoreMark, func(c string) bool { return schema.SameName(c, m.Name()) })
	noted := func(format string, args ...any) {
		out.check = []verdict.Check{verdict.Noted(fmt.Sprintf(format, args...), "")}
	}
	switch {
	case ignored && m.Column == "":
		noted("%q is named like a file of changes by %s, and is taken as one of the table's rows", m.Path, m.Tool)
	case m.Kind == lakecopy.Bookkeeping || ignored:
		noted("column %q is %s's bookkeeping and is left out", m.Column, m.Tool)
	case b.isCaptured(m.Column):
		out.asked = false
		noted("column %q is named like %s's, but it is captured", m.Column, m.Tool)
	case m.Kind == lakecopy.SoftDelete && b.request.ExcludeDeleted && filter != "":
		out.open = fmt.Sprintf("%q and %q both flag deleted rows", filter, m.Column)
		out.hint = "Add --ignore-mark for the one that does not count."
	case m.Kind == lakecopy.SoftDelete && b.request.ExcludeDeleted:
		out.filters = true
		noted("rows that %s flagged as deleted in %q are left out", m.Tool, m.Column)
	case m.Kind == lakecopy.SoftDelete && b.request.KeepDeleted:
		out.check = []verdict.Check{verdict.Warned(verdict.FlaggedKept, fmt.Sprintf("rows that %s flagged as deleted in %q are kept", m.Tool, m.Column),
			"They come alive in the target, and no change will ever delete them.")}
	case m.Kind == lakecopy.SoftDelete:
		out.open = fmt.Sprintf("%s flags deleted rows in %q", m.Tool, m.Column)
		out.hint = "Add --exclude-deleted to leave flagged rows out, or --keep-deleted to keep them."
	case m.Kind == lakecopy.Operation && m.Flags() && b.request.ExcludeDeleted && filter == "":
		out.filters = true
		noted("rows that %s deleted, by %q, are left out; every other row is taken as one of the table's", m.Tool, m.Column)
	case m.Column == "":
		out.open = fmt.Sprintf("%q looks like a file of changes by %s", m.Path, m.Tool)
		out.hint = "Give the folder of the full load alone. If the files hold each row once all the same, add --ignore-mark " + verdict.ShellWord(m.Path) + "."
	default:
		out.open = fmt.Sprintf("%q is a column by which %s tells changes, not rows", m.Column, m.Tool)
		out.hint = "If the copy holds each row once all the same, add --ignore-mark " + verdict.ShellWord(m.Column) + "."
		if m.Flags() {
			out.hint = "If the copy holds each row once all the same, add --exclude-deleted to leave deleted ones out, or --ignore-mark " +
				verdict.ShellWord(m.Column) + " to keep them."
		}
	}
	return out
}

// useMarks leaves out the rows that a mark flags, where that was answered.
func (b *builder) useMarks(settled []settledMark) {
	for _, m := range settled {
		if m.filters {
			b.filter = &m.Mark
			b.plan.Copy.Filter = &FilterPlan{Column: m.Column, Tool: m.Tool, Kind: m.Kind, When: m.When}
		}
	}
}

// marksRefusal is why the marks block a seed, nil where none does.
func marksRefusal(settled []settledMark) error {
	var open, hint []string
	for _, m := range settled {
		if m.open != "" {
			open, hint = append(open, m.open), append(hint, m.hint)
		}
	}
	if len(open) == 0 {
		return nil
	}
	slices.Sort(hint)
	return &verdict.Error{
		Code: verdict.CopyMarks, What: "the copy carries marks of other tools: " + strings.Join(open, "; "),
		Why:  "Left out like any other column, they would bring deleted rows back or write changes as rows.",
		Hint: slices.Compact(hint),
	}
}

// unmet refuses answers for which the copy has no mark.
func (b *builder) unmet() error {
	var names []string
	var softDeletes, flags bool
	for _, m := range b.copy.Marks {
		names = append(names, m.Name())
		softDeletes = softDeletes || m.Kind == lakecopy.SoftDelete
		flags = flags || m.Flags()
	}
	unknown := func(what string) error {
		return &verdict.Error{
			Code: verdict.AnswerUnknown, What: what, Facts: verdict.Facts("recognised", strings.Join(names, ", ")),
			Why:  "The answer would do nothing, and rows that it was meant for would be written.",
			Hint: []string{"Look at the columns that the plan leaves out, and leave the flag out if none of them flags rows."},
		}
	}
	if b.request.ExcludeDeleted && !flags || b.request.KeepDeleted && !softDeletes {
		return unknown("no column of the copy is recognised as flagging deleted rows")
	}
	for _, c := range b.request.IgnoreMark {
		if !slices.ContainsFunc(names, func(n string) bool { return schema.SameName(n, c) }) {
			return unknown(fmt.Sprintf("--ignore-mark %q is no column, and no file, that is recognised as another tool's", c))
		}
	}
	return nil
}

func (b *builder) isCaptured(column string) bool {
	return slices.ContainsFunc(b.captured, func(c schema.TargetColumn) bool { return schema.SameName(c.Name, column) })
}
