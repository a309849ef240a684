package tds

import "fmt"

// appendString writes character and binary types. Those of fixed length are
// padded; what is too long is an error.
func appendString(b []byte, t Type, v any) ([]byte, error) {
	at := len(b)
	switch s := v.(type) {
	case []byte:
		b = append(b, s...)
	case string:
		switch t.ID {
		case NVarCharType, NCharType, NTextType, XMLType: // real servers put no byte-order mark before xml
			b = appendUCS2(b, s)
		case BigVarCharType, BigCharType, TextType:
			b = appendCP1252(b, s)
		default:
			return nil, mismatch(t, v)
		}
	default:
		return nil, mismatch(t, v)
	}
	if f := t.framing(); f == chunked || f == textPointer {
		return b, nil
	}
	if n := len(b) - at; n > t.Size {
		return nil, fmt.Errorf("tds: %d bytes in a column of %d", n, t.Size)
	}
	for len(b)-at < t.Size {
		switch t.ID {
		case BigBinaryType:
			b = append(b, 0)
		case BigCharType:
			b = append(b, ' ')
		case NCharType:
			b = append(b, ' ', 0)
		default:
			return b, nil
		}
	}
	return b, nil
}
