package cast_test

import "cdcseed/engine/schema"

// pageSource is a kind of column that copies have, as docs/casts.md tells it.
type pageSource struct {
	name string
	from schema.CopyColumn
	who  string // programs that write it
}

// pageSources is every physical type with every annotation that it can carry,
// with the parameters that decide a passage.
func pageSources() []pageSource {
	whole := func(physical string, bits int, unsigned bool) schema.CopyColumn {
		return schema.CopyColumn{Physical: physical, Logical: "INT", Bits: bits, Unsigned: unsigned}
	}
	digits := func(physical string, length, p, s int) schema.CopyColumn {
		return schema.CopyColumn{Physical: physical, Length: length, Logical: "DECIMAL", Precision: p, Scale: s}
	}
	fixed := func(n int) schema.CopyColumn {
		return schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Length: n}
	}
	named := func(logical string) schema.CopyColumn {
		return schema.CopyColumn{Physical: "BYTE_ARRAY", Logical: logical}
	}
	daytime := func(physical, unit string) schema.CopyColumn {
		return schema.CopyColumn{Physical: physical, Logical: "TIME", Unit: unit}
	}
	return []pageSource{
		{"BOOLEAN", boolCol, "all, for bit"},
		{"INT32 INT(8)", int8Col, "older Spark and pandas, for tinyint"},
		{"INT32 INT(16)", int16Col, "Spark, DuckDB, pyarrow, Trino, Hive, for tinyint and smallint"},
		{"INT32, INT32 INT(32)", int32Col, "all, for int"},
		{"INT64, INT64 INT(64)", int64Col, "all, for bigint; pandas for any whole number"},
		{"INT32 UINT(8)", uint8Col, "pyarrow, polars, DuckDB, parquet-go, for tinyint"},
		{"INT32 UINT(16)", whole("INT32", 16, true), "pyarrow, DuckDB, parquet-go"},
		{"INT32 UINT(32)", whole("INT32", 32, true), "pyarrow, DuckDB, parquet-go"},
		{"INT64 UINT(64)", uint64Col, "pyarrow, DuckDB, parquet-go, for rowversion"},
		{"FLOAT", floatCol, "all, for real"},
		{"DOUBLE", doubleCol, "all, for float; pandas for whole numbers with NULLs; DuckDB for its HUGEINT"},
		{"FIXED(2) FLOAT16", halfCol, "pyarrow"},
		{"INT32 DECIMAL(9,2)", digits("INT32", 0, 9, 2), "Spark, DuckDB, Trino, delta-rs"},
		{"INT64 DECIMAL(18,2)", digits("INT64", 0, 18, 2), "Spark, DuckDB, Trino, delta-rs"},
		{"INT64 DECIMAL(18,4)", digits("INT64", 0, 18, 4), "the same, with more digits than the source has"},
		{"FIXED(5) DECIMAL(10,2)", digits("FIXED_LEN_BYTE_ARRAY", 5, 10, 2), "pyarrow, Hive, Spark in its legacy format"},
		{"FIXED(16) DECIMAL(18,2)", digits("FIXED_LEN_BYTE_ARRAY", 16, 18, 2), "programs with one width for all decimals"},
		{"FIXED(16) DECIMAL(38,2)", digits("FIXED_LEN_BYTE_ARRAY", 16, 38, 2), "all, above 18 digits; tools that inflate decimals"},
		{"FIXED(32) DECIMAL(76,2)", digits("FIXED_LEN_BYTE_ARRAY", 32, 76, 2), "pyarrow (decimal256)"},
		{"BYTE_ARRAY DECIMAL(18,2)", digits("BYTE_ARRAY", 0, 18, 2), "programs that come from Avro"},
		{"INT32 DATE", dateCol, "all, for date"},
		{"INT64 TIMESTAMP(ms)", stampCol("MILLIS", false), "pyarrow, DuckDB (TIMESTAMP_MS)"},
		{"INT64 TIMESTAMP(us)", stampCol("MICROS", false), "Spark (TIMESTAMP_NTZ), DuckDB, pyarrow, delta-rs"},
		{"INT64 TIMESTAMP(ns)", stampCol("NANOS", false), "pandas, DuckDB (TIMESTAMP_NS)"},
		{"INT64 TIMESTAMP(ms, UTC)", stampCol("MILLIS", true), "Spark (TIMESTAMP_MILLIS), tools that come from Avro"},
		{"INT64 TIMESTAMP(us, UTC)", stampCol("MICROS", true), "Spark (TIMESTAMP_MICROS), Databricks, DuckDB (TIMESTAMPTZ), delta-rs"},
		{"INT64 TIMESTAMP(ns, UTC)", stampCol("NANOS", true), "pandas with a zone"},
		{"INT96", int96Col, "Spark (TIMESTAMP, unless set otherwise), Hive, Impala"},
		{"INT32 TIME(ms)", daytime("INT32", "MILLIS"), "pyarrow, tools that come from Avro"},
		{"INT64 TIME(us)", daytime("INT64", "MICROS"), "DuckDB, pyarrow, pandas"},
		{"INT64 TIME(ns)", daytime("INT64", "NANOS"), "pyarrow"},
		{"BYTE_ARRAY STRING", textCol, "all, for text"},
		{"BYTE_ARRAY ENUM, JSON", named("JSON"), "DuckDB (JSON), programs that come from Protobuf"},
		{"BYTE_ARRAY BSON", named("BSON"), "parquet-mr"},
		{"BYTE_ARRAY", bytesCol, "all, for binary; old Impala and Hive for text"},
		{"FIXED(16) UUID", uuidCol, "DuckDB, Trino on Iceberg, parquet-go"},
		{"FIXED(16)", fixed16Col, "pyarrow, parquet-go"},
		{"FIXED(8)", fixed(8), "pyarrow, parquet-go"},
		{"FIXED(12) INTERVAL", schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Length: 12, Logical: "INTERVAL"}, "DuckDB"},
		{"null", schema.CopyColumn{Physical: "INT32", Logical: "NULL"}, "pyarrow, for a column without a value"},
		{"nested, Variant", groupCol, "Spark, DuckDB, pyarrow"},
		{"folder name", partCol, "Hive partitions; partition columns of Delta tables"},
	}
}

