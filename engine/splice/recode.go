package splice

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"cdcseed/engine/cast"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/splice/footer"
	"cdcseed/engine/splice/footer/thrift"
)

// recodeRows is how many rows of a recoded column are held at a time.
const recodeRows = 32 << 10

// recoder makes the chunks of one column by decoding, casting and encoding it. It
// is for one goroutine at a time.
type recoder struct {
	name    string // of the new column
	fieldID *int32
	file    string // the copy's, for samples
	scan    *parquetfile.Scanner
	caster  *cast.Caster
	pw      *parquetfile.Writer
	out     *catch
	schema  *arrow.Schema
	row     int64 // of the file, from 1, that comes next

	ready  chan error // told when a row group's chunk is made
	chunk  []byte     // of the row group made last
	starts []int64    // of every chunk, in the file that the writer believes to write
}

// catch is the file of a recoder's writer. It keeps only what was written since
// the last chunk was taken out.
type catch struct {
	held []byte
	gone int64 // bytes before held
}

func (c *catch) Write(p []byte) (int, error) {
	c.held = append(c.held, p...)
	return len(p), nil
}

func newRecoder(ctx context.Context, in *parquetfile.File, file string, col column, loc cast.Locate, codec parquetfile.Codec) (*recoder, error) {
	m := cast.Mapping{Columns: []cast.ColumnPlan{col.plan}}
	k, err := m.Caster(col.class, loc)
	if err != nil {
		return nil, err
	}
	r := &recoder{name: col.Name, fieldID: col.FieldID, file: file, caster: k, out: &catch{}, row: 1}
	if len(k.Columns()) != 1 {
		return nil, fmt.Errorf("column %q is recoded from %d columns", col.Name, len(k.Columns()))
	}
	r.scan = in.Read(ctx, []string{col.from}, recodeRows)
	if err := r.scan.Err(); err != nil {
		return nil, err
	}
	r.schema = arrow.NewSchema([]arrow.Field{arrowField(col.Name, col.FieldID, cast.ArrowType(col.Type))}, nil)
	r.pw, err = parquetfile.NewWriter(r.out, r.schema, parquetfile.WriterOptions{
		Codec: codec, ByHand: true, NoDictionary: !col.dictionary,
	})
	return r, err
}

// group makes the chunk of the next row group, which has so many rows.
func (r *recoder) group(rows int64) error {
	for left := rows; left > 0; {
		if !r.scan.Next() {
			return errors.Join(r.scan.Err(), fmt.Errorf("column %q: the row group ends %d rows early", r.name, left))
		}
		rec := r.scan.Record()
		if rec.NumRows() > left {
			return fmt.Errorf("column %q: a batch reaches %d rows beyond its row group", r.name, rec.NumRows()-left)
		}
		if err := r.batch(rec); err != nil {
			return err
		}
		left -= rec.NumRows()
	}
	if err := r.pw.EndRowGroup(); err != nil {
		return err
	}
	return r.take(rows)
}

func (r *recoder) batch(rec arrow.Record) error {
	made, err := r.caster.Cast(rec, cast.Place{File: r.file, FirstRow: r.row})
	if err != nil {
		return err
	}
	defer made[0].Release()
	if err := r.caster.Err(); err != nil {
		return err
	}
	r.row += rec.NumRows()
	out := array.NewRecord(r.schema, made[:1], rec.NumRows())
	defer out.Release()
	return r.pw.Write(out)
}

// take finds the chunk in what was written for it: the library puts bytes of its
// own behind a chunk's pages, and before the first one the file's magic.
func (r *recoder) take(values int64) error {
	skip := 0
	if len(r.starts) == 0 {
		skip = len(magic)
	}
	from := r.out.gone + int64(skip)
	size, err := pagesOf(r.out.held[min(skip, len(r.out.held)):], values)
	if err != nil {
		return fmt.Errorf("column %q: %w", r.name, err)
	}
	r.starts = append(r.starts, from)
	r.chunk = r.out.held[skip : skip+size]
	r.out.gone += int64(len(r.out.held))
	r.out.held = r.out.held[:0] // the chunk is written before the next one is made
	return nil
}

// pagesOf is how many bytes the pages of so many values take.
func pagesOf(b []byte, values int64) (int, error) {
	at := 0
	for values > 0 {
		h, used, err := thrift.Parse(b[at:], pageLimits)
		if err != nil {
			return 0, err
		}
		size := h.Int(pageCompressed, -1)
		if size < 0 || size > int64(len(b)-at-used) {
			return 0, errors.New("a page that was just written is cut off")
		}
		at += used + int(size)
		if h.Int(pageKind, -1) == int64(footer.DataPage) {
			values -= h.Struct(pageData).Int(dataValues, 0)
		}
	}
	if values < 0 {
		return 0, errors.New("the pages that were just written hold more values than were given")
	}
	return at, nil
}

// close ends the writer and gives what its footer says of the chunks, with
// offsets as they are where the chunks were put.
func (r *recoder) close(placed []int64) (element footer.Element, chunks []footer.Chunk, stats parquetfile.ColumnBounds, err error) {
	r.scan.Close()
	sum, err := r.pw.Close()
	if err != nil {
		return element, nil, stats, err
	}
	f, err := footer.Parse(r.out.held[:max(0, len(r.out.held)-8)])
	if err != nil {
		return element, nil, stats, err
	}
	groups := f.Groups()
	if len(groups) != len(placed) || len(groups) != len(r.starts) {
		return element, nil, stats, fmt.Errorf("column %q: %d chunks were made, %d are in the footer", r.name, len(placed), len(groups))
	}
	for i, g := range groups {
		c := g.Chunk(0)
		if c.Start() != r.starts[i] {
			return element, nil, stats, fmt.Errorf("column %q: chunk %d begins at %d, its footer says %d", r.name, i, r.starts[i], c.Start())
		}
		chunks = append(chunks, c.Moved(placed[i]-c.Start()))
	}
	element = f.Root().Children[0].Elements()[0]
	element.SetFieldID(r.fieldID)
	return element, chunks, sum.Columns[0], nil
}
