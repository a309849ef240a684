package tsql

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"cdcseed/fakeserver/tds"
)

func TestParameters(t *testing.T) {
	int4 := tds.Param{Name: "@a", Type: tds.Int, Value: int64(2)}
	for _, c := range []struct {
		name, sql, decl string
		params          []tds.Param
		want            string
		number          int32
	}{
		{"by name", "SELECT @a + 1", "@a int", []tds.Param{int4}, "3", 0},
		{"by position", "SELECT @x", "@x nvarchar(5)", []tds.Param{{Type: tds.NVarChar(4000), Value: "abcdefgh"}}, "abcde", 0},
		{"two", "SELECT Id FROM Orders WHERE Id >= @a AND Id < @b", "@a bigint, @b bigint", []tds.Param{int4, {Name: "@b", Type: tds.BigInt, Value: int64(4)}}, "2; 3", 0},
		{"null", "SELECT @a", "@a datetime2(3)", []tds.Param{{Name: "@a", Type: tds.Type{ID: tds.NullType}}}, "NULL", 0},
		{"converted", "SELECT @a", "@a decimal(10,2)", []tds.Param{{Name: "@a", Type: tds.NVarChar(10), Value: "1.005"}}, "1.01", 0},
		{"default", "SELECT @a", "@a int = 7", nil, "7", 0},
		{"missing", "SELECT @a", "@a int", nil, "", 8178},
		{"unknown", "SELECT 1", "@b int = 1", []tds.Param{int4}, "", 8145},
		{"too many", "SELECT 1", "", []tds.Param{{Type: tds.Int, Value: int64(1)}}, "", 8144},
		{"twice", "SELECT 1", "@a int, @A int", []tds.Param{int4, int4}, "", 134},
		{"bad value", "SELECT @a", "@a int", []tds.Param{{Name: "@a", Type: tds.NVarChar(5), Value: "x"}}, "", 245},
		{"bad list", "SELECT @a", "@a", []tds.Param{int4}, "", 102},
		{"undeclared", "SELECT @b", "@a int", []tds.Param{int4}, "", 137},
	} {
		r := &recorder{}
		err := newSample().Run(t.Context(), &tds.Request{Kind: "rpc", ProcID: 10, SQL: c.sql, Decl: c.decl, Params: c.params}, r)
		if got := numberOf(t, err); got != c.number || r.show() != c.want {
			t.Errorf("%s: got %q, %d (%v); want %q, %d", c.name, r.show(), got, err, c.want, c.number)
		}
	}
}

func TestProcedureByName(t *testing.T) {
	r := &recorder{}
	q := &tds.Request{Kind: "rpc", Proc: "sys.[sp_echo]", Params: []tds.Param{{Name: "@x", Type: tds.Type{ID: tds.Int8Type, Size: 8}, Value: int64(5)}}}
	if err := newSample().Run(t.Context(), q, r); err != nil || r.show() != "5" {
		t.Errorf("got %q, %v", r.show(), err)
	}
	err := newSample().Run(t.Context(), &tds.Request{Kind: "rpc", Proc: "nope"}, r)
	if got := numberOf(t, err); got != 2812 {
		t.Errorf("got %d (%v), want 2812", got, err)
	}
}

