package tsql

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"cdcseed/fakeserver/tds"
)

// sampleWorld is a Catalog of a few tables, just enough to ask questions of.
type sampleWorld struct {
	database string
	scans    int // how often a table's rows were read
	// unversioned is what tables answer under snapshot isolation, nil for their rows
	unversioned error
}

var _ Catalog = (*sampleWorld)(nil)

func col(name, typ string) tds.Column {
	t, err := ParseType(typ)
	if err != nil {
		panic(err)
	}
	return tds.Column{Name: name, Type: t, Nullable: strings.HasSuffix(name, "?")}
}

type sampleTable struct {
	cols []tds.Column
	rows [][]any
}

func sampleTables() map[string]sampleTable {
	day := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }
	dec := func(n int64) *big.Int { return big.NewInt(n) }
	return map[string]sampleTable{
		"dbo.orders": {
			[]tds.Column{col("Id", "int"), col("Name", "nvarchar(50)"), col("Price", "decimal(10,2)"), col("Day", "date"), col("CustomerId", "int")},
			[][]any{
				{int64(1), "Apple", dec(150), day(1), int64(10)},
				{int64(2), "banana", dec(250), day(2), int64(20)},
				{int64(3), "Cherry", nil, day(2), int64(10)},
				{int64(4), nil, dec(100), day(3), nil},
			},
		},
		"dbo.customers": {
			[]tds.Column{col("Id", "int"), col("Name", "nvarchar(50)"), col("Secret", "varchar(20)")},
			[][]any{{int64(10), "Ann", "x"}, {int64(20), "Bob", "y"}, {int64(30), "Cid", "z"}},
		},
		"dbo.empty": {[]tds.Column{col("a", "int"), col("b", "varchar(5)"), col("doc", "xml")}, nil},
	}
}

func (w *sampleWorld) Table(n Name) (*Relation, error) {
	name := strings.ToLower(n[len(n)-1])
	schema := "dbo"
	if len(n) > 1 {
		schema = strings.ToLower(n[len(n)-2])
	}
	t, ok := sampleTables()[schema+"."+name]
	if !ok {
		return nil, Errorf(208, 16, "Invalid object name '%s'.", strings.Join(n, "."))
	}
	return &Relation{Columns: t.cols, Rows: func(context.Context) ([][]any, error) {
		w.scans++
		return t.rows, nil
	}, Unversioned: w.unversioned}, nil
}

func (w *sampleWorld) Denied(n Name, column string) error {
	if strings.EqualFold(column, "Secret") {
		return Errorf(230, 14, "The SELECT permission was denied on the column '%s'.", column)
	}
	return nil
}

func (w *sampleWorld) TableFunction(n Name, args []tds.Type) ([]tds.Column, func(context.Context, []Value) ([][]any, error), error) {
	if !strings.EqualFold(n[len(n)-1], "numbers") {
		return nil, nil, Errorf(208, 16, "Invalid object name '%s'.", strings.Join(n, "."))
	}
	if len(args) != 1 {
		return nil, nil, Errorf(313, 16, "An insufficient number of arguments were supplied for the procedure or function %s.", strings.Join(n, "."))
	}
	return []tds.Column{col("n", "int")}, func(_ context.Context, a []Value) ([][]any, error) {
		var rows [][]any
		top, _ := a[0].V.(int64)
		for i := int64(1); i <= min(top, 1000); i++ {
			rows = append(rows, []any{i})
		}
		return rows, nil
	}, nil
}

func (w *sampleWorld) ScalarFunction(n Name, args []tds.Type) (tds.Type, func(context.Context, []Value) (any, error), error) {
	switch strings.ToLower(strings.Join(n, ".")) {
	case "getdate":
		return tds.DateTime, func(context.Context, []Value) (any, error) { return sampleNow(), nil }, nil
	case "db_name":
		return tds.NVarChar(128), func(context.Context, []Value) (any, error) { return w.database, nil }, nil
	case "sys.fn_one":
		return tds.Binary(10), func(context.Context, []Value) (any, error) { return make([]byte, 10), nil }, nil
	}
	if len(n) > 1 {
		return tds.Type{}, nil, Errorf(4121, 16, "Cannot find either column \"%s\" or the user-defined function or aggregate \"%s\", or the name is ambiguous.", n[0], strings.Join(n, "."))
	}
	return tds.Type{}, nil, Errorf(195, 15, "'%s' is not a recognized built-in function name.", n[0])
}

func (w *sampleWorld) Procedure(_ context.Context, n Name, args []Argument) (*Relation, error) {
	if !strings.EqualFold(n[len(n)-1], "sp_echo") {
		e := Errorf(2812, 16, "Could not find stored procedure '%s'.", strings.Join(n, "."))
		e.State = 62
		return nil, e
	}
	var row []any
	var cols []tds.Column
	for _, a := range args {
		cols = append(cols, tds.Column{Name: a.Name, Type: a.Value.T, Nullable: true})
		row = append(row, a.Value.V)
	}
	return &Relation{Columns: cols, Rows: func(context.Context) ([][]any, error) { return [][]any{row}, nil }}, nil
}

func (w *sampleWorld) Global(name string) (Value, error) {
	if name == "VERSION" {
		return Value{tds.NVarChar(300), "sample"}, nil
	}
	return Value{}, Errorf(137, 15, "Must declare the scalar variable \"@@%s\".", name)
}

