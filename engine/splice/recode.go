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

	pages  chan []byte // of the row group at work, one after the other; closed behind the last, or at err
	free   chan []byte // room of pages that were written
	err    error
	left   int64   // values of the row group that no page was seen of
	starts []int64 // of every chunk, in the file that the writer believes to write
}

// pagesAhead is how many pages of recoded columns wait for their place in the file,
// together. Each has about a megabyte before it is compressed.
const pagesAhead = 16

// begin makes room for a row group's pages, as many as may wait.
func (r *recoder) begin(waiting int) {
	r.pages, r.err = make(chan []byte, waiting), nil
	if r.free == nil {
		r.free = make(chan []byte, waiting+2)
	}
}

// catch is the file of a recoder's writer. It keeps only what was written since
// the last page was taken out.
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

// group makes the pages of the next row group, which has so many rows. It waits
// while as many as may wait do.
func (r *recoder) group(ctx context.Context, rows int64) error {
	r.left = rows
	first := len(r.starts) == 0
	r.starts = append(r.starts, r.out.gone)
	if first { // of the file, which begins with the magic
		r.starts[0] += int64(len(magic))
	}
	for left := rows; left > 0; {
		if !r.scan.Next() {
			if err := r.scan.Err(); err != nil {
				return err // a stop too, which is no fault of the file
			}
			return fmt.Errorf("column %q: the row group ends %d rows early", r.name, left)
		}
		rec := r.scan.Record()
		if rec.NumRows() > left {
			return fmt.Errorf("column %q: a batch reaches %d rows beyond its row group", r.name, rec.NumRows()-left)
		}
		if err := r.batch(rec); err != nil {
			return err
		}
		if err := r.cut(ctx); err != nil {
			return err
		}
		left -= rec.NumRows()
	}
	if err := r.pw.EndRowGroup(); err != nil {
		return err
	}
	if err := r.cut(ctx); err != nil {
		return err
	}
	if r.left != 0 {
		return fmt.Errorf("column %q: the pages that were just written hold %d values less than were given", r.name, r.left)
	}
	r.out.drop(len(r.out.held)) // the library puts bytes of its own behind a chunk's pages
	return nil
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

// cut gives the pages that the writer has written to whoever puts them into the file.
func (r *recoder) cut(ctx context.Context) error {
	if at := r.starts[0]; r.out.gone < at && len(r.out.held) >= len(magic) {
		r.out.drop(len(magic))
	}
	at := 0
	for r.left > 0 && at < len(r.out.held) {
		size, values, err := pageOf(r.out.held[at:])
		if err != nil {
			return fmt.Errorf("column %q: %w", r.name, err)
		}
		if err := r.give(ctx, r.out.held[at:at+size]); err != nil {
			return err
		}
		at += size
		r.left -= values
	}
	r.out.drop(at)
	return nil
}

// give passes a copy of a page on.
func (r *recoder) give(ctx context.Context, p []byte) error {
	var room []byte
	select {
	case room = <-r.free:
	default:
	}
	select {
	case r.pages <- append(room[:0], p...):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// done takes the room of a page that was written.
func (r *recoder) done(p []byte) {
	select {
	case r.free <- p:
	default:
	}
}

// drop forgets what was taken out, and keeps the room.
func (c *catch) drop(n int) {
	c.gone += int64(n)
	c.held = append(c.held[:0], c.held[n:]...)
}

// pageOf is how many bytes the page at the beginning of b has, and how many values.
func pageOf(b []byte) (size int, values int64, err error) {
	h, used, err := thrift.Parse(b, pageLimits)
	if err != nil {
		return 0, 0, err
	}
	body := h.Int(pageCompressed, -1)
	if body < 0 || body > int64(len(b)-used) {
		return 0, 0, errors.New("a page that was just written is cut off")
	}
	if h.Int(pageKind, -1) == int64(footer.DataPage) {
		values = h.Struct(pageData).Int(dataValues, 0)
	}
	return used + int(body), values, nil
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
