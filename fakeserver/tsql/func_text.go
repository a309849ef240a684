package tsql

import (
	"strings"
	"unicode/utf16"

	"cdcseed/fakeserver/tds"
)

// asText is the text type that an argument becomes in a text function.
func asText(t tds.Type) (tds.Type, bool) {
	switch {
	case isString(t):
		return t, true
	case t.ID == tds.NullType:
		return tds.VarChar(1), true
	case t.ID == tds.XMLType, t.ID == tds.VariantType, t.ID == tds.ImageType:
		return t, false
	case t.ID == tds.TextType:
		return tds.VarChar(maxLength), true
	case t.ID == tds.NTextType:
		return tds.NVarChar(maxLength), true
	}
	return tds.VarChar(8000), true
}

// textOfArg is an argument as text; bind has checked its type.
func textOfArg(v Value) (string, error) {
	t, _ := asText(v.T)
	c, err := Convert(v, t, 0)
	return textIn(c.V), err
}

// mapped is a function of one text that gives a text of the same type.
func mapped(f func(string) string) builtin {
	return builtin{min: 1, max: 1, bind: func(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
		t, ok := asText(args[0])
		if !ok {
			return t, nil, badArgument(args[0], 1, x.name[0])
		}
		if t.ID == tds.BigCharType || t.ID == tds.NCharType {
			t = withLength(t, length(t))
		}
		return t, func(a []Value) (any, error) {
			s, err := textOfArg(a[0])
			return f(s), err
		}, nil
	}}
}

func textFunction(name string) (builtin, bool) {
	switch name {
	case "UPPER":
		return mapped(strings.ToUpper), true
	case "LOWER":
		return mapped(strings.ToLower), true
	case "LTRIM":
		return mapped(func(s string) string { return strings.TrimLeft(s, " ") }), true
	case "RTRIM":
		return mapped(func(s string) string { return strings.TrimRight(s, " ") }), true
	case "TRIM":
		return mapped(func(s string) string { return strings.Trim(s, " ") }), true
	case "LEN":
		return builtin{min: 1, max: 1, bind: bindLen}, true
	case "LEFT", "RIGHT":
		return builtin{min: 2, max: 2, bind: bindEnd}, true
	case "REPLACE":
		return builtin{min: 3, max: 3, bind: bindReplace}, true
	case "CONCAT":
		return builtin{min: 2, max: 254, nulls: true, bind: bindConcat}, true
	case "QUOTENAME":
		return builtin{min: 1, max: 2, bind: bindQuoteName}, true
	case "PARSENAME":
		return builtin{min: 2, max: 2, bind: bindParseName}, true
	}
	return builtin{}, false
}

func bindLen(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	t, ok := asText(args[0])
	if !ok {
		return t, nil, badArgument(args[0], 1, x.name[0])
	}
	out := tds.Int
	if args[0].Size == maxLength {
		out = tds.BigInt
	}
	return out, func(a []Value) (any, error) {
		if b, ok := a[0].V.([]byte); ok {
			return int64(len(b)), nil
		}
		s, err := textOfArg(a[0])
		return int64(unitCount(strings.TrimRight(s, " "))), err
	}, nil
}

// bindEnd is LEFT and RIGHT.
func bindEnd(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	t, ok := asText(args[0])
	if !ok {
		return t, nil, badArgument(args[0], 1, x.name[0])
	}
	if isString(args[1]) || !implicit(args[1], tds.Int) {
		return t, nil, badArgument(args[1], 2, x.name[0])
	}
	right := strings.EqualFold(x.name[0], "RIGHT")
	return withLength(t, length(t)), func(a []Value) (any, error) {
		s, err := textOfArg(a[0])
		if err != nil {
			return nil, err
		}
		n, err := intOf(a[1])
		if err != nil {
			return nil, err
		}
		if n < 0 {
			return nil, Errorf(537, 16, "Invalid length parameter passed to the %s function.", strings.ToUpper(x.name[0]))
		}
		u := units(s)
		n = min(n, len(u))
		if right {
			return string(utf16.Decode(u[len(u)-n:])), nil
		}
		return string(utf16.Decode(u[:n])), nil
	}, nil
}

