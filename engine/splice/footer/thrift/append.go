package thrift

import "encoding/binary"

// Append writes the struct behind dst.
func (s *Struct) Append(dst []byte) []byte {
	var last int16
	for i := range s.fields {
		f := &s.fields[i]
		kind := byte(f.val.kind)
		if f.val.kind == True && !f.val.Truth() {
			kind = byte(False)
		}
		if step := int(f.id) - int(last); f.wide == 0 && step > 0 && step < 16 {
			dst = append(dst, byte(step)<<4|kind)
		} else {
			dst = appendZigzag(append(dst, kind), int64(f.id), f.wide)
		}
		last = f.id
		if f.val.kind != True { // whose kind is its value
			dst = f.val.append(dst)
		}
	}
	return append(dst, byte(Stop))
}

func (v Value) append(dst []byte) []byte {
	switch v.kind {
	case True, Byte:
		return append(dst, byte(v.num))
	case I16, I32, I64:
		return appendZigzag(dst, v.num, v.wide)
	case Double, UUID:
		return append(dst, v.raw...)
	case Binary:
		return append(appendVarint(dst, uint64(len(v.raw)), v.wide), v.raw...)
	case Object:
		return v.obj.Append(dst)
	case List, Set:
		if n := v.Len(); v.wide == 0 && n < 15 {
			dst = append(dst, byte(n)<<4|byte(v.elem))
		} else {
			dst = appendVarint(append(dst, 0xf0|byte(v.elem)), uint64(n), v.wide)
		}
	case Map:
		dst = appendVarint(dst, uint64(v.Len()/2), v.wide)
		if v.Len() > 0 {
			dst = append(dst, byte(v.elem)<<4|byte(v.item))
		}
	}
	for _, it := range v.Items() {
		dst = it.append(dst)
	}
	return dst
}

func appendZigzag(dst []byte, v int64, wide uint8) []byte {
	return appendVarint(dst, uint64(v)<<1^uint64(v>>63), wide)
}

// appendVarint spells v with wide bytes, or with as many as it needs.
func appendVarint(dst []byte, v uint64, wide uint8) []byte {
	from := len(dst)
	dst = binary.AppendUvarint(dst, v)
	for len(dst)-from < int(wide) {
		dst[len(dst)-1] |= 0x80
		dst = append(dst, 0)
	}
	return dst
}
