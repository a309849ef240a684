package cast_test

import (
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// group is what one fuzz target casts: every source to every target that has a cast.
type group struct {
	sources []copyKind
	targets []targetKind
	zones   []string // beside none
}

func someZones() []string {
	return []string{"UTC", cast.WallClock, "America/New_York", "America/Sao_Paulo", "Europe/Berlin", "Europe/Dublin", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Asia/Kathmandu", "America/Caracas"}
}

// groups are all fuzz targets of kernels by name.
func groups() map[string]group {
	int96 := stamps(int96Col)
	return map[string]group{
		"Ints":        {sources: []copyKind{integers()}, targets: append(wholeTargets(), floatTargets()...)},
		"Decimals":    {sources: []copyKind{decimals(), integers()}, targets: decimalTargets()},
		"DecimalInts": {sources: []copyKind{decimals()}, targets: wholeTargets()},
		"Floats":      {sources: []copyKind{floats()}, targets: append(append(floatTargets(), wholeTargets()...), decimalTargets()...)},
		"NearFloats":  {sources: []copyKind{decimals()}, targets: floatTargets()},
		"NumberTexts": {sources: []copyKind{numberTexts()}, targets: append(append(floatTargets(), wholeTargets()...), decimalTargets()...)},
		"Bools":       {sources: []copyKind{booleans(), integers(), numberTexts(), byteTexts(bytesEdges()), fixedBytes(schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Length: 1}, schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Length: 2})}, targets: plainTargets("bit")},
		"Dates":       {sources: []copyKind{dates(), zonelessStamps(), instantStamps(), timeTexts()}, targets: plainTargets("date"), zones: someZones()},
		"Stamps":      {sources: []copyKind{zonelessStamps(), dates()}, targets: wallTargets()},
		"Zones":       {sources: []copyKind{instantStamps(), zonelessStamps(), dates()}, targets: append(wallTargets(), instantTargets()...), zones: someZones()},
		"Int96":       {sources: []copyKind{int96}, targets: append(append(append(wallTargets(), instantTargets()...), daytimeTargets()...), plainTargets("date")...), zones: someZones()},
		"TimeTexts":   {sources: []copyKind{timeTexts()}, targets: append(wallTargets(), instantTargets()...), zones: someZones()},
		"Daytimes":    {sources: []copyKind{daytimes(), timeTexts(), zonelessStamps(), instantStamps()}, targets: daytimeTargets(), zones: someZones()},
		"Texts":       {sources: []copyKind{wordTexts(plainTexts()), byteTexts(plainTexts())}, targets: textTargets()},
		"Bytes":       {sources: []copyKind{byteTexts(bytesEdges()), fixedBytes(fixedCol(4), fixedCol(16), uuidCol)}, targets: binaryTargets()},
		"GUIDs":       {sources: []copyKind{wordTexts(guidTexts()), byteTexts(append(bytesEdges(), guidTexts()...)), fixedBytes(fixed16Col, uuidCol)}, targets: plainTargets("uniqueidentifier")},
		"Rowversions": {sources: []copyKind{wordTexts(rowversionTexts()), byteTexts(bytesEdges()), fixedBytes(fixedCol(8)), integers()}, targets: plainTargets("timestamp", "rowversion")},
	}
}

func fixedCol(n int) schema.CopyColumn {
	return schema.CopyColumn{Physical: "FIXED_LEN_BYTE_ARRAY", Length: n}
}

// seeds are inputs that reach every cast of a group with all edge values,
// under every answer: whole arrays, slices of larger ones, with and without NULLs.
func (g group) seeds() [][]byte {
	var out [][]byte
	n := 0
	for si, src := range g.sources {
		for _, sp := range src.picks {
			from := src.column(sp[0], sp[1])
			edges, arrays := src.edges(from), len(src.arrays(from))
			for ti, dst := range g.targets {
				for pi, tp := range dst.picks {
					for _, v := range g.variations(from, dst.column(tp[0], tp[1]), pi == 0) {
						n++
						v.source, v.sourceA, v.sourceB, v.target, v.targetA, v.targetB = si, sp[0], sp[1], ti, tp[0], tp[1]
						v.array, v.before, v.after, v.split = byte(n%arrays), byte(n*7%80), byte(n%20), byte(n*31)
						v.shape, v.wild = byte(n+n/5+n/35), byte(n*13)
						out = append(out, append(v.bytes(), edgeValues(len(edges), n%3*3)...))
					}
				}
			}
		}
	}
	return out
}

// variations are the answers that a pair takes, and, where all are asked for,
// what else its rule can hold: old calendars, each zone, NOT NULL, short values.
func (g group) variations(from schema.CopyColumn, sql schema.SQLType, all bool) []header {
	typ, err := sql.Target()
	if err != nil {
		return nil
	}
	to := schema.TargetColumn{Type: typ, SQL: sql, Nullable: true}
	code, ok := cast.Pair(from, to)
	if !ok {
		return nil
	}
	answers := len(cast.Rule{Code: code, Source: &from}.Choices(to))
	var out []header
	for a := range answers + 1 {
		out = append(out, header{answer: byte(a), zone: byte(a * 3)})
	}
	if sql.Name == "char" || sql.Name == "binary" {
		for a := range answers + 2 {
			out = append(out, header{bare: true, answer: byte(a)})
		}
	}
	if !all {
		return out
	}
	if hasCalendar(from) {
		for a := range answers + 1 {
			out = append(out, header{answer: byte(a), legacy: true, zone: byte(a * 5)})
		}
	}
	for z := range g.zones {
		out = append(out, header{zone: byte(z + 1), legacy: z%4 == 3})
	}
	return append(out, header{notNull: true}, header{notNull: true, answer: byte(answers)})
}

// fuzzKernels is the fuzz target of a group.
func fuzzKernels(f *testing.F, name string) {
	g, ok := groups()[name]
	if !ok {
		f.Fatalf("no group %s", name)
	}
	for _, data := range g.seeds() {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, ok := g.read(data); ok {
			s.check(t)
		}
	})
}