// pageTarget is a group of SQL Server types whose casts are the same.
type pageTarget struct {
	short, name string
	to          schema.SQLType
}

func pageTargets() []pageTarget {
	decimals := func(name string, p, s int) schema.SQLType {
		return schema.SQLType{Name: name, Precision: p, Scale: s}
	}
	chars := func(name string, length int) schema.SQLType {
		return schema.SQLType{Name: name, Length: length, CodePage: 1252, AnsiPad: true}
	}
	plain := func(name string) schema.SQLType { return schema.SQLType{Name: name} }
	return []pageTarget{
		{"bit", "bit", plain("bit")},
		{"ti", "tinyint", plain("tinyint")},
		{"si", "smallint", plain("smallint")},
		{"int", "int", plain("int")},
		{"bi", "bigint", plain("bigint")},
		{"re", "real", plain("real")},
		{"fl", "float", plain("float")},
		{"de", "decimal, numeric: here (10,2)", decimals("decimal", 10, 2)},
		{"DE", "decimal, numeric of more than 18 digits: here (38,2)", decimals("decimal", 38, 2)},
		{"sm", "smallmoney", plain("smallmoney")},
		{"mo", "money", plain("money")},
		{"da", "date", plain("date")},
		{"sd", "smalldatetime", plain("smalldatetime")},
		{"dt", "datetime", plain("datetime")},
		{"d2", "datetime2(7)", decimals("datetime2", 0, 7)},
		{"d3", "datetime2 of fewer digits: here (3)", decimals("datetime2", 0, 3)},
		{"do", "datetimeoffset(7)", decimals("datetimeoffset", 0, 7)},
		{"tm", "time", decimals("time", 0, 7)},
		{"ch", "char(n), nchar(n)", chars("char", 10)},
		{"vc", "varchar(n), nvarchar(n)", chars("varchar", 10)},
		{"mx", "varchar(max), nvarchar(max), text, ntext, xml", chars("varchar", -1)},
		{"id", "uniqueidentifier", plain("uniqueidentifier")},
		{"bn", "binary(n)", chars("binary", 8)},
		{"vb", "varbinary(n)", chars("varbinary", 8)},
		{"bx", "varbinary(max), image", chars("varbinary", -1)},
		{"rv", "rowversion", plain("timestamp")},
	}
}
