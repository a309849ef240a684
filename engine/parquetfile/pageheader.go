package parquetfile

import (
	"encoding/binary"
	"errors"
)

// pageSum finds the checksum in a page's header, which is a struct in Thrift's
// compact protocol. The library reads the header too and gives everything of it
// but this.
func pageSum(header []byte) (sum uint32, has bool, err error) {
	const crcField = 4
	h := thriftBytes(header)
	for id := int64(0); ; {
		var kind byte
		if id, kind, err = h.field(id); err != nil || kind == thriftStop {
			return 0, false, err
		}
		if id == crcField && kind == thriftI32 {
			v, err := h.varint()
			if err != nil {
				return 0, false, err
			}
			return uint32(unzigzag(v)), true, nil // the format keeps its 32 bits in a signed number
		}
		if err := h.skip(kind, 0); err != nil {
			return 0, false, err
		}
	}
}

// Types of the compact protocol. Types 1 and 2 are the two booleans, which hold
// their value in the type when they are fields.
const (
	thriftStop   = 0
	thriftByte   = 3
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// deepest is how far structs and lists of a header may nest; the format's nest two deep.
const deepest = 16

var errHeader = errors.New("a page's header cannot be read")

// thriftBytes is what is left of an encoded struct.
type thriftBytes []byte

// field reads the head of the next field behind the one numbered last.
func (t *thriftBytes) field(last int64) (id int64, kind byte, err error) {
	head, err := t.take(1)
	if err != nil {
		return 0, 0, err
	}
	kind = head[0] & 0x0f
	if step := head[0] >> 4; step != 0 || kind == thriftStop {
		return last + int64(step), kind, nil
	}
	v, err := t.varint()
	return unzigzag(v), kind, err
}

func (t *thriftBytes) skip(kind byte, depth int) error {
	if depth > deepest {
		return errHeader
	}
	switch kind {
	case 1, 2:
		return nil
	case thriftByte:
		_, err := t.take(1)
		return err
	case 4, thriftI32, thriftI64:
		_, err := t.varint()
		return err
	case thriftDouble:
		_, err := t.take(8)
		return err
	case thriftBinary:
		n, err := t.varint()
		if err == nil {
			_, err = t.take(n)
		}
		return err
	case thriftList, thriftSet:
		return t.skipList(depth)
	case thriftMap:
		return t.skipMap(depth)
	case thriftStruct:
		return t.skipStruct(depth)
	}
	return errHeader // the protocol has no such type
}

func (t *thriftBytes) skipStruct(depth int) error {
	for id := int64(0); ; {
		var kind byte
		var err error
		if id, kind, err = t.field(id); err != nil || kind == thriftStop {
			return err
		}
		if err := t.skip(kind, depth+1); err != nil {
			return err
		}
	}
}

func (t *thriftBytes) skipList(depth int) error {
	head, err := t.take(1)
	if err != nil {
		return err
	}
	n := uint64(head[0] >> 4)
	if n == 15 {
		if n, err = t.varint(); err != nil {
			return err
		}
	}
	return t.skipElements(n, depth, head[0]&0x0f)
}

func (t *thriftBytes) skipMap(depth int) error {
	n, err := t.varint()
	if err != nil || n == 0 {
		return err
	}
	kinds, err := t.take(1)
	if err != nil {
		return err
	}
	return t.skipElements(n, depth, kinds[0]>>4, kinds[0]&0x0f)
}

// skipElements passes by n elements, each of a value of every kind.
func (t *thriftBytes) skipElements(n uint64, depth int, kinds ...byte) error {
	for ; n > 0; n-- {
		for _, kind := range kinds {
			if kind == 1 || kind == 2 { // a boolean takes a byte where it is no field
				kind = thriftByte
			}
			if err := t.skip(kind, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *thriftBytes) take(n uint64) ([]byte, error) {
	if n > uint64(len(*t)) {
		return nil, errHeader
	}
	out := (*t)[:n]
	*t = (*t)[n:]
	return out, nil
}

func (t *thriftBytes) varint() (uint64, error) {
	v, used := binary.Uvarint(*t)
	if used <= 0 {
		return 0, errHeader
	}
	*t = (*t)[used:]
	return v, nil
}

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
