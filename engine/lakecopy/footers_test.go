package lakecopy

import (
	"reflect"
	"testing"

	"cdcseed/engine/schema"
)

// Every field of a column decides how it is read, so every one must tell classes apart.
func TestEveryPartOfAColumnTellsClassesApart(t *testing.T) {
	plain := form{columns: []schema.CopyColumn{{}}}
	for i := range reflect.TypeFor[schema.CopyColumn]().NumField() {
		var c schema.CopyColumn
		switch f := reflect.ValueOf(&c).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Int:
			f.SetInt(7)
		case reflect.Bool:
			f.SetBool(true)
		default:
			t.Fatalf("a field of kind %s", f.Kind())
		}
		if (&form{columns: []schema.CopyColumn{c}}).key(false) == plain.key(false) {
			t.Errorf("%s does not tell classes apart", reflect.TypeFor[schema.CopyColumn]().Field(i).Name)
		}
	}
	if (&form{writer: "x"}).key(false) == (&form{}).key(false) || (&form{legacy: true}).key(false) == (&form{}).key(false) {
		t.Error("the writer or its calendar does not tell classes apart")
	}
}
