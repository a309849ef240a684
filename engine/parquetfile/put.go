package parquetfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/decimal256"
	"github.com/apache/arrow/go/v17/arrow/float16"
	"github.com/apache/arrow/go/v17/parquet"
)

// The put functions give, for a builder, what appends one Parquet value to it,
// or nil where the builder's type does not come from that physical type.

func putBool(b array.Builder) func(bool) error {
	if b, ok := b.(*array.BooleanBuilder); ok {
		return func(v bool) error { b.Append(v); return nil }
	}
	return nil
}

func putFloat(b array.Builder) func(float32) error {
	if b, ok := b.(*array.Float32Builder); ok {
		return func(v float32) error { b.Append(v); return nil }
	}
	return nil
}

func putDouble(b array.Builder) func(float64) error {
	if b, ok := b.(*array.Float64Builder); ok {
		return func(v float64) error { b.Append(v); return nil }
	}
	return nil
}

func putInt32(b array.Builder) func(int32) error {
	switch b := b.(type) {
	case *array.Int32Builder:
		return func(v int32) error { b.Append(v); return nil }
	case *array.Date32Builder:
		return func(v int32) error { b.Append(arrow.Date32(v)); return nil }
	case *array.Time32Builder:
		return func(v int32) error { b.Append(arrow.Time32(v)); return nil }
	case *array.Uint32Builder:
		return func(v int32) error { b.Append(uint32(v)); return nil }
	case *array.Int16Builder:
		return narrow(math.MinInt16, math.MaxInt16, func(v int32) { b.Append(int16(v)) })
	case *array.Int8Builder:
		return narrow(math.MinInt8, math.MaxInt8, func(v int32) { b.Append(int8(v)) })
	case *array.Uint16Builder:
		return narrow(0, math.MaxUint16, func(v int32) { b.Append(uint16(v)) })
	case *array.Uint8Builder:
		return narrow(0, math.MaxUint8, func(v int32) { b.Append(uint8(v)) })
	case *array.Decimal128Builder:
		return func(v int32) error { b.Append(decimal128.FromI64(int64(v))); return nil }
	case *array.Decimal256Builder:
		return func(v int32) error { b.Append(decimal256.FromI64(int64(v))); return nil }
	}
	return nil
}

// narrow refuses what the column's annotation rules out, where a plain
// conversion would wrap around to another number.
func narrow(lo, hi int32, put func(int32)) func(int32) error {
	return func(v int32) error {
		if v < lo || v > hi {
			return outsideAnnotation(v, lo, hi)
		}
		put(v)
		return nil
	}
}

func outsideAnnotation(v, lo, hi int32) error {
	return fmt.Errorf("value %d is outside the column's annotated range %d to %d", v, lo, hi)
}

func putInt64(b array.Builder) func(int64) error {
	switch b := b.(type) {
	case *array.Int64Builder:
		return func(v int64) error { b.Append(v); return nil }
	case *array.Uint64Builder:
		return func(v int64) error { b.Append(uint64(v)); return nil }
	case *array.TimestampBuilder:
		return func(v int64) error { b.Append(arrow.Timestamp(v)); return nil }
	case *array.Time64Builder:
		return func(v int64) error { b.Append(arrow.Time64(v)); return nil }
	case *array.Decimal128Builder:
		return func(v int64) error { b.Append(decimal128.FromI64(v)); return nil }
	case *array.Decimal256Builder:
		return func(v int64) error { b.Append(decimal256.FromI64(v)); return nil }
	}
	return nil
}

const (
	julianOfEpoch = 2_440_588
	dayMicros     = 86_400_000_000
	mostDays      = math.MaxInt64 / dayMicros
)

func putInt96(b array.Builder) func(parquet.Int96) error {
	tb, ok := b.(*array.TimestampBuilder)
	if !ok {
		return nil
	}
	return func(v parquet.Int96) error {
		t, err := int96Time(v)
		if err == nil {
			tb.Append(t)
		}
		return err
	}
}

