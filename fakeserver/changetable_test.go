package fakeserver_test

import (
	"testing"

	"cdcseed/fakeserver"
)

// The catalogue shows the columns of a change table to those who may read it.
func TestChangeTablesInTheCatalogue(t *testing.T) {
	s := catalogue(t)
	const columns = "SELECT c.name, TYPE_NAME(c.user_type_id), c.max_length, c.is_nullable, c.is_computed FROM sys.columns AS c WHERE c.object_id = OBJECT_ID('cdc.dbo_Orders_CT') ORDER BY c.column_id"
	want(t, as(t, s, "dba"), columns,
		"__$start_lsn binary 10 false false", "__$end_lsn binary 10 true false", "__$seqval binary 10 false false", "__$operation int 4 false false",
		"__$update_mask varbinary 128 true false", "Id int 4 true false", "Name nvarchar 100 true false", "Secret varchar 20 true false", "Qty int 4 true false",
		"Price decimal 9 true false", "Total decimal 13 true false", "Ver binary 8 true false", "__$command_id int 4 true false")
	want(t, as(t, s, "nothing"), columns)
	want(t, as(t, s, "dba"), "SELECT COUNT(*) FROM sys.identity_columns", "1")
	want(t, as(t, s, "dba"), "SELECT COUNT(*) FROM sys.computed_columns", "1")
}

// The functions are objects to those who may use them.
func TestEnumerationsInTheCatalogue(t *testing.T) {
	s := catalogue(t)
	const functions = "SELECT name, type FROM sys.objects WHERE type = 'IF' AND schema_id = SCHEMA_ID('cdc') ORDER BY name"
	want(t, as(t, s, "dba"), functions, "fn_cdc_get_all_changes_dbo_Fresh IF", "fn_cdc_get_all_changes_dbo_Gated IF", "fn_cdc_get_all_changes_dbo_Orders IF", "fn_cdc_get_net_changes_dbo_Gated IF")
	want(t, as(t, s, "nothing"), functions)
	want(t, connect(t, s.URL()), functions, "fn_cdc_get_all_changes_dbo_Fresh IF", "fn_cdc_get_all_changes_dbo_Orders IF")
	const ids = "SELECT CASE WHEN OBJECT_ID('cdc.fn_cdc_get_all_changes_dbo_Orders') = OBJECT_ID('cdc.fn_cdc_get_all_changes_dbo_Orders', 'IF') THEN 1 END, " +
		"OBJECT_ID('cdc.fn_cdc_get_all_changes_dbo_Orders', 'U'), OBJECT_ID('dbo.Orders', 'IF'), OBJECT_ID('cdc.fn_cdc_get_net_changes_dbo_Orders'), " +
		"OBJECT_NAME(OBJECT_ID('cdc.fn_cdc_get_all_changes_dbo_Orders')), HAS_PERMS_BY_NAME('cdc.fn_cdc_get_all_changes_dbo_Orders', 'OBJECT', 'SELECT')"
	want(t, connect(t, s.URL()), ids, "1 NULL NULL NULL fn_cdc_get_all_changes_dbo_Orders 1")
	want(t, as(t, s, "nothing"), ids, "NULL NULL NULL NULL NULL 0")
	if err := s.Capture("Sales", fakeserver.Instance{Name: "late", Table: "dbo.Types", Columns: []string{"c_int"}}); err != nil {
		t.Fatal(err)
	}
	want(t, as(t, s, "dba"), "SELECT COUNT(DISTINCT object_id), COUNT(*) FROM sys.objects", "23 23")
}

// Columns that catalogue views have for what is not played say that it is not there.
func TestPlainCatalogueColumns(t *testing.T) {
	db := as(t, catalogue(t), "dba")
	want(t, db, "SELECT is_memory_optimized, durability_desc, temporal_type_desc, lock_escalation_desc, is_external FROM sys.tables WHERE name = 'Orders'", "false SCHEMA_AND_DATA NON_TEMPORAL_TABLE TABLE false")
	want(t, db, "SELECT DISTINCT is_filetable, is_edge FROM sys.tables", "false false")
	want(t, db, "SELECT default_object_id, encryption_type, generated_always_type_desc, graph_type FROM sys.columns WHERE name = 'Qty' AND object_id = OBJECT_ID('dbo.Orders')", "0 NULL NOT_APPLICABLE NULL")
	want(t, db, "SELECT i.type_desc, i.fill_factor, i.filter_definition, i.data_space_id FROM sys.indexes AS i ORDER BY i.object_id", "CLUSTERED 0 NULL 1", "CLUSTERED 0 NULL 1", "HEAP 0 NULL 1", "CLUSTERED 0 NULL 1", "CLUSTERED 0 NULL 1")
	want(t, db, "SELECT user_access_desc, is_published, containment_desc, source_database_id FROM sys.databases WHERE name = 'Sales'", "MULTI_USER false NONE NULL")
	wantError(t, db, "SELECT is_cold FROM sys.tables", 207)
}
