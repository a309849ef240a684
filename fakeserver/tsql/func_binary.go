package tsql

import (
	"crypto/sha256"
	"strings"

	"cdcseed/fakeserver/tds"
)

func binaryFunction(name string) (builtin, bool) {
	switch name {
	case "DATALENGTH":
		return builtin{min: 1, max: 1, bind: bindDataLength}, true
	case "HASHBYTES":
		return builtin{min: 2, max: 2, bind: bindHashBytes}, true
	case "ABS":
		return builtin{min: 1, max: 1, bind: bindAbs}, true
	}
	return builtin{}, false
}

func bindDataLength(_ *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	out := tds.Int
	if args[0].Size == maxLength {
		out = tds.BigInt
	}
	return out, func(a []Value) (any, error) {
		t := a[0].T
		if t.ID == tds.VariantType {
			t = baseType(a[0].V)
		}
		switch x := a[0].V.(type) {
		case []byte:
			return int64(len(x)), nil
		case string:
			if isWide(t) || t.ID == tds.NTextType || t.ID == tds.XMLType {
				return int64(2 * unitCount(x)), nil
			}
			return int64(len(narrowBytes(x))), nil
		}
		return int64(t.Size), nil
	}, nil
}

// bindHashBytes is exact for the algorithm it knows; the others are refused,
// because another digest would be a lie.
func bindHashBytes(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	if !isString(args[1]) && !isBinary(args[1]) {
		return args[1], nil, badArgument(args[1], 2, x.name[0])
	}
	return tds.VarBinary(8000), func(a []Value) (any, error) {
		algorithm, err := textOfArg(a[0])
		if err != nil {
			return nil, err
		}
		if !strings.EqualFold(algorithm, "SHA2_256") {
			return nil, notSimulated("HASHBYTES with %s", algorithm)
		}
		b, err := bytesOf(a[1], tds.VarBinary(maxLength), 0)
		sum := sha256.Sum256(b)
		return sum[:], err
	}, nil
}

func bindAbs(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	if !isNumber(args[0]) {
		return args[0], nil, badArgument(args[0], 1, x.name[0])
	}
	return args[0], func(a []Value) (any, error) {
		if k, err := Compare(a[0], Value{tds.Int, int64(0)}); err != nil || k >= 0 {
			return a[0].V, err
		}
		return negate(a[0].V, a[0].T, "-")
	}, nil
}
