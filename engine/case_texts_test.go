package engine_test

import (
	"encoding/base64"
	"strconv"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"

	"cdcseed/engine"
	"cdcseed/engine/cast"
	"cdcseed/engine/verdict"
)

// Case 9: a uniqueidentifier in any letter case, and as bytes in two orders.
func TestCase9Uniqueidentifier(t *testing.T) {
	const id = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
	s := scene{columns: `{"name": "id", "type": "uniqueidentifier"}, {"name": "name", "type": "nvarchar(20)", "nullable": true}`}
	const sqlOrder = "\xff\x19\x96\x6f\x86\x8b\x11\xd0\xb4\x2d\x00\xc0\x4f\xc9\x64\xff"
	const textOrder = "\x6f\x96\x19\xff\x8b\x86\xd0\x11\xb4\x2d\x00\xc0\x4f\xc9\x64\xff"
	made := func(t *testing.T, kind arrow.DataType, value string) *kit {
		k := withoutCopy(t, s)
		k.moreCopy("a.parquet", []arrow.Field{field("id", kind), field("name", texts)}, `[{"id": `+value+`, "name": "seed"}]`)
		return k
	}
	// One change row for that key and the seed are one row.
	joins := func(k *kit) {
		k.t.Helper()
		k.writes([]string{"id", "name"}, id+" seed")
		k.isOne(k.latest("id", "name", `"id": "`+id+`", "name": "changed"`), id+" = changed")
	}
	t.Run("lower case", func(t *testing.T) { joins(made(t, texts, `"6f9619ff-8b86-d011-b42d-00c04fc964ff"`)) })
	t.Run("upper case", func(t *testing.T) { joins(made(t, texts, `"`+id+`"`)) })
	t.Run("in braces", func(t *testing.T) { joins(made(t, texts, `"{6f9619ff-8b86-d011-b42d-00c04fc964ff}"`)) })
	for order, bytes := range map[string]string{"sql-order": sqlOrder, "text-order": textOrder} {
		t.Run("16 bytes, "+order, func(t *testing.T) {
			k := withoutCopy(t, s)
			k.rawFile("a.parquet", nil, fixed("id", bytes), textColumn("name", "seed"))
			k.refusedAs(verdict.CastNeedsAnswer, "id", "--cast id=text-order|sql-order")
			k.request.Cast = map[string]string{"id": order}
			joins(k)
		})
	}
	t.Run("bytes of any length", func(t *testing.T) {
		k := made(t, raw, strconv.Quote(base64.StdEncoding.EncodeToString([]byte(sqlOrder))))
		k.refusedAs(verdict.CastNeedsAnswer, "id", "--cast id=text-order|sql-order")
		k.request.Cast = map[string]string{"id": "sql-order"}
		joins(k)
	})
	t.Run("annotated as a UUID", func(t *testing.T) {
		k := withoutCopy(t, s)
		id := fixed("id", textOrder)
		id.node = annotated("id", pqschema.UUIDLogicalType{}, parquet.Types.FixedLenByteArray, 16)
		k.rawFile("a.parquet", nil, id, textColumn("name", "seed"))
		joins(k)
	})
}

// Case 10: the padding of char, nchar and binary is lost in the copy.
func TestCase10Padding(t *testing.T) {
	const name = `{"name": "name", "type": "nvarchar(20)", "nullable": true}`
	t.Run("char", func(t *testing.T) {
		for _, kind := range []string{"char(6)", "nchar(6)"} {
			k := kitIn(t, scene{key: "code", columns: `{"name": "code", "type": "` + kind + `"}, ` + name})
			k.newCopy([]arrow.Field{field("code", texts), field("name", texts)}, `[{"code": "DVT1", "name": "seed"}]`)
			p := k.writes([]string{"code", "name"}, `"DVT1  " seed`)
			k.counts(p, "code", cast.Padded, 1)
			k.isOne(k.latest("code", "name", `"code": "DVT1  ", "name": "changed"`), `"DVT1  " = changed`)
		}
	})
	t.Run("binary", func(t *testing.T) {
		k := kitIn(t, scene{key: "code", columns: `{"name": "code", "type": "binary(4)"}, ` + name})
		k.newCopy([]arrow.Field{field("code", raw), field("name", texts)}, `[{"code": "AQ==", "name": "seed"}]`)
		p := k.writes([]string{"code", "name"}, "0x01000000 seed")
		k.counts(p, "code", cast.Padded, 1)
		k.isOne(k.latest("code", "name", `"code": "AQAAAA==", "name": "changed"`), "0x01000000 = changed")
	})
	t.Run("varying length is left alone", func(t *testing.T) {
		for kind, of := range map[string]struct {
			kind        arrow.DataType
			value, want string
		}{
			"varchar(6)": {texts, `"DVT1 "`, `1 "DVT1 "`}, "nvarchar(6)": {texts, `"DVT1"`, `1 DVT1`}, "varbinary(4)": {raw, `"AQ=="`, `1 0x01`},
		} {
			k := copyOf(t, idAnd("code", kind), "code", of.kind, of.value)
			p := k.writes([]string{"id", "code"}, of.want)
			k.counts(p, "code", cast.Padded, 0)
		}
	})
	t.Run("too long", func(t *testing.T) {
		copyOf(t, idAnd("code", "char(6)"), "code", texts, `"DVT1234"`).refusedAs(verdict.ValueRefused, "code", "1 longer than declared", "DVT1234")
	})
}

