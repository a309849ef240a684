package tsql

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cdcseed/fakeserver/tds"
)

// numberOf is the SQL Server number of an error, 0 for none.
func numberOf(t *testing.T, err error) int32 {
	t.Helper()
	if err == nil {
		return 0
	}
	var e *tds.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v (%T) is not a *tds.Error", err, err)
	}
	return e.Number
}

// testTexts reads the texts of a folder of the public test data, which lies
// beside the module and never in it.
func testTexts(t *testing.T, folder string) map[string]string {
	t.Helper()
	root := os.Getenv("CDCSEED_TESTDATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "testdata")
	}
	dir := filepath.Join(root, "tsql", folder)
	entries, err := os.ReadDir(dir)
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("the public T-SQL texts must be there in CI: %v", err)
		}
		t.Skipf("no public T-SQL texts: %v", err)
	}
	texts := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		texts[strings.TrimSuffix(e.Name(), ".sql")] = string(b)
	}
	if len(texts) == 0 {
		t.Fatalf("%s is empty", dir)
	}
	return texts
}

func TestPublicGoodTextsParse(t *testing.T) {
	for name, text := range testTexts(t, "good") {
		if err := Parse(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// badNumbers is what SQL Server says of the public bad texts.
func badNumbers() map[string]int32 {
	want := map[string]int32{}
	for number, names := range map[int32]string{
		102: "and_dangling backtick begin_noend cast_bad comma_dbl comma_lead declare_bad eqeq exec_bad exec_bad2 " +
			"extra_paren from_nothing func_noargs group_noby limit nested option_bad orderby_comma orderby_missing " +
			"pg_cast qmark select_nothing trailing_garbage two_stmts_nosep typo_from tz_bad values_bad with_noselect",
		105:  "unclosed_bracket unclosed_str",
		153:  "fetch_nooffset",
		155:  "declare_bad2",
		156:  "bool_select case_noend having_where join_no_on miss_paren reserved_id reserved_tbl top_bad typo_select where_dbl",
		321:  "hint_bad",
		4145: "true_lit where_scalar",
	} {
		for name := range strings.FieldsSeq(names) {
			want[name] = number
		}
	}
	return want
}

func TestPublicBadTextsFail(t *testing.T) {
	want := badNumbers()
	for name, text := range testTexts(t, "bad") {
		if name == "dollar" {
			// Not wrong at all: $1 is one unit of money. It is bad only for a
			// reader that takes it for a parameter.
			expectRows(t, text, "1.00")
			continue
		}
		if want[name] == 0 {
			t.Errorf("%s: no number is known for this text", name)
		}
		if got := numberOf(t, Parse(text)); got != want[name] {
			t.Errorf("%s: got %d (%v), want %d", name, got, Parse(text), want[name])
		}
	}
}

func TestSyntaxErrorsSayWhere(t *testing.T) {
	for _, c := range []struct {
		text, near string
		line       int32
	}{
		{"SELECT 1\nFROM", "FROM", 2},
		{"SELECT a\n\nFROM t WHERE = 1", "=", 3},
		{"SELECT 1; /* two\nlines */ SELCT", "SELCT", 2},
	} {
		err := Parse(c.text)
		var e *tds.Error
		if !errors.As(err, &e) || e.Line != c.line || !strings.Contains(e.Message, "'"+c.near+"'") {
			t.Errorf("%q: %#v, want line %d near %q", c.text, err, c.line, c.near)
		}
	}
}

func TestGoodTexts(t *testing.T) {
	for _, text := range []string{
		"", ";;", "-- nothing", "SELECT c.precision FROM c", "SELECT 1 a, 2 AS 'b', c = 3",
		"SET ANSI_NULLS, QUOTED_IDENTIFIER ON", "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
		"set ansi_nulls on\nset textsize 2147483647\nset transaction isolation level read committed\nset xact_abort off",
		"SELECT (SELECT 1) + (SELECT 2)", "SELECT 1 WHERE ((1 = 1) AND (2) > 1)", "SELECT 1 WHERE (1 + 2) * 3 > (4)",
		"SELECT 1 WHERE (SELECT 1) = 1", "(SELECT 1) UNION (SELECT 2)", "SELECT * FROM (a JOIN b ON a.x = b.x) JOIN c ON 1 = 1",
		"SELECT * FROM ((SELECT 1 AS a)) AS x", "IF 1 = 1 SELECT 1; ELSE SELECT 2", "SELECT a FROM db..t", "EXEC p -1, +2.5, 0x1, NULL, DEFAULT, word",
		"DECLARE @a varchar(max), @b AS decimal(10, 2) = -1.5", "SELECT -(-1), ~1, - -1", "SELECT N'a''b' + 'c'", "SELECT a.b.c.d FROM a.b.c",
	} {
		if err := Parse(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestBadTexts(t *testing.T) {
	for _, c := range []struct {
		text string
		want int32
	}{
		{"SELECT 1 WHERE (1)", 4145},
		{"SELECT 1 WHERE (1 = 1) + 1 = 2", 102},
		{"SELECT 1 WHERE (1 AND 2)", 4145},
		{"SELECT (1 = 1)", 102},
		{"SELECT * FROM (WITH q AS (SELECT 1 a) SELECT a FROM q) x", 156},
		{"SELECT 1 AS select", 156},
		{"IF 1 SELECT 1", 4145},
		{"BEGIN END", 102},
		{"BEGIN TRY END TRY BEGIN CATCH SELECT 1 END CATCH", 102},
		{"SELECT 1 END", 102},
		{"SET @a", 102},
		{"SET NOPE ON", 195},
		{"SET NOCOUNT 1", 102},
		{"SELECT CAST(1 AS int(4))", 291},
		{"DECLARE @a int(4)", 2716},
		{"SELECT CAST(1 AS decimal(39,0))", 2717},
		{"DECLARE @a decimal(39)", 2750},
		{"DECLARE @a float(54)", 2750},
		{"DECLARE @a nothing", 2715},
		{"SELECT CAST(1 AS nothing)", 243},
		{"DECLARE @a nvarchar(4001)", 2717},
		{"SELECT CAST(1 AS nvarchar(4001))", 131},
		{"SELECT CAST(1 AS varchar(0))", 1001},
		{"DECLARE @a char(max)", 102},
		{"SELECT CAST(1 AS decimal(5,6))", 192},
		{"SELECT CAST(1 AS varchar(9000))", 131},
		{"SELECT CAST(1 AS datetime2(8))", 1002},
		{"SELECT 123456789012345678901234567890123456789", 1007},
		{"SELECT 1e999", 168},
		{"SELECT * FROM @t", 1087},
		{"SELECT " + strings.Repeat("(", 1000) + "1" + strings.Repeat(")", 1000), 191},
		{"SELECT 1 WHERE " + strings.Repeat("NOT ", 1000) + "1 = 1", 191},
		{"SELECT 1 WHERE " + strings.Repeat("(", 100_000), 191},
		{"SELECT " + strings.Repeat("CASE WHEN 1 = 1 THEN ", 1000), 191},
		{strings.Repeat("BEGIN ", 1000), 191},
		{"RAISERROR('x')", 102},
		{"DECLARE @t TABLE (a int)", NotSimulated},
		{"MERGE a", NotSimulated},
	} {
		if got := numberOf(t, Parse(c.text)); got != c.want {
			t.Errorf("%.60q: got %d (%v), want %d", c.text, got, Parse(c.text), c.want)
		}
	}
}
