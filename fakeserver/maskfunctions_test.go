package fakeserver_test

import (
	"strings"
	"testing"
)

// Ordinal n stands in bit n-1, counted from the last byte's lowest.
func TestMaskFunctions(t *testing.T) {
	db := as(t, catalogue(t), "nothing") // they are for everybody
	for query, expected := range map[string]string{
		"sys.fn_cdc_get_column_ordinal('dbo_Orders', 'Id')":                               "1",
		"sys.fn_cdc_get_column_ordinal(N'DBO_ORDERS', N'qty')":                            "4",
		"sys.fn_cdc_get_column_ordinal('dbo_Orders', 'Nope')":                             "NULL",
		"sys.fn_cdc_get_column_ordinal('dbo_Nope', 'Id')":                                 "NULL",
		"sys.fn_cdc_is_bit_set(1, 0x01)":                                                  "1",
		"sys.fn_cdc_is_bit_set(2, 0x01)":                                                  "0",
		"sys.fn_cdc_is_bit_set(9, 0x0100)":                                                "1",
		"sys.fn_cdc_is_bit_set(8, 0x0100)":                                                "0",
		"sys.fn_cdc_is_bit_set(16, 0x8000)":                                               "1",
		"sys.fn_cdc_is_bit_set(17, 0x8000)":                                               "0",
		"sys.fn_cdc_is_bit_set(0, 0xFF)":                                                  "0",
		"sys.fn_cdc_has_column_changed('dbo_Orders', 'Qty', 0x48)":                        "1",
		"sys.fn_cdc_has_column_changed('dbo_Orders', 'Name', 0x48)":                       "0",
		"sys.fn_cdc_is_bit_set(sys.fn_cdc_get_column_ordinal('dbo_Orders', 'Ver'), 0x48)": "1",
	} {
		want(t, db, "SELECT CONVERT(varchar(5), "+query+")", expected)
	}
	want(t, as(t, catalogue(t), "dba"), "SELECT Id, [__$operation] FROM cdc.dbo_Orders_CT WHERE sys.fn_cdc_has_column_changed('dbo_Orders', 'Name', [__$update_mask]) = 1 AND [__$operation] = 4", "1 4")
	wantError(t, db, "SELECT sys.fn_cdc_is_bit_set(1)", 313)
	wantError(t, db, "SELECT sys.fn_cdc_has_column_changed('a', 'b', 0x01, 1)", 8144)
}

func TestDDLHistory(t *testing.T) {
	s := catalogue(t)
	const call = "EXEC sys.sp_cdc_get_ddl_history @capture_instance = N'dbo_Orders'"
	for _, db := range []querier{as(t, s, "dba"), connect(t, s.URL())} {
		got, err := rows(db, call)
		if err != nil || len(got) != 1 || !strings.HasPrefix(got[0], "dbo Orders dbo_Orders false ALTER TABLE dbo.Orders ADD Extra int NULL ") {
			t.Fatalf("%q, %v", got, err)
		}
	}
	want(t, as(t, s, "dba"), "EXEC sys.sp_cdc_get_ddl_history N'dbo_Gated'")
	for _, who := range []string{"partial", "nothing", "denied"} {
		wantError(t, as(t, s, who), call, 22981)
	}
	db := as(t, s, "dba")
	wantError(t, db, "EXEC sys.sp_cdc_get_ddl_history N'nothing'", 22981)
	wantError(t, db, "EXEC sys.sp_cdc_get_ddl_history", 201)
	wantError(t, db, "EXEC sys.sp_cdc_help_change_data_capture @source_schema = N'dbo', @source_schema = N'dbo'", 8143)
	wantError(t, db, "EXEC sys.sp_cdc_help_change_data_capture @source_schema = N'dbo', N'Orders'", 119)
	if err := s.DropInstance("Sales", "dbo_Orders"); err != nil {
		t.Fatal(err)
	}
	want(t, db, "SELECT COUNT(*) FROM cdc.ddl_history", "0")
}
