package cast_test

import (
	"fmt"
	"strings"
	"testing"

	"cdcseed/engine/cast"
	"cdcseed/engine/schema"
)

// textExamples are texts that the page tells, each cast as the page is made.
func textExamples() []struct {
	to      string
	sql     schema.SQLType
	zone    string
	told    string
	samples []any
} {
	return []struct {
		to      string
		sql     schema.SQLType
		zone    string
		told    string
		samples []any
	}{
		{"bit", sqlType("bit"), "", "true, false, 1 and 0, in any case", []any{"True", "FALSE", "1", "0", "Y", "on", "-1", ""}},
		{"int, and all whole numbers", sqlType("int"), "", "digits with a sign, a point or an exponent, as long as the number is whole", []any{"-42", " 7 ", "7.0", "1e3", "7.5", "1,234", "0x1F", ""}},
		{"decimal(10,2), money", scaled("decimal", 10, 2), "", "the same; digits beyond the scale ask for an answer", []any{"+7.5", ".5", "1.5e-1", "7.000", "7.005", "1,234.50", "1.234,50", "$7"}},
		{"float", sqlType("float"), "", "the same, to the nearest float", []any{"0.1", "1e400", "NaN", "Infinity"}},
		{"date", sqlType("date"), "", "the year first, with dashes or without; a time only where it is midnight", []any{"2020-01-02", "20200102", "2020-01-02 00:00:00", "2020-01-02T03:04:05", "2020-1-2", "31/12/2020", "Jan  2 2020"}},
		{"datetime2(7)", scaled("datetime2", 0, 7), "", "a date, or a date and a time of 24 hours behind T or blanks, with seconds or without, and any fraction", []any{"2020-01-02", "2020-01-02T03:04", "20200102", "2020-01-02 03:04:05.123456", "2020-01-02 24:00:00", "2020-01-02 03:04:05 PM", "Jan  2 2020  3:04AM", "1577934245", "2020-01-02 10:00:00+02:00"}},
		{"datetime2(7), --copy-time-zone Europe/Berlin", scaled("datetime2", 0, 7), "Europe/Berlin", "an offset in the text counts, and the moment is written on the zone's clock; a text without one is written as it stands", []any{"2020-01-02 10:00:00+02:00", "2020-01-02 10:00:00Z", "2020-01-02 10:00:00"}},
		{"datetime2(7), --copy-time-zone wall-clock", scaled("datetime2", 0, 7), "wall-clock", "the digits stay, an offset is ignored and counted", []any{"2020-01-02 10:00:00+02:00", "2020-01-02 10:00:00"}},
		{"datetimeoffset(7), --copy-time-zone Europe/Berlin", scaled("datetimeoffset", 0, 7), "Europe/Berlin", "Z, UTC, +HH, +HHMM or +HH:MM behind the time; a text without one is read on the zone's clock", []any{"2020-01-02 10:00:00+02:00", "2020-01-02 10:00:00 UTC", "2020-01-02 10:00:00"}},
		{"time(7)", scaled("time", 0, 7), "", "a time of 24 hours, with seconds or without", []any{"03:04", "03:04:05.123", "3:04", "03:04 PM", "24:00"}},
		{"uniqueidentifier", sqlType("uniqueidentifier"), "", "32 hex digits, with the four dashes or with none, in braces or without, in any case", []any{"6f9619ff-8b86-d011-b42d-00c04fc964ff", "{6F9619FF-8B86-D011-B42D-00C04FC964FF}", "6F9619FF8B86D011B42D00C04FC964FF", "6F9619FF"}},
		{"rowversion", sqlType("timestamp"), "", "0x and 16 hex digits, 16 hex digits, or 12 characters of base64", []any{"0x00000000000007D1", "00000000000007d1", "AAAAAAAAB9E=", "2001"}},
	}
}