func (w *sampleWorld) Zone(name string) (*time.Location, error) {
	iana := map[string]string{
		"utc": "UTC", "central european standard time": "Europe/Warsaw", "lord howe standard time": "Australia/Lord_Howe",
		"eastern standard time": "America/New_York", "pacific standard time": "America/Los_Angeles",
	}[strings.ToLower(name)]
	if iana == "" {
		return nil, Errorf(9820, 16, "The time zone parameter '%s' provided to AT TIME ZONE clause is invalid.", name)
	}
	return time.LoadLocation(iana)
}

func (w *sampleWorld) Use(database string) error {
	if !strings.EqualFold(database, "Sales DB") {
		return Errorf(911, 16, "Database '%s' does not exist. Make sure that the name is entered correctly.", database)
	}
	w.database = "Sales DB"
	return nil
}

func sampleNow() time.Time { return time.Date(2026, 11, 29, 19, 0, 0, 0, time.UTC) }

// recorder is a reply that remembers.
type recorder struct {
	sets     []resultSet
	messages []*tds.Error
	log      []string
	failAt   int // Row fails at this row, counted from 1
}

type resultSet struct {
	cols []tds.Column
	rows [][]any
}

func (r *recorder) Columns(cols []tds.Column) {
	r.sets = append(r.sets, resultSet{cols: cols})
	r.log = append(r.log, "columns")
}

func (r *recorder) Row(vals ...any) error {
	set := &r.sets[len(r.sets)-1]
	if len(vals) != len(set.cols) {
		return errors.New("row length differs from the column list")
	}
	set.rows = append(set.rows, append([]any{}, vals...))
	if len(set.rows) == r.failAt {
		return errors.New("the line is cut")
	}
	return nil
}

func (r *recorder) Affected(n uint64, count bool) {
	r.log = append(r.log, fmt.Sprintf("affected %d %v", n, count))
}

func (r *recorder) Message(e *tds.Error) {
	r.messages = append(r.messages, e)
	r.log = append(r.log, fmt.Sprintf("message %d", e.Number))
}

func (r *recorder) StatementError()               { r.log = append(r.log, "statement error") }
func (r *recorder) Env(typ byte, now, old string) { r.log = append(r.log, "env "+old+" to "+now) }
func (r *recorder) Output(p tds.Param) {
	r.log = append(r.log, "output "+p.Name+" "+showValue(Value{p.Type, p.Value}))
}
func (r *recorder) TranBegun(name string) { r.log = append(r.log, "begun "+name) }
func (r *recorder) TranCommitted()        { r.log = append(r.log, "committed") }
func (r *recorder) TranRolledBack()       { r.log = append(r.log, "rolled back") }

func newSample() *Session { return NewSession(&sampleWorld{database: "master"}, sampleNow) }

// ask runs a batch in a fresh session.
func ask(t *testing.T, text string) (*recorder, error) {
	t.Helper()
	r := &recorder{}
	err := newSample().Run(t.Context(), &tds.Request{Kind: "batch", SQL: text}, r)
	return r, err
}

// show writes a result for comparison: rows by ; and values by a space.
func (r *recorder) show() string {
	var sets []string
	for _, set := range r.sets {
		var rows []string
		for _, row := range set.rows {
			var vals []string
			for i, v := range row {
				vals = append(vals, showValue(Value{set.cols[i].Type, v}))
			}
			rows = append(rows, strings.Join(vals, " "))
		}
		sets = append(sets, strings.Join(rows, "; "))
	}
	return strings.Join(sets, " | ")
}

func showValue(v Value) string {
	if v.V == nil {
		return "NULL"
	}
	if b, ok := v.V.([]byte); ok {
		return "0x" + strings.ToUpper(hex.EncodeToString(b))
	}
	style := 0
	if v.T.ID == tds.DateTimNType {
		style = 121
	}
	if v.T.ID == tds.VariantType {
		return fmt.Sprint(v.V)
	}
	s, err := Convert(v, tds.NVarChar(maxLength), style)
	if err != nil {
		return err.Error()
	}
	return textIn(s.V)
}

// expectRows runs a batch and compares all its results.
func expectRows(t *testing.T, text, want string) {
	t.Helper()
	r, err := ask(t, text)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	if got := r.show(); got != want {
		t.Errorf("%s\n got %s\nwant %s", text, got, want)
	}
}

// expectError runs a batch whose first error must have a number.
func expectError(t *testing.T, text string, want int32) {
	t.Helper()
	r, err := ask(t, text)
	for _, m := range r.messages {
		if err == nil && m.Class > 10 {
			err = m // the batch went on after it
		}
	}
	if got := numberOf(t, err); got != want {
		t.Errorf("%s: got %d (%v), want %d; result %s", text, got, err, want, r.show())
	}
}

// runBriefly runs a text that may be anything; WAITFOR must not hold it up.
func runBriefly(t *testing.T, text string) {
	t.Helper()
	if strings.Contains(strings.ToUpper(text), "WAITFOR") {
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	start := time.Now()
	err := newSample().Run(ctx, &tds.Request{Kind: "batch", SQL: text}, &recorder{})
	if d := time.Since(start); d > 30*time.Second {
		t.Fatalf("%q: took %v, and the context did not stop it", text, d)
	}
	var e *tds.Error
	if err != nil && !errors.As(err, &e) && !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("%q: %v is not a *tds.Error", text, err)
	}
}
