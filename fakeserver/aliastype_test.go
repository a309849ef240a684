package fakeserver_test

import (
	"strings"
	"testing"

	"cdcseed/fakeserver"
)

// A column of an alias type is one of the type below it to everything but
// the catalogue's user_type_id.
func TestAliasTypes(t *testing.T) {
	w := load(t, "catalogue.json")
	d := &w.Databases[0]
	d.Types = []fakeserver.AliasType{{Name: "Label", Type: "nvarchar(50)", Nullable: true}, {Schema: "stage", Name: "Amount", Type: "decimal(10,2)"}}
	d.Tables[0].Columns[1].Type = "label"
	d.Tables[0].Columns[4].Type = "[stage].[Amount]"
	s := serve(t, w, fakeserver.Options{})
	db := as(t, s, "dba")
	want(t, db, "SELECT t.name, t.is_user_defined, b.name, c.max_length, c.precision, c.scale, TYPE_NAME(c.user_type_id), TYPE_NAME(c.system_type_id) FROM sys.columns AS c "+
		"JOIN sys.types AS t ON t.user_type_id = c.user_type_id JOIN sys.types AS b ON b.user_type_id = c.system_type_id "+
		"WHERE c.object_id = OBJECT_ID('dbo.Orders') AND c.name IN ('Name', 'Price', 'Qty') ORDER BY c.column_id",
		"Label true nvarchar 100 0 0 Label nvarchar", "int false int 4 10 0 int int", "Amount true decimal 9 10 2 Amount decimal")
	want(t, db, "SELECT name, user_type_id, SCHEMA_NAME(schema_id), max_length, collation_name, is_nullable FROM sys.types WHERE is_user_defined = 1 ORDER BY 2",
		"Label 257 dbo 100 SQL_Latin1_General_CP1_CI_AS true", "Amount 258 stage 9 NULL false")
	want(t, db, "SELECT column_name, column_type FROM cdc.captured_columns WHERE column_name IN ('Name', 'Price') ORDER BY column_ordinal", "Name nvarchar", "Price decimal")
	got, err := rows(db, "EXEC sys.sp_cdc_get_captured_columns N'dbo_Orders'")
	if err != nil || !strings.Contains(got[1], " nvarchar 50 ") || !strings.Contains(got[4], " decimal NULL 10 10 2 ") {
		t.Errorf("%q, %v", got, err)
	}
	want(t, db, "SELECT DATA_TYPE FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME = 'Orders' AND COLUMN_NAME = 'Price'", "decimal")
	l := commit(t, s, change("dbo.Orders", "update", `{"Id":1,"Price":"9.99","Name":"named"}`))
	want(t, db, "SELECT Name, Price FROM cdc.dbo_Orders_CT WHERE [__$operation] = 4 AND [__$start_lsn] = "+l.String(), "named 9.99")
}

func TestWrongAliasTypesAreRefused(t *testing.T) {
	for from, c := range map[string][2]string{
		`"cdc":true,`:  {`"cdc":true,"types":[{"name":"int","type":"int"}],`, `types[0].name: there is a type "int" already`},
		`"cdc":true`:   {`"cdc":true,"types":[{"name":"A","type":"B"}]`, `types[0].type: "B" is not a type`},
		`"name":"D",`:  {`"name":"D","types":[{"name":"A","type":"int"},{"name":"a","type":"int"}],`, `types[1].name: there is a type "a" already`},
		`"name":"D"`:   {`"name":"D","types":[{"name":"A","type":"geography"}]`, `types[0].type: geography has no alias types`},
		`"type":"int"`: {`"type":"stage.A"`, `columns[0].type: "stage.A" is not a type of the database`},
	} {
		at := strings.LastIndex(minimal, from)
		broken := minimal[:at] + c[0] + minimal[at+len(from):]
		if _, err := fakeserver.ReadWorld(strings.NewReader(broken)); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %s", c[0], err, c[1])
		}
	}
}
