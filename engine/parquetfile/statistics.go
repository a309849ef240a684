package parquetfile

import (
	"context"

	"cdcseed/engine/store"
)

// Statistics reads a whole file and makes the statistics that writing it made:
// those of the named columns, nil for the first 32. A file that is not whole or whose pages are
// broken is an error, so that the answer also proves the file.
func Statistics(ctx context.Context, f store.File, columns []string) (rows int64, document string, err error) {
	in, err := Open(f)
	if err != nil {
		return 0, "", err
	}
	scan := in.Read(ctx, nil, writeRows)
	defer scan.Close()
	if scan.Err() != nil {
		return 0, "", scan.Err()
	}
	gathered, err := newStats(scan.Schema(), columns)
	if err != nil {
		return 0, "", err
	}
	for scan.Next() {
		gathered.add(scan.Record().Columns())
		rows += scan.Record().NumRows()
	}
	return rows, gathered.document(rows), scan.Err()
}
