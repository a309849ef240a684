package footer

import (
	"strconv"
	"strings"
)

// writer is the library that wrote a file, as created_by names it.
type writer struct {
	app     string // in lower case; empty where created_by does not say
	version [3]int
	known   bool // the version could be read
}

// writerOf reads "parquet-mr version 1.8.1 (build 4aba4dae)". A version of two
// parts has a third of 0; what stands behind a part's digits says nothing here.
func writerOf(createdBy string) writer {
	app, rest, _ := strings.Cut(strings.ToLower(strings.TrimSpace(createdBy)), " version ")
	w := writer{app: strings.TrimSpace(app)}
	if words := strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == '(' }); len(words) > 0 {
		w.known = true
		for i, part := range strings.SplitN(strings.TrimPrefix(words[0], "v"), ".", 3) {
			digits := part[:len(part)-len(strings.TrimLeft(part, "0123456789"))]
			n, err := strconv.Atoi(digits)
			if err != nil {
				w.known = false
			}
			w.version[i] = n
		}
	}
	return w
}

// before reports whether a version of app wrote the file that is older than the
// one given, or that cannot be read.
func (w writer) before(app string, version ...int) bool {
	if w.app != app {
		return false
	}
	if !w.known {
		return true
	}
	for i, v := range version {
		if w.version[i] != v {
			return w.version[i] < v
		}
	}
	return false
}

// word is what a writer says of a column in its statistics.
type word int

const (
	ofNulls   word = 1 << iota // counts of nulls
	ofNumbers                  // bounds of whole numbers, days, times, decimals in integers, booleans
	ofTexts                    // bounds of texts and bytes
	ofFixed                    // bounds of decimals in bytes
)

// fault is a writer whose word is known to be wrong.
type fault struct {
	app    string
	before []int // versions; empty is each
	spoils word
	order  bool // only the order was wrong: one value that is both bounds is right
}

var faults = []fault{
	{"parquet-mr", []int{1, 8, 0}, ofTexts | ofFixed, false}, // bounds were overwritten in place: PARQUET-251
	{"parquet-mr", []int{1, 10, 0}, ofTexts, true},           // bytes were sorted as signed: PARQUET-686
	{"parquet-mr", []int{1, 10, 0}, ofFixed, false},
	{"parquet-cpp", []int{1, 3, 0}, ofTexts, true},
	{"parquet-cpp", nil, ofFixed, false}, // PARQUET-1655
	{"parquet-cpp-arrow", []int{4, 0, 0}, ofFixed, false},
	{"parquet-rs", []int{5, 2, 0}, ofTexts | ofFixed, false},  // arrow-rs 643
	{"parquet-rs", []int{14, 0, 0}, ofFixed, false},           // arrow-rs 1532
	{"github.com/parquet-go/parquet-go", nil, ofFixed, false}, // sorted as unsigned: parquet-go 592
	{"github.com/segmentio/parquet-go", nil, ofFixed, false},
	{"parquet-go", []int{1, 0, 0}, ofNulls | ofNumbers | ofTexts | ofFixed, false},              // fraugster/parquet-go 69
	{"arrow2 - native rust implementation of arrow", nil, ofNumbers | ofTexts | ofFixed, false}, // polars 7842
	{"hyparquet", nil, ofNumbers | ofTexts | ofFixed, false},                                    // hyparquet-writer 38
}

// trusted reports whether the writer's word counts. same is true where both
// bounds are one value. A writer that does not tell its version may be the
// parquet-mr of days when it did not (PARQUET-297).
func (w writer) trusted(of word, same bool) bool {
	if !w.known && of&(ofTexts|ofFixed) != 0 {
		return false
	}
	return !w.faulty(of, same)
}

// faulty reports whether the writer is among those known to be wrong.
func (w writer) faulty(of word, same bool) bool {
	for _, f := range faults {
		if f.spoils&of == 0 || f.order && same {
			continue
		}
		if w.app == f.app && len(f.before) == 0 || len(f.before) > 0 && w.before(f.app, f.before...) {
			return true
		}
	}
	return false
}
