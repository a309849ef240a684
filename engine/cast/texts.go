package cast

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// texts is an array whose values can be seen as strings of bytes without copying.
type texts interface{ Value(i int) string }

type binaryTexts struct{ *array.Binary }

func (t binaryTexts) Value(i int) string { return t.ValueString(i) }

type largeBinaryTexts struct{ *array.LargeBinary }

func (t largeBinaryTexts) Value(i int) string { return t.ValueString(i) }

type fixedTexts struct{ *array.FixedSizeBinary }

func (t fixedTexts) Value(i int) string { return string(t.FixedSizeBinary.Value(i)) }

type dictionaryTexts struct {
	*array.Dictionary
	values texts
}

func (t dictionaryTexts) Value(i int) string { return t.values.Value(t.GetValueIndex(i)) }

// textsOf sees an array of text or bytes as texts, false for any other.
func textsOf(arr arrow.Array) (texts, bool) {
	switch a := arr.(type) {
	case *array.String:
		return a, true
	case *array.LargeString:
		return a, true
	case *array.Binary:
		return binaryTexts{a}, true
	case *array.LargeBinary:
		return largeBinaryTexts{a}, true
	case *array.FixedSizeBinary:
		return fixedTexts{a}, true
	case *array.Dictionary:
		values, ok := textsOf(a.Dictionary())
		return dictionaryTexts{a, values}, ok
	}
	return nil, false
}
