package schema_test

import (
	"errors"
	"testing"

	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

func TestTargetTypes(t *testing.T) {
	for _, c := range []struct {
		sql   schema.SQLType
		delta string
		ddl   string
	}{
		{schema.SQLType{Name: "bit"}, "boolean", "BOOLEAN"},
		{schema.SQLType{Name: "tinyint"}, "short", "SMALLINT"},
		{schema.SQLType{Name: "smallint"}, "short", "SMALLINT"},
		{schema.SQLType{Name: "int"}, "integer", "INT"},
		{schema.SQLType{Name: "bigint"}, "long", "BIGINT"},
		{schema.SQLType{Name: "real"}, "float", "FLOAT"},
		{schema.SQLType{Name: "float"}, "double", "DOUBLE"},
		{schema.SQLType{Name: "numeric", Precision: 38, Scale: 7}, "decimal(38,7)", "DECIMAL(38,7)"},
		{schema.SQLType{Name: "money"}, "decimal(19,4)", "DECIMAL(19,4)"},
		{schema.SQLType{Name: "smallmoney"}, "decimal(10,4)", "DECIMAL(10,4)"},
		{schema.SQLType{Name: "date"}, "date", "DATE"},
		{schema.SQLType{Name: "smalldatetime"}, "timestamp_ntz", "TIMESTAMP_NTZ"},
		{schema.SQLType{Name: "datetimeoffset", Scale: 7}, "timestamp", "TIMESTAMP"},
		{schema.SQLType{Name: "time", Scale: 7}, "string", "STRING"},
		{schema.SQLType{Name: "uniqueidentifier"}, "string", "STRING"},
		{schema.SQLType{Name: "timestamp"}, "binary", "BINARY"},
	} {
		got, err := c.sql.Target()
		if err != nil || got.Delta() != c.delta || got.String() != c.ddl {
			t.Errorf("%v: %v %v, want %s %s", c.sql, got, err, c.delta, c.ddl)
		}
		if back, err := schema.ParseDelta(c.delta); err != nil || back != got {
			t.Errorf("%s reads back as %v, %v", c.delta, back, err)
		}
	}
	if _, err := (schema.SQLType{Name: "geography"}).Target(); !errors.Is(err, verdict.ColumnUnmapped) {
		t.Error("geography has no type, got", err)
	}
	for _, bad := range []string{"byte", "variant", "decimal(39,0)", "decimal(2,3)", "decimal(2", "array"} {
		if got, err := schema.ParseDelta(bad); err == nil {
			t.Errorf("%s was read as %v", bad, got)
		}
	}
}

func instance(name string, cols ...schema.Column) schema.Instance {
	return schema.Instance{Name: name, Columns: cols}
}

func column(name, typ string) schema.Column {
	return schema.Column{Name: name, Type: schema.SQLType{Name: typ}}
}

func TestUnionKeepsOrderAndSpellingAndWidens(t *testing.T) {
	got, err := schema.TargetColumns([]schema.Instance{
		instance("v1", column("Id", "int"), column("Name", "nvarchar")),
		instance("v2", column("ID", "bigint"), column("extra", "bit")),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Id BIGINT", "Name STRING", "extra BOOLEAN"}
	for i, c := range got {
		if s := c.Name + " " + c.Type.String(); i >= len(want) || s != want[i] {
			t.Errorf("column %d is %s", i, s)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d columns, want %d", len(got), len(want))
	}
}

func TestUnionRefusals(t *testing.T) {
	for code, in := range map[verdict.Code][]schema.Instance{
		verdict.ColumnsDiffer:   {instance("v1", column("id", "bigint")), instance("v2", column("id", "int"))},
		verdict.ColumnReserved:  {instance("v1", column("_Operation", "int"))},
		verdict.ColumnAmbiguous: {instance("v1", column("Code", "int"), column("code", "int"))},
		verdict.ColumnUnmapped:  {instance("v1", column("g", "geometry"))},
	} {
		if got, err := schema.TargetColumns(in); !errors.Is(err, code) {
			t.Errorf("%s: got %v, %v", code, got, err)
		}
	}
}

func TestHolds(t *testing.T) {
	for _, c := range []struct {
		now, old string
		want     bool
	}{
		{"long", "short", true},
		{"short", "long", false},
		{"double", "float", true},
		{"double", "integer", true},
		{"double", "long", false},
		{"timestamp_ntz", "date", true},
		{"timestamp", "date", false},
		{"decimal(10,0)", "integer", true},
		{"decimal(9,0)", "integer", false},
		{"decimal(22,2)", "long", true},
		{"decimal(12,4)", "decimal(10,2)", true},
		{"decimal(11,4)", "decimal(10,2)", false},
		{"string", "integer", false},
	} {
		now, errN := schema.ParseDelta(c.now)
		old, errO := schema.ParseDelta(c.old)
		if errN != nil || errO != nil {
			t.Fatal(errN, errO)
		}
		if got := now.Holds(old); got != c.want {
			t.Errorf("%s holds %s: %v", c.now, c.old, got)
		}
	}
}
