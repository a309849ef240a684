package cast_test

import "cdcseed/engine/schema"

// plainTargets are targets of one SQL type each, without parameters.
func plainTargets(names ...string) []targetKind {
	var out []targetKind
	for _, n := range names {
		out = append(out, targetKind{column: func(_, _ byte) schema.SQLType { return sqlType(n) }, picks: picks(1)})
	}
	return out
}

func wholeTargets() []targetKind { return plainTargets("tinyint", "smallint", "int", "bigint") }

func floatTargets() []targetKind { return plainTargets("real", "float") }

func decimalTargets() []targetKind {
	return append(plainTargets("money", "smallmoney"), targetKind{
		column: func(a, b byte) schema.SQLType {
			p := 1 + int(a)%38
			return scaled("decimal", p, int(b)%(p+1))
		},
		picks: [][2]byte{{9, 2}, {37, 0}, {37, 38}, {37, 10}, {17, 4}, {18, 0}, {0, 0}},
	})
}

// wallTargets are the types without zone, with every scale of datetime2.
func wallTargets() []targetKind {
	return append(plainTargets("datetime", "smalldatetime"), scaledTargets("datetime2"))
}

func instantTargets() []targetKind { return []targetKind{scaledTargets("datetimeoffset")} }

func daytimeTargets() []targetKind { return []targetKind{scaledTargets("time")} }

func scaledTargets(name string) targetKind {
	return targetKind{column: func(a, _ byte) schema.SQLType { return scaled(name, 0, 7-int(a)%8) }, picks: picks(8)}
}

// textTargets are character types with lengths of 1 to 12 units, or none; the
// second byte is the code page.
func textTargets() []targetKind {
	pages := []int{1252, 932, 936, 949, 950, 65001, 0}
	of := func(name string, unit int) targetKind {
		return targetKind{
			column: func(a, b byte) schema.SQLType {
				t := sized(name, (1+int(a)%12)*unit)
				t.CodePage = pages[int(b)%len(pages)]
				return t
			},
			picks: [][2]byte{{0, 0}, {5, 0}, {5, 1}, {3, 2}, {4, 3}, {1, 4}, {7, 5}, {2, 6}},
		}
	}
	endless := func(name string) targetKind {
		return targetKind{column: func(_, _ byte) schema.SQLType { return sized(name, -1) }, picks: picks(1)}
	}
	return append([]targetKind{of("char", 1), of("varchar", 1), of("nchar", 2), of("nvarchar", 2), endless("varchar"), endless("nvarchar")}, plainTargets("text", "ntext", "xml")...)
}

func binaryTargets() []targetKind {
	of := func(name string) targetKind {
		return targetKind{column: func(a, _ byte) schema.SQLType { return sized(name, 1+int(a)%20) }, picks: [][2]byte{{0, 0}, {3, 0}, {15, 0}, {19, 0}}}
	}
	return append([]targetKind{of("binary"), of("varbinary"), {column: func(_, _ byte) schema.SQLType { return sized("varbinary", -1) }, picks: picks(1)}}, plainTargets("image")...)
}
