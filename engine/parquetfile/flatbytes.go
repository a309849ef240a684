package parquetfile

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet"
)

// flatTexts reads text and bytes. A dictionary lets a page of a few bytes hold any
// number of long ones, so that only the values themselves tell where a batch ends.
type flatTexts struct {
	levels[parquet.ByteArray]
	presence

	typ   arrow.DataType
	ends  []int32 // one more than values: each begins where the one before ends
	data  []byte
	guess int // bytes that the last batch's values took, each

	left  int                 // rows that are decoded and in no batch yet
	texts []parquet.ByteArray // their values
	there []int16             // their definition levels; nil where none of them is NULL
}

func (f *flatTexts) rows(n, most int) (int, error) {
	f.begin(n)
	f.ends = make([]int32, n+1)
	f.data = make([]byte, 0, n*min(f.guess, most/max(n, 1)))
	at := 0
	for full := false; at < n && !full; {
		if f.left == 0 {
			// Few at a time: they lie in their page, which the next one may replace.
			var err error
			if f.left, f.texts, f.there, err = f.next(min(n-at, chunkLevels), nil); err != nil {
				return 0, err
			}
		}
		var rows int
		rows, full = f.take(at, min(n-at, f.left), most)
		at += rows
	}
	f.n, f.ends = at, f.ends[:at+1]
	f.guess = len(f.data)/max(at, 1) + 1
	return at, nil
}

// take puts up to n decoded rows behind the at rows of the batch. full reports that
// the next one would be too much.
func (f *flatTexts) take(at, n, most int) (rows int, full bool) {
	level, ends, v := f.descr.MaxDefinitionLevel(), f.ends[at+1:at+1+n], 0
	for rows < n {
		if f.there == nil || f.there[rows] == level {
			if len(f.data)+len(f.texts[v]) > most && at+rows > 0 {
				full = true
				break
			}
			f.data = append(f.data, f.texts[v]...)
			v++
		}
		ends[rows] = int32(len(f.data))
		rows++
	}
	var def []int16
	if f.there != nil {
		def, f.there = f.there[:rows], f.there[rows:]
	}
	f.add(at, rows, def, level)
	f.texts, f.left = f.texts[v:], f.left-rows
	return rows, full
}

func (f *flatTexts) rest() error {
	if f.left > 0 {
		return errMore
	}
	return f.levels.rest()
}

func (f *flatTexts) array() arrow.Array { return f.presence.array(f.typ, bytesOf(f.ends), f.data) }

// flatFixed reads bytes of one length.
type flatFixed struct {
	levels[parquet.FixedLenByteArray]
	presence

	typ   arrow.DataType
	width int
	out   []byte
}

func (f *flatFixed) rows(n, most int) (int, error) {
	n = min(n, max(most/f.width, 1))
	f.begin(n)
	f.out = nil
	for at := 0; at < n; {
		rows, vals, def, err := f.next(min(n-at, chunkLevels), nil)
		if err != nil {
			return 0, err
		}
		if f.out == nil { // not before there are values: the length is only the footer's word
			f.out = make([]byte, n*f.width)
		}
		full := f.descr.MaxDefinitionLevel()
		f.add(at, rows, def, full)
		v := 0
		for k := range rows {
			if def != nil && def[k] != full {
				continue
			}
			if len(vals[v]) != f.width {
				return 0, fmt.Errorf("value of %d bytes in a column of %d", len(vals[v]), f.width)
			}
			copy(f.out[(at+k)*f.width:], vals[v])
			v++
		}
		at += rows
	}
	return n, nil
}

func (f *flatFixed) array() arrow.Array { return f.presence.array(f.typ, f.out) }
