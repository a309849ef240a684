package cast

import "github.com/apache/arrow/go/v17/arrow"

// unitOf is the unit of a type that counts time; seconds for any other.
func unitOf(t arrow.DataType) arrow.TimeUnit {
	switch t := t.(type) {
	case *arrow.TimestampType:
		return t.Unit
	case *arrow.Time32Type:
		return t.Unit
	case *arrow.Time64Type:
		return t.Unit
	}
	return arrow.Second
}

// scaleOf is the scale of a decimal type; 0 for any other.
func scaleOf(t arrow.DataType) int {
	if d, ok := t.(arrow.DecimalType); ok {
		return int(d.GetScale())
	}
	return 0
}
