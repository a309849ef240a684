package engine_test

import (
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v17/parquet"
	pqschema "github.com/apache/arrow/go/v17/parquet/schema"

	"cdcseed/engine/cast"
	"cdcseed/engine/verdict"
)

// Case 2: a datetime in the copy is an instant in somebody's zone.
func TestCase2AnInstantForADatetime(t *testing.T) {
	s := idAnd("created", "datetime")
	made := func(t *testing.T, values ...string) *kit { return copyOf(t, s, "created", moments, values...) }
	t.Run("without a choice", func(t *testing.T) {
		k := made(t, `"2026-07-01 15:00:00"`)
		k.refusedAs(verdict.CastNeedsZone, "created", "--copy-time-zone")
		// The screens show one sample both ways.
		k.zoneSamples("America/Sao_Paulo", map[string]string{
			"UTC":               "2026-07-01T15:00:00Z -> 2026-07-01T15:00:00",
			"America/Sao_Paulo": "2026-07-01T15:00:00Z -> 2026-07-01T12:00:00",
		})
	})
	for zone, want := range map[string]string{"America/Sao_Paulo": "2026-07-01T12:00:00", "UTC": "2026-07-01T15:00:00", "E. South America Standard Time": "2026-07-01T12:00:00"} {
		t.Run(zone, func(t *testing.T) {
			k := made(t, `"2026-07-01 15:00:00"`)
			k.request.CopyTimeZone = zone
			p := k.writes([]string{"id", "created"}, "1 "+want)
			k.counts(p, "created", cast.AfterGap, 0)
		})
	}
	t.Run("after a spring gap", func(t *testing.T) {
		// In Berlin 02:00 became 03:00 at 01:00Z on 2026-03-29: a writer that met
		// 02:30 wrote 01:30Z, which is 03:30 there.
		k := made(t, `"2026-03-29 01:30:00"`, `"2026-03-29 02:30:00"`, `"2026-03-29 00:30:00"`)
		k.request.CopyTimeZone = "Europe/Berlin"
		p := k.writes([]string{"id", "created"}, "1 2026-03-29T03:30:00", "2 2026-03-29T04:30:00", "3 2026-03-29T01:30:00")
		k.counts(p, "created", cast.AfterGap, 1)
		if s := p.Preview.Report.Columns["created"].Samples[cast.AfterGap]; len(s) != 1 || s[0].Row != 1 || s[0].File != "a.parquet" {
			t.Errorf("%+v", s)
		}
	})
}

// zoneSamples looks at what the screens show of each choice, before and after one is named.
func (k *kit) zoneSamples(zone string, want map[string]string) {
	k.t.Helper()
	asked := k.request.CopyTimeZone
	defer func() { k.request.CopyTimeZone = asked }()
	shown := map[string]string{}
	for _, named := range []string{"", zone} {
		k.request.CopyTimeZone = named
		for _, l := range k.columns(true).Lines {
			for _, a := range l.Asks {
				for _, c := range a.Choices {
					shown[c.Value] = c.Sample
				}
			}
		}
	}
	for choice, text := range want {
		if shown[choice] != text {
			k.t.Errorf("%s shows %q, want %q", choice, shown[choice], text)
		}
	}
}

// Case 12b: datetime is 1/300 s, and the copy's spelling is a cast to datetime2.
func TestCase12TicksOfDatetime(t *testing.T) {
	fraction := func(s string) string { return fmt.Sprintf("%q", "2026-07-01 11:44:31."+s) }
	t.Run("a tick, also as a key", func(t *testing.T) {
		for _, key := range []string{"id", "at"} {
			s := idAnd("at", "datetime")
			s.key = key
			if key == "at" {
				s.columns = `{"name": "id", "type": "int"}, {"name": "at", "type": "datetime"}`
			}
			k := copyOf(t, s, "at", wall, fraction("856667"))
			p := k.writes([]string{"id", "at"}, "1 2026-07-01T11:44:31.857")
			k.counts(p, "at", cast.Normalised, 1)
			k.isOne(k.latest(key, "at", `"id": 1, "at": "2026-07-01 11:44:31.857000"`), "= 2026-07-01T11:44:31.857")
		}
	})
	t.Run("every spelling of the ticks", func(t *testing.T) {
		k := copyOf(t, idAnd("at", "datetime"), "at", wall, fraction("856666"), fraction("856667"), fraction("857"), fraction("853333"), fraction("86"), "null")
		p := k.writes([]string{"id", "at"}, "1 2026-07-01T11:44:31.857", "2 2026-07-01T11:44:31.857", "3 2026-07-01T11:44:31.857",
			"4 2026-07-01T11:44:31.853", "5 2026-07-01T11:44:31.86", "6 NULL")
		k.counts(p, "at", cast.Normalised, 3)
	})
	t.Run("another fraction is asked about", func(t *testing.T) {
		made := func(t *testing.T) *kit {
			return copyOf(t, idAnd("at", "datetime"), "at", wall, fraction("856667"), fraction("855"))
		}
		made(t).refusedAs(verdict.ValueRefused, "at", "1 not a tick of datetime", "2026-07-01T11:44:31.855", "a.parquet row 2", "--cast at=round|cut|null")
		for answer, want := range map[string]string{"round": "857", "cut": "853"} {
			k := made(t)
			k.request.Cast = map[string]string{"at": answer}
			k.writes([]string{"id", "at"}, "1 2026-07-01T11:44:31.857", "2 2026-07-01T11:44:31."+want)
		}
		k := made(t)
		k.request.Cast = map[string]string{"at": "null"}
		k.writes([]string{"id", "at"}, "1 2026-07-01T11:44:31.857", "2 NULL")
	})
}

