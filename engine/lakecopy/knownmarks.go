package lakecopy

import "strings"

// known is a column name of a tool, in lower case. A name that ends in * is a beginning.
type known struct {
	tool, column string
	kind         MarkKind
	when         FlagRule
}

func (k known) fits(folded string) bool {
	if begin, open := strings.CutSuffix(k.column, "*"); open {
		return strings.HasPrefix(folded, begin)
	}
	return folded == k.column
}

// knownMarks is in order: the first that fits is the one. Its names are those
// that the tools document for their destinations.
func knownMarks() []known { return append(loaderMarks(), changeMarks()...) }

// loaderMarks are of tools that keep one row for each of the source's, or its
// versions.
func loaderMarks() []known {
	return []known{
		{"Fivetran", "_fivetran_deleted", SoftDelete, WhenTrue},
		{"Fivetran", "_fivetran_active", Operation, ""}, // history mode: every version of a row
		{"Fivetran", "_fivetran_*", Bookkeeping, ""},
		{"Airbyte", "_ab_cdc_deleted_at", SoftDelete, WhenSet},
		{"Airbyte", "_ab_cdc_*", Bookkeeping, ""},
		{"Airbyte", "_airbyte_*", Bookkeeping, ""},
		{"Stitch or another Singer target", "_sdc_deleted_at", SoftDelete, WhenSet},
		{"Stitch or another Singer target", "_sdc_*", Bookkeeping, ""},
		{"Hevo", "__hevo__marked_deleted", SoftDelete, WhenTrue},
		{"Hevo", "__hevo__*", Bookkeeping, ""},
		{"Estuary", "_meta/op", SoftDelete, WhenDelete}, // each key once, with its newest operation
		{"Estuary", "_meta/*", Bookkeeping, ""},
		{"Estuary", "flow_published_at", Bookkeeping, ""},
		{"Estuary", "flow_document", Bookkeeping, ""},
		{"CDAP Replication", "_is_deleted", SoftDelete, WhenTrue},
		{"CDAP Replication", "_sequence_num", Bookkeeping, ""},
		{"CDAP Replication", "_source_timestamp", Bookkeeping, ""},
		{"dlt", "_dlt_valid_to", Operation, ""}, // every version of a row
		{"dlt", "_dlt_*", Bookkeeping, ""},
		{"Databricks AUTO CDC", "__end_at", Operation, ""}, // every version of a row
		{"Databricks AUTO CDC", "__start_at", Operation, ""},
		{"Apache Hudi", "_hoodie_is_deleted", SoftDelete, WhenTrue},
		{"Apache Hudi", "_hoodie_operation", Operation, WhenDelete},
		{"Apache Hudi", "_hoodie_*", Bookkeeping, ""},
		{"Auto Loader", "_rescued_data", Bookkeeping, ""},
	}
}

// changeMarks are of tools that write changes, of which a row of the source may
// have several.
func changeMarks() []known {
	return []known{
		{"Debezium", "__deleted", SoftDelete, WhenTrue},
		{"Debezium", "__op", Operation, WhenDelete},
		{"Debezium", "__source_ts_ms", Bookkeeping, ""},
		{"Debezium", "__ts_ms", Bookkeeping, ""},
		{"Debezium", "__lsn", Bookkeeping, ""},
		{"Qlik Replicate", "header__change_oper", Operation, ""},
		{"Qlik Replicate", "header__change_seq", Operation, ""},
		{"Qlik Replicate", "header__*", Bookkeeping, ""},
		{"Qlik Replicate", "ar_h_operation", Operation, WhenDelete},
		{"Qlik Replicate", "ar_h_*", Bookkeeping, ""},
		{"Informatica", "infa_operation_type", Operation, WhenDelete},
		{"Informatica", "infa_op_type", Operation, WhenDelete},
		{"Informatica", "dtl__capxaction", Operation, WhenDelete},
		{"Informatica", "infa_*", Bookkeeping, ""},
		{"Informatica", "dtl__*", Bookkeeping, ""},
		{"Oracle GoldenGate", "op_type", Operation, WhenDelete},
		{"Oracle GoldenGate", "optype", Operation, WhenDelete},
		{"Fabric open mirroring", "__rowmarker__", Operation, ""},
		{"Snowflake stream", "metadata$action", Operation, ""},
		{"Snowflake stream", "metadata$*", Bookkeeping, ""},
		{"DataWorks", "_operation_type_", Operation, ""},
		{"DataWorks", "_before_image_", Operation, ""},
		{"Datastream", "datastream_metadata", Operation, ""},
		{"SQL Server CDC", "__$operation", Operation, ""},
		{"SQL Server CDC", "__$*", Bookkeeping, ""},
		{"SQL Server change tracking", "sys_change_operation", Operation, ""},
		{"SQL Server change tracking", "sys_change_*", Bookkeeping, ""},
		{"Delta change data feed", "_change_type", Operation, ""},
		{"Delta change data feed", "_commit_version", Bookkeeping, ""},
		{"Delta change data feed", "_commit_timestamp", Bookkeeping, ""},
	}
}
