package thrift

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// ErrShort is in the chain of an error where the bytes end inside the struct:
// more of them may help.
var ErrShort = errors.New("the bytes end inside a struct")

// Limits bound what a struct may ask for, whatever its bytes say.
type Limits struct {
	Depth  int // of structs and lists inside each other
	Values int // in all; each takes at most some 200 bytes of memory
}

// Parse reads the struct that b begins with, and says how many bytes it takes.
// The tree refers to b, which nobody changes from then on.
func Parse(b []byte, l Limits) (s *Struct, n int, err error) {
	p := parser{b: b, left: l.Values, deepest: l.Depth}
	s, err = p.object(0)
	if err != nil {
		return nil, 0, fmt.Errorf("thrift at byte %d: %w", p.at, err)
	}
	return s, p.at, nil
}

// maxUnordered bounds the search for fields that stand twice. Writers put ids in
// order, and the format's structs have less than twenty.
const maxUnordered = 1000

type parser struct {
	b       []byte
	at      int
	left    int // values that may still come
	deepest int
	stack   []field // of the structs that are being read, the inmost last
}

func (p *parser) object(depth int) (*Struct, error) {
	if depth > p.deepest {
		return nil, fmt.Errorf("nested deeper than %d", p.deepest)
	}
	var last int16
	ordered := true // ids that only grow need no search for one that stands twice
	for base := len(p.stack); ; {
		head, err := p.byte()
		if err != nil {
			return nil, err
		}
		if head == 0 {
			s := &Struct{fields: slices.Clone(p.stack[base:])}
			p.stack = p.stack[:base]
			return s, nil
		}
		if err := p.count(1); err != nil {
			return nil, err
		}
		f, err := p.field(head, last, depth)
		if err != nil {
			return nil, err
		}
		if ordered = ordered && (len(p.stack) == base || f.id > last); !ordered {
			if err := alone(p.stack[base:], f.id); err != nil {
				return nil, err
			}
		}
		p.stack, last = append(p.stack, f), f.id
	}
}

// alone refuses a field that the struct has already.
func alone(fields []field, id int16) error {
	if len(fields) > maxUnordered {
		return fmt.Errorf("a struct of more than %d fields out of order", maxUnordered)
	}
	if slices.ContainsFunc(fields, func(f field) bool { return f.id == id }) {
		return fmt.Errorf("field %d stands twice", id)
	}
	return nil
}

func (p *parser) field(head byte, last int16, depth int) (f field, err error) {
	id := int64(last) + int64(head>>4)
	if head>>4 == 0 {
		if id, f.wide, err = p.zigzag(); err != nil {
			return f, err
		}
	}
	if !fits(I16, id) {
		return f, fmt.Errorf("a field numbered %d", id)
	}
	f.id = int16(id)
	switch kind := Kind(head & 15); kind {
	case True, False:
		f.val = Value{kind: True, num: int64(kind)}
	default:
		f.val, err = p.value(kind, depth)
	}
	return f, err
}

func (p *parser) value(kind Kind, depth int) (v Value, err error) {
	v.kind = kind
	switch kind {
	case True, False: // an item: as a field it has no byte of its own
		v.kind = True
		var b byte
		b, err = p.byte()
		v.num = int64(b)
		if b > byte(False) {
			err = errors.Join(err, fmt.Errorf("a boolean spelled %d", b))
		}
	case Byte:
		var b byte
		b, err = p.byte()
		v.num = int64(int8(b))
	case I16, I32, I64:
		if v.num, v.wide, err = p.zigzag(); err == nil && !fits(kind, v.num) {
			err = fmt.Errorf("%d is no %s", v.num, kind)
		}
	case Double:
		v.raw, err = p.take(8)
	case UUID:
		v.raw, err = p.take(16)
	case Binary:
		var n uint64
		if n, v.wide, err = p.varint(); err == nil {
			v.raw, err = p.take(n)
		}
	case List, Set:
		err = p.list(&v, depth+1)
	case Map:
		err = p.entries(&v, depth+1)
	case Object:
		v.obj, err = p.object(depth + 1)
	default:
		err = fmt.Errorf("kind %d does not exist", kind)
	}
	return v, err
}

func (p *parser) list(v *Value, depth int) error {
	head, err := p.byte()
	if err != nil {
		return err
	}
	v.elem = Kind(head & 15)
	n := uint64(head >> 4)
	if n == 15 {
		if n, v.wide, err = p.varint(); err != nil {
			return err
		}
	}
	return p.items(v, n, depth, v.elem)
}

func (p *parser) entries(v *Value, depth int) error {
	n, wide, err := p.varint()
	v.wide = wide
	if err != nil || n == 0 {
		return err
	}
	kinds, err := p.byte()
	if err != nil {
		return err
	}
	v.elem, v.item = Kind(kinds>>4), Kind(kinds&15)
	return p.items(v, n, depth, v.elem, v.item)
}

// items reads n times a value of every kind. Each takes a byte at least, so
// that a count beyond the bytes left is known before memory is asked for.
func (p *parser) items(v *Value, n uint64, depth int, kinds ...Kind) error {
	if depth > p.deepest {
		return fmt.Errorf("nested deeper than %d", p.deepest)
	}
	if n > uint64(len(p.b)-p.at) {
		return fmt.Errorf("%d items in %d bytes: %w", n, len(p.b)-p.at, ErrShort)
	}
	all := int(n) * len(kinds)
	if err := p.count(all); err != nil { // before memory for all of them is asked for
		return err
	}
	out := make([]Value, 0, all)
	for range n {
		for _, kind := range kinds {
			it, err := p.value(kind, depth)
			if err != nil {
				return err
			}
			out = append(out, it)
		}
	}
	v.list = &out
	return nil
}

var errMany = errors.New("more values than a reader has memory for")

func (p *parser) count(n int) error {
	if p.left -= n; p.left < 0 {
		return errMany
	}
	return nil
}

func (p *parser) byte() (byte, error) {
	if p.at == len(p.b) {
		return 0, ErrShort
	}
	p.at++
	return p.b[p.at-1], nil
}

func (p *parser) take(n uint64) ([]byte, error) {
	if n > uint64(len(p.b)-p.at) {
		return nil, ErrShort
	}
	from := p.at
	p.at += int(n)
	return slices.Clip(p.b[from:p.at]), nil
}

// varint reads a number and tells how many bytes spell it.
func (p *parser) varint() (v uint64, wide uint8, err error) {
	v, n := binary.Uvarint(p.b[p.at:])
	switch {
	case n == 0:
		return 0, 0, ErrShort
	case n < 0:
		return 0, 0, errors.New("a number of more than 64 bits")
	}
	p.at += n
	return v, uint8(n), nil
}

func (p *parser) zigzag() (int64, uint8, error) {
	v, wide, err := p.varint()
	return int64(v>>1) ^ -int64(v&1), wide, err
}