func intOf(v Value) (int, error) {
	c, err := Convert(v, tds.BigInt, 0)
	n, _ := c.V.(int64)
	return int(n), err
}

func bindReplace(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	wide, long := false, false
	for i, a := range args {
		t, ok := asText(a)
		if !ok {
			return t, nil, badArgument(a, i+1, x.name[0])
		}
		wide, long = wide || isWide(t), long || t.Size == maxLength
	}
	return textResult(wide, long), func(a []Value) (any, error) {
		var s [3]string
		for i := range a {
			var err error
			if s[i], err = textOfArg(a[i]); err != nil {
				return nil, err
			}
		}
		return replaceFold(s[0], s[1], s[2]), nil
	}, nil
}

// replaceFold replaces without regard to case, as the server's collation has it.
func replaceFold(s, old, with string) string {
	if old == "" {
		return s
	}
	text, lower, find := []rune(s), []rune(strings.ToLower(s)), []rune(strings.ToLower(old))
	if len(lower) != len(text) {
		return strings.ReplaceAll(s, old, with)
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if i+len(find) <= len(text) && string(lower[i:i+len(find)]) == string(find) {
			b.WriteString(with)
			i += len(find)
			continue
		}
		b.WriteRune(text[i])
		i++
	}
	return b.String()
}

func textResult(wide, long bool) tds.Type {
	switch {
	case wide && long:
		return tds.NVarChar(maxLength)
	case wide:
		return tds.NVarChar(4000)
	case long:
		return tds.VarChar(maxLength)
	}
	return tds.VarChar(8000)
}

// bindConcat takes NULL for an empty text.
func bindConcat(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	n, wide, long := 0, false, false
	for i, a := range args {
		t, ok := asText(a)
		if !ok {
			return t, nil, badArgument(a, i+1, x.name[0])
		}
		wide, long = wide || isWide(t), long || t.Size == maxLength
		n += length(t)
	}
	out := textResult(wide, long)
	if !long {
		out = withLength(out, min(n, length(out)))
	}
	return out, func(a []Value) (any, error) {
		var b strings.Builder
		for _, v := range a {
			s, err := textOfArg(v)
			if err != nil {
				return nil, err
			}
			b.WriteString(s)
		}
		v, err := Convert(Value{withLength(out, maxLength), b.String()}, out, 0)
		return v.V, err
	}, nil
}

func bindQuoteName(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	if t, ok := asText(args[0]); !ok {
		return t, nil, badArgument(args[0], 1, x.name[0])
	}
	return tds.NVarChar(258), func(a []Value) (any, error) {
		s, err := textOfArg(a[0])
		if err != nil || unitCount(s) > 128 {
			return nil, err
		}
		quote := "["
		if len(a) > 1 {
			if quote, err = textOfArg(a[1]); err != nil {
				return nil, err
			}
		}
		return quoted(s, quote), nil
	}, nil
}

func quoted(s, quote string) any {
	pairs := map[string]string{"[": "[]", "]": "[]", "'": "''", "\"": "\"\"", "(": "()", ")": "()", "<": "<>", ">": "<>", "{": "{}", "}": "{}", "`": "``"}
	p, ok := pairs[quote]
	if !ok {
		return nil
	}
	return p[:1] + strings.ReplaceAll(s, p[1:], p[1:]+p[1:]) + p[1:]
}

// bindParseName gives a part of an object's name, counted from its end.
func bindParseName(x *call, args []tds.Type) (tds.Type, func([]Value) (any, error), error) {
	if t, ok := asText(args[0]); !ok {
		return t, nil, badArgument(args[0], 1, x.name[0])
	}
	return tds.NVarChar(128), func(a []Value) (any, error) {
		s, err := textOfArg(a[0])
		if err != nil {
			return nil, err
		}
		n, err := intOf(a[1])
		if err != nil {
			return nil, err
		}
		parts, _ := parseName(s) // none where s is no name
		if n < 1 || n > len(parts) || len(parts) > 4 || parts[len(parts)-n] == "" {
			return nil, nil
		}
		return parts[len(parts)-n], nil
	}, nil
}