// isOne fails where there is more than one key, or another image than want's end.
func (k *kit) isOne(rows []string, want string) {
	k.t.Helper()
	if len(rows) != 1 || len(rows[0]) < len(want) || rows[0][len(rows[0])-len(want):] != want {
		k.t.Errorf("the latest images are %q, want one that ends in %q", rows, want)
	}
}

// Case 35: datetimeoffset, whose offset must be applied once.
func TestCase35Datetimeoffset(t *testing.T) {
	s := idAnd("at", "datetimeoffset(7)")
	const want = "1 2026-06-23T07:01:05.090094Z"
	t.Run("text with an offset", func(t *testing.T) {
		k := copyOf(t, s, "at", texts, `"2026-06-23 00:01:05.0900948 -07:00"`, `"2026-06-23 12:31:05.0900948 +05:30"`)
		p := k.writes([]string{"id", "at"}, want, "2"+want[1:])
		k.counts(p, "at", cast.SubMicro, 2)
	})
	t.Run("an instant", func(t *testing.T) {
		copyOf(t, s, "at", moments, `"2026-06-23 07:01:05.090094"`).writes([]string{"id", "at"}, want)
	})
	t.Run("without the offset", func(t *testing.T) {
		k := copyOf(t, s, "at", wall, `"2026-06-23 00:01:05.090094"`)
		k.refusedAs(verdict.CastNeedsZone, "at", "--copy-time-zone")
		k.request.CopyTimeZone = "wall-clock" // digits alone are no moment
		k.refusedAs(verdict.CastNeedsZone, "at", "--copy-time-zone")
		k.request.CopyTimeZone = "America/Los_Angeles"
		k.writes([]string{"id", "at"}, want)
	})
	t.Run("text without the offset", func(t *testing.T) {
		k := copyOf(t, s, "at", texts, `"2026-06-23 00:01:05.0900948"`)
		k.refusedAs(verdict.ValueRefused, "at", "need the copy's zone, which was not named", "--copy-time-zone")
		k.request.CopyTimeZone = "Pacific Standard Time"
		k.writes([]string{"id", "at"}, want)
	})
}

// Case 42: the writer says in which calendar its old dates are.
func TestCase42JulianDates(t *testing.T) {
	s := idAnd("born", "date")
	made := func(t *testing.T, day int32, keys map[string]string) *kit {
		k := withoutCopy(t, s)
		k.rawFile("a.parquet", keys, ints("id", 1), rawColumn{annotated("born", pqschema.DateLogicalType{}, parquet.Types.Int32, -1), []int32{day}})
		return k
	}
	const version = "org.apache.spark.version"
	for name, c := range map[string]struct {
		day     int32
		keys    map[string]string
		rebased int64
	}{
		"Spark 2.4":             {-719164, map[string]string{version: "2.4.8"}, 1},
		"Spark 3.5, legacy key": {-719164, map[string]string{version: "3.5.0", "org.apache.spark.legacyDateTime": ""}, 1},
		"no keys":               {-719162, nil, 0},
		"after the change":      {-141427, map[string]string{version: "2.4.8"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			k := made(t, c.day, c.keys)
			want := "1 0001-01-01"
			if c.day == -141427 {
				want = "1 1582-10-15"
			}
			p := k.writes([]string{"id", "born"}, want)
			k.counts(p, "born", cast.Rebased, c.rebased)
		})
	}
	t.Run("Spark 3.5", func(t *testing.T) {
		made(t, -719164, map[string]string{version: "3.5.0"}).refusedAs(verdict.ValueRefused, "born", "out of range", "0000-12-30", "a.parquet row 1")
	})
}

// Case 42: timestamps before 1900 in such files may carry old offsets.
func TestCase42OldTimestamps(t *testing.T) {
	k := withoutCopy(t, idAnd("at", "datetime2(7)"))
	stamps := pqschema.NewTimestampLogicalType(true, pqschema.TimeUnitMicros)
	// 0001-01-01 in the old calendar, 1850-01-01, 1950-01-01
	days := []int64{-719164 * 86400e6, -43829 * 86400e6, -7305 * 86400e6}
	k.rawFile("a.parquet", map[string]string{"org.apache.spark.version": "2.4.8"}, ints("id", 1, 2, 3), rawColumn{annotated("at", stamps, parquet.Types.Int64, -1), days})
	k.request.CopyTimeZone = "UTC"
	p := k.writes([]string{"id", "at"}, "1 0001-01-01T00:00:00", "2 1850-01-01T00:00:00", "3 1950-01-01T00:00:00")
	k.counts(p, "at", cast.OldTime, 2)
}

// Case 42: a timestamp without a zone is in no old calendar, whoever wrote it.
func TestCase42TimestampsWithoutAZone(t *testing.T) {
	k := withoutCopy(t, idAnd("at", "datetime2(7)"))
	stamps := pqschema.NewTimestampLogicalType(false, pqschema.TimeUnitMicros)
	k.rawFile("a.parquet", map[string]string{"org.apache.spark.version": "3.5.0", "org.apache.spark.legacyDateTime": ""},
		ints("id", 1), rawColumn{annotated("at", stamps, parquet.Types.Int64, -1), []int64{-719162 * 86400e6}})
	p := k.writes([]string{"id", "at"}, "1 0001-01-01T00:00:00")
	k.counts(p, "at", cast.Rebased, 0)
	k.counts(p, "at", cast.OldTime, 0)
}
