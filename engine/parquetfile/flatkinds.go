package parquetfile

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/decimal256"
	"github.com/apache/arrow/go/v17/arrow/float16"
	"github.com/apache/arrow/go/v17/parquet"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"
)

// newFlat is the reader of a flat column whose arrays have the type given. It is
// nil for a physical type that does not come as that.
func newFlat(d *pqschema.Column, t arrow.DataType) flat {
	switch d.PhysicalType() {
	case parquet.Types.Boolean:
		if t.ID() == arrow.BOOL {
			return &flatBits{levels: levelsOf[bool](d)}
		}
	case parquet.Types.Int32:
		return flatInt32(d, t)
	case parquet.Types.Int64:
		return flatInt64(d, t)
	case parquet.Types.Int96:
		return flatOf(d, t, int96Times)
	case parquet.Types.Float:
		return flatOf[float32, float32](d, t, nil)
	case parquet.Types.Double:
		return flatOf[float64, float64](d, t, nil)
	case parquet.Types.ByteArray:
		switch t.ID() {
		case arrow.STRING, arrow.BINARY:
			return &flatTexts{levels: levelsOf[parquet.ByteArray](d), typ: t}
		case arrow.DECIMAL128:
			return flatOf(d, t, bytesDecimals[parquet.ByteArray])
		case arrow.DECIMAL256:
			return flatOf(d, t, bytesDecimals256[parquet.ByteArray])
		}
	case parquet.Types.FixedLenByteArray:
		return flatFixedLen(d, t)
	}
	return nil
}

func flatInt32(d *pqschema.Column, t arrow.DataType) flat {
	switch t.ID() {
	case arrow.INT32, arrow.UINT32, arrow.DATE32, arrow.TIME32:
		return flatOf[int32, int32](d, t, nil)
	case arrow.INT16:
		return flatOf(d, t, annotated[int16](math.MinInt16, math.MaxInt16))
	case arrow.INT8:
		return flatOf(d, t, annotated[int8](math.MinInt8, math.MaxInt8))
	case arrow.UINT16:
		return flatOf(d, t, annotated[uint16](0, math.MaxUint16))
	case arrow.UINT8:
		return flatOf(d, t, annotated[uint8](0, math.MaxUint8))
	case arrow.DECIMAL128:
		return flatOf(d, t, intDecimals[int32])
	case arrow.DECIMAL256:
		return flatOf(d, t, intDecimals256[int32])
	}
	return nil
}

func flatInt64(d *pqschema.Column, t arrow.DataType) flat {
	switch t.ID() {
	case arrow.INT64, arrow.UINT64, arrow.TIMESTAMP, arrow.TIME64:
		return flatOf[int64, int64](d, t, nil)
	case arrow.DECIMAL128:
		return flatOf(d, t, intDecimals[int64])
	case arrow.DECIMAL256:
		return flatOf(d, t, intDecimals256[int64])
	}
	return nil
}

func flatFixedLen(d *pqschema.Column, t arrow.DataType) flat {
	switch t := t.(type) {
	case *arrow.FixedSizeBinaryType:
		return &flatFixed{levels: levelsOf[parquet.FixedLenByteArray](d), typ: t, width: t.ByteWidth}
	case *arrow.Float16Type:
		return flatOf(d, t, halves)
	case *arrow.Decimal128Type:
		return flatOf(d, t, bytesDecimals[parquet.FixedLenByteArray])
	case *arrow.Decimal256Type:
		return flatOf(d, t, bytesDecimals256[parquet.FixedLenByteArray])
	}
	return nil
}

// annotated refuses what the column's annotation rules out, where a plain
// conversion would wrap around to another number.
func annotated[V int8 | int16 | uint8 | uint16](low, high int32) func(out []V, in []int32) error {
	return func(out []V, in []int32) error {
		for k, v := range in {
			if v < low || v > high {
				return outsideAnnotation(v, low, high)
			}
			out[k] = V(v)
		}
		return nil
	}
}

func intDecimals[P int32 | int64](out []decimal128.Num, in []P) error {
	for k, v := range in {
		out[k] = decimal128.New(int64(v)>>63, uint64(int64(v)))
	}
	return nil
}

func intDecimals256[P int32 | int64](out []decimal256.Num, in []P) error {
	for k, v := range in {
		out[k] = decimal256.FromI64(int64(v))
	}
	return nil
}

func bytesDecimals[P ~[]byte](out []decimal128.Num, in []P) (err error) {
	for k, v := range in {
		if len(v) == 8 { // 18 digits, as most writers store them
			w := binary.BigEndian.Uint64(v)
			out[k] = decimal128.New(int64(w)>>63, w)
			continue
		}
		if out[k], err = decimalOf(v); err != nil {
			return err
		}
	}
	return nil
}

func bytesDecimals256[P ~[]byte](out []decimal256.Num, in []P) (err error) {
	for k, v := range in {
		if out[k], err = decimal256Of(v); err != nil {
			return err
		}
	}
	return nil
}

func int96Times(out []arrow.Timestamp, in []parquet.Int96) (err error) {
	for k, v := range in {
		if out[k], err = int96Time(v); err != nil {
			return err
		}
	}
	return nil
}

func halves(out []float16.Num, in []parquet.FixedLenByteArray) error {
	for k, v := range in {
		if len(v) != 2 {
			return fmt.Errorf("float16 of %d bytes", len(v))
		}
		out[k] = float16.FromBits(binary.LittleEndian.Uint16(v))
	}
	return nil
}
