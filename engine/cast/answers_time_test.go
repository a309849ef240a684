package cast_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// aTime is a random time as text without zone, with so many fraction digits:
// mostly near a tick of datetime, a border of a microsecond or midnight.
func aTime(r *rand.Rand, digits int) string {
	at := time.Date(1+r.IntN(9999), 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(r.IntN(366*24*60)) * time.Minute)
	if r.IntN(3) > 0 {
		at = time.Date(1890+r.IntN(200), 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(r.IntN(366*24*60)) * time.Minute)
	}
	if at.Year() > 9999 {
		at = at.AddDate(-1, 0, 0)
	}
	at = at.Add(time.Duration([]int{0, 29, 30, r.IntN(60), 59}[r.IntN(5)]) * time.Second)
	if r.IntN(6) == 0 {
		at = at.Truncate(24 * time.Hour)
	}
	base := at.Format("2006-01-02T15:04:05")
	if digits == 0 {
		return base
	}
	fraction := fmt.Sprintf("%012d", r.IntN(1e12))
	switch r.IntN(5) {
	case 0: // at or beside a tick, or half way between two
		k := big.NewRat(int64(r.IntN(600)), 600)
		fraction = strings.TrimPrefix(k.FloatString(6+r.IntN(12)), "0.")
	case 1:
		fraction = "123456" + []string{"5", "4999999999", "50000001", "9", "0", "0000001"}[r.IntN(6)]
	case 2:
		fraction = "999999999999999"[:1+r.IntN(12)]
	case 3:
		fraction = "0"
	}
	fraction += strings.Repeat("0", 20)
	return base + "." + fraction[:digits]
}

// seconds is a text's time as an exact number of seconds since 1970.
func seconds(s string) *big.Rat {
	whole, fraction, _ := strings.Cut(s, ".")
	t, err := time.Parse("2006-01-02T15:04:05", whole)
	if err != nil {
		panic(err)
	}
	q, _ := new(big.Rat).SetString("0." + fraction + "0")
	return q.Add(q, big.NewRat(t.Unix(), 1))
}

func floor(q *big.Rat) *big.Int {
	n, m := new(big.Int).DivMod(q.Num(), q.Denom(), new(big.Int))
	_ = m
	return n
}

// stampOracle says what becomes of a time in a column of a SQL type that keeps
// per steps a second: datetime's 300, 10^scale, or a 60th.
type stampOracle struct {
	sql     schema.SQLType
	per     *big.Rat
	from    string // the first time that the type holds
	before  string // the first one after it that it does not
	instant bool
}

func (o stampOracle) want(s string, a cast.Answer) string {
	q := seconds(s)
	steps := new(big.Rat).Mul(q, o.per)
	down := floor(steps)
	near := floor(new(big.Rat).Add(steps, big.NewRat(1, 2)))
	micros := func(n *big.Int) *big.Rat { // the stream's spelling, in microseconds
		at := new(big.Rat).Quo(new(big.Rat).SetInt(n), o.per)
		if o.sql.Name == "datetime" { // to the millisecond
			ms := floor(new(big.Rat).Add(new(big.Rat).Mul(at, big.NewRat(1000, 1)), big.NewRat(1, 2)))
			return new(big.Rat).SetInt(ms.Mul(ms, big.NewInt(1000)))
		}
		return at.Mul(at, big.NewRat(1_000_000, 1))
	}
	here := new(big.Rat).Mul(q, big.NewRat(1_000_000, 1))
	out := micros(near)
	off := new(big.Rat).Sub(q, new(big.Rat).Quo(new(big.Rat).SetInt(near), o.per))
	kept := out.Cmp(here) == 0 || o.sql.Name == "datetime" && off.Abs(off).Cmp(big.NewRat(1, 1_000_000)) <= 0
	switch {
	case kept, a == cast.Round:
	case a == cast.Cut, o.sql.Scale > 6: // which the stream cuts itself
		out = micros(down)
	default:
		return refused
	}
	us := floor(out).Int64()
	low, _ := time.Parse("2006-01-02", o.from)
	high, _ := time.Parse("2006-01-02", o.before)
	at := time.UnixMicro(us).UTC()
	if at.Before(low) || o.before != "" && !at.Before(high) || o.before == "" && at.Year() > 9999 {
		return refused
	}
	text := at.Format("2006-01-02T15:04:05.999999")
	if o.instant {
		text += "Z"
	}
	return text
}

