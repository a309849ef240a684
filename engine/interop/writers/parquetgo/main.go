// Program parquetgo writes columns, which it reads as JSON, with parquet-go: in both versions of data
// pages, and once with timestamps as INT96 and decimals as bytes. Usage: parquetgo DIR <COLUMNS
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir string) error {
	var columns []column
	if err := json.NewDecoder(os.Stdin).Decode(&columns); err != nil {
		return err
	}
	for _, f := range []file{
		{"v1", spelling{}, 1, &parquet.Snappy},
		{"v2", spelling{}, 2, &parquet.Zstd},
		{"old", spelling{int96: true, decimalBytes: true}, 1, &parquet.Gzip},
	} {
		if err := f.write(dir, columns); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return nil
}

// file is one of those that are written.
type file struct {
	name     string
	spelling spelling
	pages    int // version of the data pages
	codec    compress.Codec
}

func (f file) write(dir string, columns []column) error {
	group := parquet.Group{}
	byName := make(map[string]column, len(columns))
	for _, c := range columns {
		node, err := f.spelling.node(c)
		if err != nil {
			return err
		}
		if c.whole() {
			node = parquet.Required(node)
		} else {
			node = parquet.Optional(node)
		}
		group[c.Name], byName[c.Name] = node, c
	}
	schema := parquet.NewSchema("copy", group)
	out, err := os.Create(filepath.Join(dir, "parquetgo-"+f.name+".parquet"))
	if err != nil {
		return err
	}
	w := parquet.NewWriter(out, schema, parquet.DataPageVersion(f.pages), parquet.Compression(f.codec), parquet.PageBufferSize(256))
	for at := range columns[0].Values {
		row := make(parquet.Row, 0, len(columns))
		for i, field := range schema.Fields() { // a group orders its fields by their names
			value, err := f.spelling.value(byName[field.Name()], at)
			if err != nil {
				return err
			}
			level := 1
			if value.IsNull() || field.Required() {
				level = 0
			}
			row = append(row, value.Level(0, level, i))
		}
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return out.Close()
}