// Case 39: a rowversion is eight bytes, whatever its other name.
func TestCase39Rowversion(t *testing.T) {
	for _, sql := range []string{"rowversion", "timestamp"} {
		s := idAnd("stamp", sql)
		const want = "1 0x00000000000007D1"
		copyOf(t, s, "stamp", raw, `"AAAAAAAAB9E="`).writes([]string{"id", "stamp"}, want)
		k := withoutCopy(t, s)
		k.rawFile("a.parquet", nil, ints("id", 1), fixed("stamp", "\x00\x00\x00\x00\x00\x00\x07\xd1"))
		k.writes([]string{"id", "stamp"}, want)
		copyOf(t, s, "stamp", int64s, "2001").writes([]string{"id", "stamp"}, want)
		for _, text := range []string{`"0x00000000000007D1"`, `"AAAAAAAAB9E="`} {
			k := copyOf(t, s, "stamp", texts, text)
			p := k.writes([]string{"id", "stamp"}, want)
			k.counts(p, "stamp", cast.Normalised, 1)
			// What the text was taken for is shown before anything is written.
			if got := p.Preview.Report.Columns["stamp"].Samples[cast.Normalised]; len(got) != 1 || got[0].After != want[2:] {
				t.Errorf("%s: %+v", text, got)
			}
		}
		copyOf(t, s, "stamp", moments, `"2026-07-01 15:00:00"`).refusedAs(verdict.CastImpossible, `"stamp"`, "timestamp UTC, us to timestamp")
		copyOf(t, s, "stamp", raw, `"AQ=="`).refusedAs(verdict.ValueRefused, "stamp", "of the wrong length", "0x01")
		copyOf(t, s, "stamp", texts, `"2001"`).refusedAs(verdict.ValueRefused, "stamp", "cannot be read", "2001")
	}
}

// Case 36: text that is not UTF-8.
func TestCase36NotUTF8(t *testing.T) {
	made := func(t *testing.T, kind string, values ...string) *kit {
		k := withoutCopy(t, idAnd("name", kind))
		k.rawFile("a.parquet", nil, ints("id", []int32{1, 2, 3}[:len(values)]...), textColumn("name", values...))
		return k
	}
	const cafe, undefined = "caf\xe9", "#\x81"
	k := made(t, "varchar(50)", cafe, undefined, "plain")
	k.refusedAs(verdict.ValueRefused, `column "name" has values that cannot be written: 2 of 3`, "2 not UTF-8 text", "0x636166E9 (a.parquet row 1", "0x2381 (a.parquet row 2", "--encoding name=ENCODING")
	k.request.Encoding = map[string]string{"name": "windows-1252"}
	k.refusedAs(verdict.ValueRefused, `column "name" has values that cannot be written: 1 of 3`, "1 cannot be read", "0x2381 (a.parquet row 2")
	k.request.Cast = map[string]string{"name": "null"}
	p := k.writes([]string{"id", "name"}, "1 café", "2 NULL", "3 plain")
	k.counts(p, "name", cast.Decoded, 1)
	if got := k.lastCommit("bronze").Info.Tags["cdcseed.answers"]; got != "--cast name=null --encoding name=windows-1252" {
		t.Errorf("the commit records %q", got)
	}

	k = made(t, "varchar(50)", cafe)
	k.request.Encoding = map[string]string{"NAME": "cp1252"}
	k.writes([]string{"id", "name"}, "1 café")
	k = made(t, "char(6)", cafe) // padded as decoded
	k.request.Encoding = map[string]string{"name": "windows-1252"}
	k.writes([]string{"id", "name"}, `1 "café  "`)
	k = made(t, "int", cafe)
	k.request.Encoding = map[string]string{"name": "windows-1252"}
	k.refusedAs(verdict.AnswerUnknown, `column "name" takes no answer from --encoding`)
}

// The columns page asks for the encoding and shows the column's own code page first.
func TestCase36IsAskedInTheWizard(t *testing.T) {
	k := withoutCopy(t, idAnd("name", "varchar(50)"))
	k.rawFile("a.parquet", nil, ints("id", 1), textColumn("name", "caf\xe9"))
	asked := func() (out *engine.Ask) {
		for _, l := range k.columns(true).Lines {
			for _, a := range l.Asks {
				if a.Flag == "--encoding" {
					out = &a
				}
			}
		}
		return out
	}
	a := asked()
	if a == nil || !a.Open || a.Choices[0].Value != "windows-1252" {
		t.Fatalf("%+v", a)
	}
	a.Answer(&k.request, "windows-1252")
	if a = asked(); a == nil || a.Open || a.Given != "windows-1252" || k.request.Encoding["name"] != "windows-1252" {
		t.Fatalf("%+v %q", a, k.request.Encoding)
	}
	k.writes([]string{"id", "name"}, "1 café")
	a.Answer(&k.request, "")
	if k.request.Encoding != nil {
		t.Errorf("taken back, yet %q", k.request.Encoding)
	}
}
