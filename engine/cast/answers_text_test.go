package cast_test

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// aText is a random text of characters of one to four bytes.
func aText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(9) {
		b.WriteString([]string{"a", "Z", " ", "é", "€", "日", "😀", "\u0301", "0"}[r.IntN(9)])
	}
	return b.String()
}

// shown is text as reports show it.
func shown(s string) string {
	if s == "" || strings.TrimSpace(s) != s || strconv.Quote(s) != `"`+s+`"` {
		return strconv.Quote(s)
	}
	return s
}

func TestAnswersForText(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 5))
	const limit = 5
	units := map[string]func(string) int{
		"varchar": func(s string) int { return len([]rune(s)) }, // code page 1252: a byte a character
		"char":    func(s string) int { return len([]rune(s)) },
		"nvarchar": func(s string) int {
			return len(utf16.Encode([]rune(s)))
		},
		"nchar": func(s string) int { return len(utf16.Encode([]rune(s))) },
		"utf-8": func(s string) int { return len(s) },
	}
	for _, name := range slices.Sorted(maps.Keys(units)) { // in one order, so that a seed gives one row of values
		count := units[name]
		sql := schema.SQLType{Name: name, Length: limit, CodePage: 1252, AnsiPad: true}
		switch name {
		case "nvarchar", "nchar":
			sql.Length = 2 * limit
		case "utf-8":
			sql.Name, sql.CodePage = "char", 65001
		}
		want := func(v any, a cast.Answer) string {
			s := v.(string)
			if count(s) > limit && a != cast.Cut {
				return refused
			}
			runes := []rune(s)
			for count(string(runes)) > limit {
				runes = runes[:len(runes)-1]
			}
			s = string(runes)
			if strings.HasSuffix(sql.Name, "char") && !strings.Contains(sql.Name, "var") {
				s += strings.Repeat(" ", limit-count(s)) // also of one cut before a character that had no room
			}
			return shown(s)
		}
		for _, from := range []schema.CopyColumn{textCol, bytesCol, partCol} {
			tried{from: from, to: sql, value: func(r *rand.Rand) any { return aText(r) }, want: want}.check(t, r, 300)
		}
	}
}

func TestAnswersForBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 6))
	some := func(r *rand.Rand) any {
		b := make([]byte, r.IntN(9))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	}
	hexed := func(s string) string { return "0x" + strings.ToUpper(hex.EncodeToString([]byte(s))) }
	for _, name := range []string{"binary", "varbinary"} {
		tried{from: bytesCol, to: sized(name, 5), value: some, want: func(v any, a cast.Answer) string {
			s := v.(string)
			switch {
			case len(s) > 5 && a != cast.Cut:
				return refused
			case len(s) > 5:
				s = s[:5]
			case name == "binary":
				s += strings.Repeat("\x00", 5-len(s))
			}
			return hexed(s)
		}}.check(t, r, 300)
	}
	for _, name := range []string{"timestamp", "rowversion"} {
		tried{from: bytesCol, to: sqlType(name), value: some, want: func(v any, _ cast.Answer) string {
			if len(v.(string)) != 8 {
				return refused
			}
			return hexed(v.(string))
		}}.check(t, r, 300)
		tried{from: int64Col, to: sqlType(name), value: func(r *rand.Rand) any { return int(r.Uint64()) }, want: func(v any, _ cast.Answer) string {
			return fmt.Sprintf("0x%016X", uint64(v.(int)))
		}}.check(t, r, 100)
	}
}

func TestAnswersForBitsAndGUIDs(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 7))
	bit := func(v any, _ cast.Answer) string {
		switch strings.ToLower(strings.TrimSpace(fmt.Sprint(v))) {
		case "1", "true":
			return "true"
		case "0", "false":
			return "false"
		}
		return refused
	}
	tried{from: int32Col, to: sqlType("bit"), want: bit, value: func(r *rand.Rand) any { return r.IntN(4) - 1 }}.check(t, r, 100)
	tried{from: textCol, to: sqlType("bit"), want: bit, value: func(r *rand.Rand) any {
		return []string{"0", "1", "true", "False", " 1 ", "yes", "", "2", "TRUE", "00"}[r.IntN(10)]
	}}.check(t, r, 100)
	tried{from: textCol, to: sqlType("uniqueidentifier"), value: func(r *rand.Rand) any {
		id := fmt.Sprintf("%08x-%04X-%04x-%04x-%012x", r.Uint32(), r.IntN(1<<16), r.IntN(1<<16), r.IntN(1<<16), r.Uint64()>>16)
		switch r.IntN(5) {
		case 0:
			return "{" + id + "}"
		case 1:
			return strings.ReplaceAll(id, "-", "")
		case 2: // a character lost or replaced
			k := r.IntN(len(id))
			return id[:k] + []string{"", "g", "-"}[r.IntN(3)] + id[k+1:]
		}
		return id
	}, want: func(v any, _ cast.Answer) string {
		s := v.(string)
		if s[0] == '{' {
			s = s[1 : len(s)-1]
		}
		plain := strings.ReplaceAll(s, "-", "")
		if b, err := hex.DecodeString(plain); err != nil || len(b) != 16 {
			return refused
		}
		full := strings.ToUpper(plain[:8] + "-" + plain[8:12] + "-" + plain[12:16] + "-" + plain[16:20] + "-" + plain[20:])
		if s != plain && strings.ToUpper(s) != full {
			return refused // hyphens elsewhere
		}
		return full
	}}.check(t, r, 400)
}