// int96Time turns days since the Julian epoch and nanoseconds of the day into
// microseconds since 1970, cut toward minus infinity. Far in the future the
// microseconds since the Julian epoch leave 64 bits; Spark lets them wrap around
// when it writes, and back when it reads, so the arithmetic wraps here too.
func int96Time(v parquet.Int96) (arrow.Timestamp, error) {
	days := int64(int32(binary.LittleEndian.Uint32(v[8:])))
	nanos := int64(binary.LittleEndian.Uint64(v[:8]))
	if days > mostDays || days < -mostDays || nanos > 1000*dayMicros || nanos < -1000*dayMicros {
		return 0, fmt.Errorf("INT96 of Julian day %d and %d ns is no time", days, nanos)
	}
	micros := nanos / 1000
	if nanos%1000 < 0 {
		micros--
	}
	return arrow.Timestamp((days-julianOfEpoch)*dayMicros + micros), nil
}

func putBytes[T ~[]byte](b array.Builder) func(T) error {
	switch b := b.(type) {
	case *array.StringBuilder:
		return func(v T) error { b.BinaryBuilder.Append(v); return nil }
	case *array.BinaryBuilder:
		return func(v T) error { b.Append(v); return nil }
	case *array.FixedSizeBinaryBuilder:
		t, ok := b.Type().(*arrow.FixedSizeBinaryType)
		if !ok {
			return nil
		}
		return func(v T) error {
			if len(v) != t.ByteWidth {
				return fmt.Errorf("value of %d bytes in a column of %d", len(v), t.ByteWidth)
			}
			b.Append(v)
			return nil
		}
	case *array.Float16Builder:
		return func(v T) error {
			if len(v) != 2 {
				return fmt.Errorf("float16 of %d bytes", len(v))
			}
			b.Append(float16.FromBits(binary.LittleEndian.Uint16(v)))
			return nil
		}
	case *array.Decimal128Builder:
		return putDecimal128[T](b)
	case *array.Decimal256Builder:
		return func(v T) error {
			n, err := decimal256Of(v)
			if err == nil {
				b.Append(n)
			}
			return err
		}
	}
	return nil
}

func putDecimal128[T ~[]byte](b *array.Decimal128Builder) func(T) error {
	return func(v T) error {
		n, err := decimalOf(v)
		if err == nil {
			b.Append(n)
		}
		return err
	}
}

// decimalOf reads a decimal of up to 127 bits, in any number of bytes.
func decimalOf(v []byte) (decimal128.Num, error) {
	if n := len(v); n >= 1 && n <= 16 {
		var w [16]byte
		if v[0]&0x80 != 0 {
			w = [16]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}
		}
		copy(w[16-n:], v)
		return decimal128.New(int64(binary.BigEndian.Uint64(w[:8])), binary.BigEndian.Uint64(w[8:])), nil
	}
	n, err := bigEndian(v)
	if err == nil && n.BitLen() > 127 {
		err = fmt.Errorf("decimal of %d bits in a column of at most 38 digits", n.BitLen())
	}
	if err != nil {
		return decimal128.Num{}, err
	}
	return decimal128.FromBigInt(n), nil
}

// decimal256Of reads a decimal of up to 255 bits.
func decimal256Of(v []byte) (decimal256.Num, error) {
	n, err := bigEndian(v)
	if err == nil && n.BitLen() > 255 {
		err = fmt.Errorf("decimal of %d bits", n.BitLen())
	}
	if err != nil {
		return decimal256.Num{}, err
	}
	return decimal256.FromBigInt(n), nil
}

// bigEndian reads a two's complement number of any length, as Parquet stores decimals.
func bigEndian(v []byte) (*big.Int, error) {
	if len(v) == 0 {
		return nil, errors.New("decimal of no bytes")
	}
	n := new(big.Int).SetBytes(v)
	if v[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(v))))
	}
	return n, nil
}