func TestAnswersForTimestamps(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 3))
	oracles := []stampOracle{
		{sql: sqlType("datetime"), per: big.NewRat(300, 1), from: "1753-01-01"},
		{sql: sqlType("smalldatetime"), per: big.NewRat(1, 60), from: "1900-01-01", before: "2079-06-07"},
	}
	for scale := range 8 {
		per := new(big.Rat).SetInt(ten(min(scale, 6)))
		oracles = append(oracles,
			stampOracle{sql: scaled("datetime2", 0, scale), per: per, from: "0001-01-01"},
			stampOracle{sql: scaled("datetimeoffset", 0, scale), per: per, from: "0001-01-01", instant: true})
	}
	for _, o := range oracles {
		zone := ""
		if o.instant {
			zone = "Z"
		}
		tried{
			from: textCol, to: o.sql, value: func(r *rand.Rand) any { return aTime(r, r.IntN(15)) + zone },
			want: func(v any, a cast.Answer) string { return o.want(strings.TrimSuffix(v.(string), "Z"), a) },
		}.check(t, r, 400)
		for i, unit := range []string{"MILLIS", "MICROS", "NANOS"} {
			digits := 3 * (i + 1)
			number := func(s string) int {
				n := seconds(s)
				return int(floor(n.Mul(n, new(big.Rat).SetInt(ten(digits)))).Int64())
			}
			value := func(r *rand.Rand) any {
				for {
					s := aTime(r, digits)
					if y := s[:4]; digits < 9 || y > "1700" && y < "2250" {
						return number(s)
					}
				}
			}
			tried{from: stampCol(unit, o.instant), to: o.sql, value: value, want: func(v any, a cast.Answer) string {
				q := big.NewRat(int64(v.(int)), ten(digits).Int64())
				whole := floor(q)
				rest := q.Sub(q, new(big.Rat).SetInt(whole))
				return o.want(time.Unix(whole.Int64(), 0).UTC().Format("2006-01-02T15:04:05")+strings.TrimPrefix(rest.FloatString(digits), "0"), a)
			}}.check(t, r, 300)
		}
	}
}

func TestAnswersForDatesAndTimesOfDay(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 4))
	day := func(s string, a cast.Answer) string {
		if seconds(s).Cmp(seconds(s[:10]+"T00:00:00")) != 0 && a != cast.Cut {
			return refused
		}
		return s[:10]
	}
	tried{
		from: textCol, to: sqlType("date"), value: func(r *rand.Rand) any { return aTime(r, r.IntN(12)) },
		want: func(v any, a cast.Answer) string { return day(v.(string), a) },
	}.check(t, r, 400)
	tried{
		from: stampCol("NANOS", false), to: sqlType("date"), value: func(r *rand.Rand) any { return r.IntN(1<<62) - 1<<61 },
		want: func(v any, a cast.Answer) string {
			return day(time.Unix(0, int64(v.(int))).UTC().Format("2006-01-02T15:04:05.000000000"), a)
		},
	}.check(t, r, 400)
	for scale := range 8 {
		clock := func(s string, a cast.Answer) string { // s has nine digits or more
			kept := s[:9+scale]
			if strings.Trim(s[9+scale:], "0") != "" && a != cast.Cut {
				return refused
			}
			return kept + strings.Repeat("0", 9-scale)
		}
		tried{
			from: textCol, to: scaled("time", 0, scale), value: func(r *rand.Rand) any { return aTime(r, 1+r.IntN(14))[11:] },
			want: func(v any, a cast.Answer) string { return clock(v.(string)+strings.Repeat("0", 14), a) },
		}.check(t, r, 200)
		for _, per := range []int{1000, 1} {
			unit := map[int]string{1000: "MICROS", 1: "NANOS"}[per]
			tried{
				from: timeCol(unit), to: scaled("time", 0, scale),
				value: func(r *rand.Rand) any {
					step := []int{1, 10, 1000, 1e6, 1e9}[r.IntN(5)]
					return r.IntN(86_400_000_000_000/per) / step * step
				},
				want: func(v any, a cast.Answer) string {
					return clock(time.Unix(0, int64(v.(int)*per)).UTC().Format("15:04:05.000000000"), a)
				},
			}.check(t, r, 200)
		}
	}
}
