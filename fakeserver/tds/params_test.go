package tds_test

import (
	"database/sql"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	mssql "github.com/microsoft/go-mssqldb"

	"cdcseed/fakeserver/tds"
)

// TestParameters sends every parameter type the driver has and gets it back.
func TestParameters(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	db := r.open(t, plain)
	instant := time.Date(2026, 11, 1, 5, 45, 1, 123_456_700, time.FixedZone("", -5*3600))
	long := strings.Repeat("日本😀", 5000)
	for _, c := range []struct {
		name       string
		sent, want any
	}{
		{"bigint", int64(math.MinInt64), int64(math.MinInt64)},
		{"int", 5, int64(5)},
		{"int32", int32(-7), int64(-7)},
		{"int8", int8(8), int64(8)},
		{"uint8", uint8(200), int64(200)},
		{"bit", true, true},
		{"float", -2.5, -2.5},
		{"nvarchar", "it's ünï", "it's ünï"},
		{"empty", "", ""},
		{"nvarchar(max)", long, long},
		{"NVarCharMax", mssql.NVarCharMax("x"), "x"},
		{"VarChar", mssql.VarChar("ascii"), "ascii"},
		{"VarCharMax", mssql.VarCharMax(strings.Repeat("a", 9000)), strings.Repeat("a", 9000)},
		{"NChar", mssql.NChar("abc"), "abc"},
		{"varbinary", []byte{0, 1, 255}, []byte{0, 1, 255}},
		{"empty varbinary", []byte{}, []byte{}},
		{"varbinary(max)", make([]byte, 9000), make([]byte, 9000)},
		{"datetimeoffset", instant, instant},
		{"DateTimeOffset", mssql.DateTimeOffset(instant), instant},
		{"DateTime1", mssql.DateTime1(at(2026, 11, 1, 1, 2, 3, 124_000_000)), at(2026, 11, 1, 1, 2, 3, 123_000_000)},
		{"civil.Date", civil.Date{Year: 2026, Month: 11, Day: 1}, at(2026, 11, 1, 0, 0, 0, 0)},
		{"civil.DateTime", civil.DateTimeOf(at(1, 1, 1, 23, 59, 59, 999_999_900)), at(1, 1, 1, 23, 59, 59, 999_999_900)},
		{"civil.Time", civil.TimeOf(at(1, 1, 1, 23, 59, 59, 999_999_900)), at(1, 1, 1, 23, 59, 59, 999_999_900)},
		{"guid", mssql.UniqueIdentifier(guid), guidWire},
		{"NULL", nil, nil},
		{"NULL string", sql.NullString{}, nil},
		{"NULL int", sql.NullInt64{}, nil},
		{"NULL float", sql.NullFloat64{}, nil},
		{"NULL bit", sql.NullBool{}, nil},
		{"NULL time", sql.NullTime{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got any
			if err := db.QueryRowContext(within(t), "echo @p1", c.sent).Scan(&got); err != nil {
				t.Fatal(err)
			}
			if !same(got, c.want) {
				t.Errorf("got %.80v (%T), want %.80v (%T)", got, got, c.want, c.want)
			}
		})
	}
	q := r.last(t)
	if q.Kind != tds.KindRPC || q.ProcID != 10 || q.Proc != "sp_executesql" || !strings.HasPrefix(q.Decl, "@p1 ") {
		t.Errorf("%+v", q)
	}
}

// TestProcedure calls by name, with an output and a return status.
func TestProcedure(t *testing.T) {
	r := start(t, tds.Config{Encryption: tds.EncryptNotSup})
	db := r.open(t, plain)
	var out int64
	var status mssql.ReturnStatus
	_, err := db.ExecContext(within(t), "double", sql.Named("in", int64(21)), sql.Named("out", sql.Out{Dest: &out}), &status)
	if err != nil || out != 42 || status != 7 {
		t.Errorf("out %d, status %d, %v", out, status, err)
	}
	if q := r.last(t); q.Proc != "double" || q.ProcID != 0 || len(q.Params) != 2 || !q.Params[1].Output {
		t.Errorf("%+v", q)
	}
	_, err = db.ExecContext(within(t), "nothing")
	var m mssql.Error
	if !errors.As(err, &m) || m.Number != 2812 {
		t.Errorf("%v", err)
	}
}
