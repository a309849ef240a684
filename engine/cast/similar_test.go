package cast_test

import (
	"slices"
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// Names as tools, exports and people write them, with the one that they mean
// first among what is suggested.
func TestSuggestionsAreWhatPeopleMean(t *testing.T) {
	for _, c := range []struct {
		captured string
		copy     []string
		want     string
	}{
		{"Name", []string{"customer_name", "city"}, "customer_name"},
		{"CustomerName", []string{"customer_name_", "customer_no"}, "customer_name_"},
		{"CustomerName", []string{"cust_nm", "cust_no"}, "cust_nm"},
		{"CustomerID", []string{"order_id", "customer_identifier", "cust_id"}, "cust_id"},
		{"CustomerNumber", []string{"cust_no", "cust_name"}, "cust_no"},
		{"Quantity", []string{"qty", "price"}, "qty"},
		{"qty", []string{"order_quantity", "total"}, "order_quantity"},
		{"TotalAmount", []string{"total_amt", "tax_amt"}, "total_amt"},
		{"amount", []string{"AMOUNT_USD", "account"}, "AMOUNT_USD"},
		{"OrderDate", []string{"ship_dt", "order_dt"}, "order_dt"},
		{"OrderDate", []string{"date_of_order", "date_of_birth"}, "date_of_order"},
		{"created_at", []string{"createdAt2", "updatedAt2"}, "createdAt2"},
		{"CreatedAt", []string{"col_created_at", "modified"}, "col_created_at"},
		{"strName", []string{"name", "other"}, "name"},
		{"PostalCode", []string{"postal_cd", "post_code"}, "postal_cd"},
		{"PostCode", []string{"postcode_", "zip"}, "postcode_"},
		{"description", []string{"desc", "describer"}, "desc"},
		{"Departement", []string{"department", "compartment"}, "department"}, // misspelled
		{"EmailAddress", []string{"e_mail_addr", "ship_addr"}, "e_mail_addr"},
		{"Phone", []string{"phone_number", "fax"}, "phone_number"},
		{"HTTPStatus", []string{"http_status_code", "status"}, "http_status_code"},
		{"Line2", []string{"line_2", "line_1"}, "line_2"},
		{"id", []string{"order_id", "paid", "valid"}, "order_id"},
		{"straße", []string{"kunden_straße", "ort"}, "kunden_straße"},
	} {
		got := suggested(t, c.captured, c.copy...)
		if len(got) == 0 || got[0] != c.want {
			t.Errorf("%s of %q: %q, want %q first", c.captured, c.copy, got, c.want)
		}
	}
}

func suggested(t *testing.T, captured string, copied ...string) []string {
	t.Helper()
	class := schema.FileClass{ID: "c1"}
	for _, name := range copied {
		class.Columns = append(class.Columns, named(textCol, name))
	}
	m, err := cast.Match([]schema.TargetColumn{col(t, captured, sized("nvarchar", 100))}, []schema.FileClass{class}, cast.Answers{})
	if err != nil {
		t.Fatal(err)
	}
	qs := m.Open()
	if len(qs) != 1 {
		t.Fatalf("%s of %q is not missing: %+v", captured, copied, qs)
	}
	return qs[0].Suggest
}

func TestWhatIsNotSuggested(t *testing.T) {
	for _, c := range []struct {
		captured string
		copy     []string
	}{
		{"amount", []string{"city", "zip", "country"}},
		{"id", []string{"paid", "invalid", "identity", "idle"}},
		{"Name", []string{"number", "nation"}},
		{"note", []string{"_operation", "_snapshot"}},
		{"start_lsn", []string{"_start_lsn"}}, // a metadata column is never the source's
	} {
		if got := suggested(t, c.captured, c.copy...); len(got) > 0 {
			t.Errorf("%s of %q: %q", c.captured, c.copy, got)
		}
	}
	if got := suggested(t, "name", "name_1", "name_2", "name_3", "name_4"); !slices.Equal(got, []string{"name_1", "name_2", "name_3"}) {
		t.Errorf("%q, want the first three", got)
	}
}

// A column whose values have no cast to the missing one is none.
func TestSuggestionsFitTheType(t *testing.T) {
	cols := []schema.TargetColumn{col(t, "created", sqlType("date"))}
	of := func(classes ...schema.FileClass) []string {
		m, err := cast.Match(cols, classes, cast.Answers{})
		if err != nil {
			t.Fatal(err)
		}
		return m.Open()[0].Suggest
	}
	got := of(class("c1", named(boolCol, "is_created"), named(dateCol, "created_on"), named(groupCol, "created_by")))
	if !slices.Equal(got, []string{"created_on"}) {
		t.Errorf("%q", got)
	}
	if got := of(class("c1", named(dateCol, "created_on")), class("c2", named(boolCol, "CREATED_ON"))); len(got) > 0 {
		t.Errorf("%q, which one of the files has as a boolean", got)
	}
}
