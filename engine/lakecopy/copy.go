// Package lakecopy opens the copy that a seed is made from: a folder of Parquet
// files, one such file, or a Delta table. It says what the copy is, which files
// belong to it, what they have in common, which other tool left marks in them,
// and since when data has been in it; then it reads the rows. It refuses, by
// name, what cannot be told for sure. It never writes.
package lakecopy

import (
	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/schema"
	"cdcseed/engine/store"
)

// The kinds of a copy.
const (
	Parquet = "parquet"
	Delta   = "delta"
)

// Copy is an open copy: its files as they were when it was opened.
type Copy struct {
	Kind    string             // Parquet or Delta
	URL     string             // as the store has it
	Version *int64             // of a Delta table; nil for Parquet
	Files   []File             // by key
	Classes []schema.FileClass // in order of first appearance
	Skipped []string           // keys below the root that are no part of the copy, in order
	Marks   []Mark             // what other tools left in it
	Rows    int64              // of all files
	Deleted int64              // rows of all files that deletion vectors hide
	Bytes   int64              // of all files
	Hash    string             // SHA-256, hexadecimal, over sorted (path, size, entity tag or time, deletion vector)

	// Content is equal for copies whose files hold the same, whatever they are called
	// and whenever they were written: SHA-256, hexadecimal, over the sorted sums of
	// (size, bytes or end with the footer, deleted rows, partition values).
	Content string

	Evidence Evidence

	reader  store.Reader
	layouts map[string]layout // by class
}

// File is one data file of a copy.
type File struct {
	Key       string             // below the copy's root
	Size      int64              // bytes
	ETag      string             // where the store has one
	Modified  clock.Instant      // when it was last written
	Class     string             // ID of its schema.FileClass
	Rows      int64              // those that count
	Deleted   int64              // rows of the file that a deletion vector hides; no other number counts them
	Partition map[string]*string // values of partition columns as text; nil is NULL

	add *delta.Add // of a Delta table's file with a deletion vector; nil for all others
}

// Evidence is the earliest time data entered the copy. An as_of after it
// cannot be the time at which the copy was begun.
type Evidence struct {
	Earliest clock.Instant
	What     string // what shows it: names a file or a commit
}

// layout says where a class's columns come from.
type layout struct {
	physical  map[string]string   // the copy's name to the file's column
	partition map[string]bool     // names whose values stand beside the file
	twice     map[string][]string // of these, the file's columns of the same name
}