// theTexts lists which texts are read, each example with what the kernels make of it.
func theTexts(t *testing.T, b *strings.Builder) {
	b.WriteString("\n## Texts that are read\n\nBlanks around a text are passed over. What two countries read differently is never guessed. Each example was cast as this page was made.\n\n| target | forms | examples, and what is written | refused |\n|---|---|---|---|\n")
	for _, x := range textExamples() {
		var read, refused []string
		for _, s := range x.samples {
			out, report := castColumn(t, textCol, target(t, x.sql), schema.FileClass{}, cast.Answers{Zone: x.zone}, []any{s})
			if report.Refused > 0 {
				refused = append(refused, fmt.Sprintf("`%s`", quotedBlank(s)))
				continue
			}
			read = append(read, fmt.Sprintf("`%s` → `%s`", quotedBlank(s), strings.Trim(out[0], `"`)))
		}
		if len(read) == 0 {
			t.Errorf("%s: no example is read", x.to)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", x.to, x.told, strings.Join(read, ", "), strings.Join(refused, ", "))
	}
	b.WriteString("\nIn the samples of a plan, the word in brackets behind a refused value is the answer that would write it so: `3.5, which would be 4 (round), 3 (cut), NULL (null)`.\n")
}

// quotedBlank shows a text whose blanks would not be seen.
func quotedBlank(v any) string {
	if s := fmt.Sprint(v); s != "" && s == strings.TrimSpace(s) {
		return s
	}
	return fmt.Sprintf("%q", v)
}

// theChoices tells how to choose what only a person can know.
func theChoices(b *strings.Builder) {
	b.WriteString(`
## How to choose

| question | what decides | how to find out |
|---|---|---|
| ` + "`--copy-time-zone`" + ` | the zone in which the copying tool turned the source's clock times into moments, or moments into clock times: its session's zone, not this machine's, and not the server's unless the tool took that. Spark takes its session's (` + "`spark.sql.session.timeZone`" + `), for INT96 too. It is one answer for the whole copy. | take one row of which the source's value is known, and compare what the wizard shows for each zone |
| ` + "`--copy-time-zone wall-clock`" + ` | the copy's timestamps call themselves UTC, but their digits are the source's own clock: the tool wrote datetime2 as it stood and marked it UTC. The digits are kept. It says nothing of a zone, so it is no answer where a datetimeoffset has to be made of a time without one. | a row of the source and of the copy show the same hour |
| ` + "`text-order` or `sql-order`" + ` for 16 bytes that are a uniqueidentifier | ` + "`text-order`" + ` where the bytes stand as in the text (Python's ` + "`uuid.bytes`" + `, the UUID annotation), ` + "`sql-order`" + ` where the first three groups are reversed, as SQL Server keeps them (` + "`CAST(id AS binary(16))`" + `, .NET's ` + "`ToByteArray`" + `). A wrong order makes keys that never join. | compare one row's text in the source with what the wizard shows for both |
| ` + "`--encoding COLUMN=NAME`" + ` | a column that was refused as not UTF-8: the code page of the source column's collation, which is windows-1252 for Latin1 ones. Leave it out for text that is UTF-8 already: a plan warns (` + "`encoding_doubtful`" + `) where all of it is. | ` + "`SELECT COLLATIONPROPERTY(collation_name, 'CodePage')`" + ` of the column |
`)
}

// theDemands explains the words of "looked at".
func theDemands(b *strings.Builder) {
	b.WriteString(`
## What "looked at" means

| word | a value is refused, or asked about, where it |
|---|---|
`)
	for _, d := range []struct {
		demand cast.Demand
		text   string
	}{
		{cast.NotNull, "is NULL though the source's column is NOT NULL"},
		{cast.InRange, "is a number, a day or a time that the SQL type does not hold"},
		{cast.Declared, "is beyond what the copy's own type declares, as only a broken file has it"},
		{cast.Finite, "is NaN or infinite"},
		{cast.Digits, "has more fraction digits than the type, is no tick of datetime, or no whole minute for smalldatetime"},
		{cast.Form, "is text or bytes that cannot be read as the type: see the texts below"},
		{cast.Length, "is longer than declared"},
		{cast.Padding, "is shorter than declared: it is padded"},
		{cast.UTF8, "is not UTF-8"},
		{cast.OneDate, "is a timestamp of another date than the first, on its way to a time"},
		{cast.Zone, "is a clock time that the zone skipped or had twice: it is counted"},
	} {
		fmt.Fprintf(b, "| %s | %s |\n", d.demand, d.text)
	}
}