func TestWhatAnErrorEnds(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// The statement alone: the batch goes on.
		{"SELECT 1/0; SELECT 2", "columns message 8134 statement error columns"},
		{"EXEC nope; SELECT 2", "message 2812 statement error columns"},
		{"IF 1 = 1 BEGIN RAISERROR('x', 16, 1); SELECT 1 END SELECT 2", "message 50000 statement error columns columns"},
		{"SELECT 1/0; SELECT @@ERROR", "columns message 8134 statement error columns"},
		{"RAISERROR('x', 5, 1); PRINT 'a'", "message 50000 message 0"},
		// The batch.
		{"SELECT CAST('x' AS int); SELECT 2", "columns end 245"},
		{"SELECT 1 FROM Nope; SELECT 2", "end 208"},
		{"SELECT 1; SELECT 1 FROM Nope; SELECT 2", "columns end 208"},
		{"SELECT 1; SELECT FROM x", "end 156"},
		{"SET XACT_ABORT ON; SELECT 1/0; SELECT 2", "affected 0 false columns end 8134"},
		{"THROW 50001, 'x', 1; SELECT 2", "end 50001"},
		// TRY catches what happens, not names that are not there; those only around a batch of its own.
		{"BEGIN TRY SELECT 1 FROM Nope END TRY BEGIN CATCH SELECT 2 END CATCH", "end 208"},
		{"BEGIN TRY EXEC ('SELECT 1 FROM Nope') END TRY BEGIN CATCH SELECT 2 END CATCH", "columns"},
		{"BEGIN TRY SELECT CAST('x' AS int) END TRY BEGIN CATCH THROW END CATCH; SELECT 2", "columns end 245"},
		{"BEGIN TRY EXEC nope; SELECT 1 END TRY BEGIN CATCH SELECT 2, 3 END CATCH SELECT 4", "columns columns"},
		{"USE [Sales DB]", "env master to Sales DB message 5701 affected 0 false"},
		{"SET NOCOUNT ON; DECLARE @a int; SELECT @a = 1", "affected 0 false affected 1 false"},
		{"DECLARE @a int; SELECT @a = Id FROM Orders", "affected 4 true"},
		{"BEGIN TRAN t; SAVE TRAN s; ROLLBACK TRAN s; ROLLBACK TRAN t", "begun t affected 0 false affected 0 false affected 0 false rolled back affected 0 false"},
		{"BEGIN TRAN; COMMIT", "begun  affected 0 false committed affected 0 false"},
		{"BEGIN TRAN; ROLLBACK TRAN nope", "begun  affected 0 false end 6401"},
		{"SET XACT_ABORT ON; BEGIN TRAN; SELECT CAST('x' AS int)", "affected 0 false begun  affected 0 false columns rolled back end 245"},
	} {
		r, err := ask(t, c.text)
		log := r.log
		if n := numberOf(t, err); n != 0 {
			log = append(log, "end "+showNumber(n))
		}
		if got := strings.Join(log, " "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
	expectRows(t, "EXEC nope; SELECT @@ERROR; SELECT @@ERROR", "2812 | 0")
}

func showNumber(n int32) string {
	return showValue(Value{tds.Int, int64(n)})
}

func TestErrorsCarryTheirLine(t *testing.T) {
	for text, want := range map[string]int32{
		"SELECT 1\nSELECT 1\n FROM Nope":                3,
		"SELECT 1\n\nSELECT Nope FROM Orders":           3,
		"DECLARE @a int\nSELECT\n@b":                    3,
		"SELECT 1\nSELECT CAST('x' AS int)":             2,
		"IF 1 = 1\nBEGIN\nSELECT CAST('x' AS int)\nEND": 3,
	} {
		_, err := ask(t, text)
		var e *tds.Error
		if !errors.As(err, &e) || e.Line != want {
			t.Errorf("%q: %#v, want line %d", text, err, want)
		}
	}
}

func TestOptionsAndTransactions(t *testing.T) {
	s := newSample()
	run := func(q *tds.Request) {
		t.Helper()
		if err := s.Run(t.Context(), q, &recorder{}); err != nil {
			t.Fatal(err)
		}
	}
	run(&tds.Request{Kind: "batch", SQL: "set ansi_nulls on\nset ansi_null_dflt_on on\nset ansi_padding on\nset ansi_warnings on\nset arithabort on\n" +
		"set concat_null_yields_null on\nset datefirst 7\nset dateformat mdy\nset implicit_transactions off\nset language us_english\n" +
		"set numeric_roundabort off\nset quoted_identifier on\nset textsize 2147483647\nset transaction isolation level read committed\nset xact_abort off"})
	if s.Option("xact_abort") != "OFF" || s.Option("TRANSACTION ISOLATION LEVEL") != "READ COMMITTED" {
		t.Errorf("the options are %v", s.options)
	}
	run(&tds.Request{Kind: "batch", SQL: "SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN"})
	run(&tds.Request{Kind: "begin"})
	if s.TranCount() != 2 || s.Option("TRANSACTION ISOLATION LEVEL") != "SNAPSHOT" {
		t.Errorf("%d transactions, %v", s.TranCount(), s.options)
	}
	run(&tds.Request{Kind: "save", Name: "x"})
	run(&tds.Request{Kind: "rollback", Name: "x"})
	run(&tds.Request{Kind: "commit"})
	if s.TranCount() != 1 {
		t.Errorf("%d transactions after a commit, want 1", s.TranCount())
	}
	run(&tds.Request{Kind: "rollback"})
	run(&tds.Request{Kind: "batch", SQL: "BEGIN TRAN"})
	run(&tds.Request{Kind: "batch", SQL: "SELECT 1", Reset: true})
	if s.TranCount() != 0 || s.Option("XACT_ABORT") != "" {
		t.Errorf("a reset leaves %d transactions and %v", s.TranCount(), s.options)
	}
}

func TestOutputParameters(t *testing.T) {
	r := &recorder{}
	q := &tds.Request{Kind: tds.KindRPC, ProcID: 10, SQL: "SET @a += 1", Decl: "@a int OUTPUT, @b int", Params: []tds.Param{
		{Name: "@a", Type: tds.Int, Value: int64(1), Output: true}, {Name: "@b", Type: tds.Int, Value: int64(1)},
	}}
	if err := newSample().Run(t.Context(), q, r); err != nil || !reflect.DeepEqual(r.log, []string{"output @a 2"}) {
		t.Errorf("%v, %v", r.log, err)
	}
}

func TestVariablesEndWithTheBatch(t *testing.T) {
	s := newSample()
	if err := s.Run(t.Context(), &tds.Request{Kind: "batch", SQL: "DECLARE @a int = 1"}, &recorder{}); err != nil {
		t.Fatal(err)
	}
	err := s.Run(t.Context(), &tds.Request{Kind: "batch", SQL: "SELECT @a"}, &recorder{})
	if got := numberOf(t, err); got != 137 {
		t.Errorf("got %d (%v), want 137", got, err)
	}
}

func TestBindingComesBeforeTheFirstRow(t *testing.T) {
	w := &sampleWorld{}
	r := &recorder{}
	err := NewSession(w, sampleNow).Run(t.Context(), &tds.Request{Kind: "batch", SQL: "SELECT Id FROM Orders WHERE Nope = 1"}, r)
	if numberOf(t, err) != 207 || len(r.log) != 0 || w.scans != 0 {
		t.Errorf("%v after %v and %d scans", err, r.log, w.scans)
	}
}

func TestATableIsReadOnceAStatement(t *testing.T) {
	w := &sampleWorld{}
	text := "SELECT (SELECT COUNT(*) FROM Customers c WHERE c.Id = o.CustomerId) FROM Orders o"
	if err := NewSession(w, sampleNow).Run(t.Context(), &tds.Request{Kind: "batch", SQL: text}, &recorder{}); err != nil {
		t.Fatal(err)
	}
	if w.scans != 2 {
		t.Errorf("%d scans, want one of each table", w.scans)
	}
}

func TestRowErrorsEndTheStatement(t *testing.T) {
	r := &recorder{failAt: 2}
	err := newSample().Run(t.Context(), &tds.Request{Kind: "batch", SQL: "SELECT Id FROM Orders"}, r)
	if err == nil || len(r.sets[0].rows) != 2 {
		t.Errorf("%v after %d rows", err, len(r.sets[0].rows))
	}
	// An error in the middle comes after the rows before it.
	r, err = ask(t, "SELECT 10 / (Id - 3) FROM Orders")
	if len(r.messages) != 1 || r.show() != "-5; -10" || err != nil {
		t.Errorf("%v, %v, %s", err, r.messages, r.show())
	}
}

func TestTheContextStopsAStatement(t *testing.T) {
	stop := errors.New("attention")
	for _, text := range []string{
		"WAITFOR DELAY '00:01:00'",
		"SELECT COUNT(*) FROM dbo.numbers(1000) a, dbo.numbers(1000) b, dbo.numbers(1000) c, dbo.numbers(1000) d",
		"SELECT a.n FROM dbo.numbers(1000) a JOIN dbo.numbers(1000) b ON b.n > 0 JOIN dbo.numbers(1000) c ON c.n = -1",
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		timer := time.AfterFunc(20*time.Millisecond, func() { cancel(stop) })
		start := time.Now()
		err := newSample().Run(ctx, &tds.Request{Kind: "batch", SQL: text}, &recorder{})
		if !errors.Is(err, stop) || time.Since(start) > 30*time.Second {
			t.Errorf("%s: %v after %v", text, err, time.Since(start))
		}
		timer.Stop()
		cancel(nil)
	}
}

func TestNullability(t *testing.T) {
	r, err := ask(t, "SELECT c.Id, o.Id, COUNT(*), 1, NULL FROM Customers c LEFT JOIN Orders o ON o.Id = c.Id GROUP BY c.Id, o.Id")
	if err != nil {
		t.Fatal(err)
	}
	var got []bool
	for _, c := range r.sets[0].cols {
		got = append(got, c.Nullable)
	}
	if want := []bool{true, true, false, false, true}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
