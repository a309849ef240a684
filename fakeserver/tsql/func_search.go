package tsql

import (
	"strings"
	"unicode/utf16"

	"cdcseed/fakeserver/tds"
)

func searchFunction(name string) (builtin, bool) {
	switch name {
	case "SUBSTRING":
		return builtin{min: 3, max: 3, bind: bindSubstring}, true
	case "CHARINDEX":
		return builtin{min: 2, max: 3, bind: bindCharIndex}, true
	}
	return builtin{}, false
}

// bindSubstring counts from 1; what lies before the text counts as read.
func bindSubstring(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	t := args[0]
	if !isBinary(t) {
		text, ok := asText(t)
		if !ok || isNumber(t) || isTime(t) {
			return t, nil, badArgument(args[0], 1, x.name[0])
		}
		t = text
	}
	for i, a := range args[1:] {
		if !implicit(a, tds.BigInt) {
			return t, nil, badArgument(a, i+2, x.name[0])
		}
	}
	return withLength(t, length(t)), func(a []Value) (any, error) {
		start, err := intOf(a[1])
		if err != nil {
			return nil, err
		}
		n, err := intOf(a[2])
		if err != nil {
			return nil, err
		}
		if n < 0 {
			return nil, Errorf(537, 16, "Invalid length parameter passed to the LEFT or SUBSTRING function.")
		}
		if b, ok := a[0].V.([]byte); ok {
			from, to := span(start, n, len(b))
			return append([]byte{}, b[from:to]...), nil
		}
		s, err := textOfArg(a[0])
		if err != nil {
			return nil, err
		}
		u := units(s)
		from, to := span(start, n, len(u))
		return string(utf16.Decode(u[from:to])), nil
	}, nil
}

// span turns a start counted from 1 and a length into bounds within size.
func span(start, n, size int) (from, to int) {
	end := size
	if n < size-start+1 {
		end = start - 1 + n
	}
	from = min(max(start-1, 0), size)
	return from, min(max(end, from), size)
}

func bindCharIndex(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	for i, a := range args[:2] {
		if t, ok := asText(a); !ok {
			return t, nil, badArgument(a, i+1, x.name[0])
		}
	}
	out := tds.Int
	if args[1].Size == maxLength {
		out = tds.BigInt
	}
	return out, func(a []Value) (any, error) {
		find, err := textOfArg(a[0])
		if err != nil {
			return nil, err
		}
		in, err := textOfArg(a[1])
		if err != nil {
			return nil, err
		}
		start := 1
		if len(a) > 2 {
			if start, err = intOf(a[2]); err != nil {
				return nil, err
			}
		}
		return charIndex(find, in, start), nil
	}, nil
}

func charIndex(find, in string, start int) int64 {
	u := units(strings.ToLower(in))
	f := units(strings.ToLower(find))
	for i := max(0, start-1); len(f) > 0 && i+len(f) <= len(u); i++ {
		if string(utf16.Decode(u[i:i+len(f)])) == string(utf16.Decode(f)) {
			return int64(i + 1)
		}
	}
	return 0
}
