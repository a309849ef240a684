package footer

import "fmt"

// Kind says what is wrong with a file, a row group or a column chunk.
type Kind string

// The kinds, with what follows from them.
const (
	NotParquet Kind = "not_parquet" // no Parquet file, or cut off
	Encrypted  Kind = "encrypted"   // footer, column or both
	Unreadable Kind = "unreadable"  // the footer breaks its own encoding
	BadSchema  Kind = "bad_schema"  // the schema is no tree

	OtherFile   Kind = "other_file"   // a chunk lies in another file
	Outside     Kind = "outside"      // a chunk reaches beyond the file's data
	Impossible  Kind = "impossible"   // a negative or overflowing size or count
	Overlap     Kind = "overlap"      // two chunks share bytes
	Mismatch    Kind = "mismatch"     // the footer contradicts itself
	BadPages    Kind = "bad_pages"    // page headers do not fill their chunk
	RowSum      Kind = "row_sum"      // the row groups' rows are not the file's
	ShortChunks Kind = "short_chunks" // a writer that forgot the dictionary's header (parquet-mr up to 1.2.8)

	CodecNotKept    Kind = "codec_not_kept"    // a codec that not every reader of the target knows
	EncodingNotKept Kind = "encoding_not_kept" // an encoding of that kind
	DictionaryPlace Kind = "dictionary_place"  // an offset of a dictionary page that is none
	IndexPlace      Kind = "index_place"       // a page index or Bloom filter outside the file
	RequiredKept    Kind = "required_kept"     // the chunk has no definition levels
)

// Remedy is what the writer of the new file does about a Problem.
type Remedy int

// The remedies, mildest first.
const (
	Keep    Remedy = iota // copy all the same
	Recode                // decode and encode the column
	Rewrite               // decode and encode the whole file
	Refuse                // no way of reading the file can be trusted
)

var remedies = map[Kind]Remedy{
	NotParquet: Refuse, Encrypted: Refuse, Unreadable: Rewrite, BadSchema: Rewrite,
	OtherFile: Refuse, Outside: Refuse, Impossible: Refuse, Overlap: Refuse, Mismatch: Refuse, BadPages: Refuse,
	RowSum: Rewrite, ShortChunks: Rewrite,
	CodecNotKept: Recode, EncodingNotKept: Recode,
	DictionaryPlace: Keep, IndexPlace: Keep, RequiredKept: Keep,
}

// Remedy is what follows from the kind. A kind that is not listed is refused.
func (k Kind) Remedy() Remedy {
	if r, ok := remedies[k]; ok {
		return r
	}
	return Refuse
}

// Problem is one thing that is wrong, with its place.
type Problem struct { //nolint:errname // it is listed by Check far more often than it is returned
	Kind   Kind
	Group  int    // row group, from 0; -1 is the whole file
	Leaf   int    // leaf column, from 0; -1 is all of them
	Column string // the leaf's path, where there is one
	Detail string // the values that disagree, with units
}

// Error is the problem in one line.
func (p *Problem) Error() string {
	switch {
	case p.Column != "" && p.Group >= 0:
		return fmt.Sprintf("column %q in row group %d: %s", p.Column, p.Group, p.Detail)
	case p.Column != "":
		return fmt.Sprintf("column %q: %s", p.Column, p.Detail)
	case p.Group >= 0:
		return fmt.Sprintf("row group %d: %s", p.Group, p.Detail)
	}
	return p.Detail
}

func newProblem(k Kind, format string, args ...any) *Problem {
	return &Problem{Kind: k, Group: -1, Leaf: -1, Detail: fmt.Sprintf(format, args...)}
}
