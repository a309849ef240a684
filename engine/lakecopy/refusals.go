package lakecopy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"cdcseed/engine/store"
	"cdcseed/engine/verdict"
)

// refuse answers a folder that is, or holds, a table of another format.
func (l *listing) refuse(url string) error {
	if len(l.foreign) == 0 {
		return nil
	}
	f := l.foreign[0]
	e := &verdict.Error{
		Code:  verdict.CopyNotACopy,
		What:  fmt.Sprintf("%q is an %s table, not a folder of Parquet files", url, f.format),
		Facts: verdict.Facts("recognised by", f.key),
		Why:   "Files of rows that were deleted or rewritten still lie in such a table's folders; read as they lie, those rows come back.",
		Hint:  []string{writeElsewhere},
	}
	if f.root != "" {
		e.What = fmt.Sprintf("%q holds an %s table in its folder %q", url, f.format, f.root)
		if f.format == deltaLake {
			e.What = fmt.Sprintf("%q holds a Delta table in its folder %q", url, f.root)
			e.Hint = []string{"Give the Delta table's own folder: --copy " + strings.TrimSuffix(url, "/") + "/" + f.root}
		}
	}
	return e
}

func insideTable(url string, t Table) *verdict.Error {
	e := &verdict.Error{
		Code:  verdict.CopyNotACopy,
		What:  fmt.Sprintf("%q lies inside %s", url, t),
		Facts: verdict.Facts("the table's folder", t.Root),
		Why:   "Only the table's log knows which of these files count; files of deleted and rewritten rows lie beside the others.",
		Hint:  []string{"Give the table's folder: --copy " + t.Root},
	}
	if t.Format != deltaLake {
		e.Hint = []string{writeElsewhere}
	}
	return e
}

// writeElsewhere is what helps with a table whose format is not read.
const writeElsewhere = "Write the table's rows to a folder of plain Parquet files or to a Delta table with the tool that owns it, and seed from that."

// String is what people call the table: a Delta table, an Apache Iceberg table.
func (t Table) String() string {
	if t.Format == deltaLake {
		return "a Delta table"
	}
	return "an " + t.Format + " table"
}

func noDataFiles(url string, l *listing) error {
	e := &verdict.Error{
		Code: verdict.CopyNotACopy,
		What: fmt.Sprintf("%q holds no data files", url),
		Why:  "A copy is a folder of .parquet files, one such file, or a Delta table.",
		Hint: []string{"Check the path, and that the job that writes the copy has ended well."},
	}
	if len(l.skipped) == 0 {
		e.Code = verdict.CopyNotFound
		e.What = fmt.Sprintf("there is nothing at %q", url)
		return e
	}
	e.Facts = verdict.Facts("files passed over", len(l.skipped), "the first", l.skipped[0])
	return e
}

// mostStrangers bounds the look into files without a suffix.
const mostStrangers = 1000

// checkStrangers refuses data under a name without a suffix: Hive and Impala
// write so, and passing such files over would lose their rows without a word.
func (l *listing) checkStrangers(ctx context.Context, r store.Reader) error {
	for _, obj := range l.strangers[:min(len(l.strangers), mostStrangers)] {
		is, err := endsAsParquet(ctx, r, obj)
		if err != nil {
			return storeError(r, obj.Key, err)
		}
		if is {
			return &verdict.Error{
				Code: verdict.CopyNotACopy,
				What: fmt.Sprintf("file %q of %q is Parquet and is not named so", obj.Key, r.URL()),
				Why:  "Only files named .parquet are read; leaving this one out could lose rows.",
				Hint: []string{"Rename such files to end in .parquet, or move them away if they are no part of the copy."},
			}
		}
	}
	return nil
}

func endsAsParquet(ctx context.Context, r store.Reader, obj store.Object) (is bool, err error) {
	if obj.Size < 12 {
		return false, nil
	}
	f, err := r.Open(ctx, obj.Key)
	if err != nil {
		return false, err
	}
	end := make([]byte, 4)
	_, err = f.ReadAt(end, f.Size()-4)
	if errors.Is(err, io.EOF) { // a reader may say so with the last byte
		err = nil
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return false, err
	}
	return string(end) == "PAR1", nil
}
