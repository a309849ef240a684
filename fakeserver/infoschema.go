package fakeserver

// informationSchema is a view of INFORMATION_SCHEMA by its lower-case name.
func informationSchema(name string) *view {
	switch name {
	case "tables":
		return &view{
			columns: "TABLE_CATALOG nvarchar(128), TABLE_SCHEMA nvarchar(128), TABLE_NAME sysname!, TABLE_TYPE varchar(10)",
			rows: func(s *session, d *database) [][]any {
				var out [][]any
				for _, t := range s.visibleTables(d) {
					out = append(out, []any{d.name, t.schema, t.name, "BASE TABLE"})
				}
				return out
			},
		}
	case "columns":
		return &view{
			columns: "TABLE_CATALOG nvarchar(128), TABLE_SCHEMA nvarchar(128), TABLE_NAME sysname!, COLUMN_NAME sysname, ORDINAL_POSITION int, " +
				"IS_NULLABLE varchar(3), DATA_TYPE nvarchar(128), CHARACTER_MAXIMUM_LENGTH int, NUMERIC_PRECISION tinyint, NUMERIC_PRECISION_RADIX smallint, " +
				"NUMERIC_SCALE int, DATETIME_PRECISION smallint",
			rows: func(s *session, d *database) [][]any {
				var out [][]any
				for _, t := range s.visibleTables(d) {
					for _, c := range t.columns {
						nullable := "NO"
						if c.nullable {
							nullable = "YES"
						}
						row := []any{d.name, t.schema, t.name, c.name, int64(c.id), nullable, c.typ.baseName()}
						out = append(out, append(row, c.typ.shape()...))
					}
				}
				return out
			},
		}
	}
	return nil
}
