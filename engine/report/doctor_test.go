package report_test

import (
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/clock"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

// diagnosis has a finding of every level, and texts from outside.
func diagnosis() engine.Diagnosis {
	return engine.Diagnosis{
		Tool: "cdcseed/1.0.0", MadeAt: clock.Instant(1_792_846_800_000_000),
		Args: []string{"--server", "sql01", "--table", "dbo.Orders", "--copy", "/lake/orders/customer=Anna Müller/day=1/"},
		Sections: []engine.Section{
			{Name: "connection", Findings: []engine.Finding{
				{Check: verdict.Okay("connected: SQL Server 2022 (16.0.4125.3) on SQL\x1b[31m01", verdict.Facts("edition", "Developer \u202eEdition")...)},
			}},
			{Name: "cdc", Findings: []engine.Finding{
				{
					Check: verdict.Warned(verdict.CaptureStopped, "newest captured commit is 3 h old: is the capture job running?", "The stream gets no changes without it.",
						verdict.Facts("newest captured commit", "2026-10-24T10:00:00Z")...),
					Do: []string{"A seed must accept it by name: --accept capture_stopped."},
				},
			}},
			{Name: "permissions", Findings: []engine.Finding{
				{Check: verdict.Noted("optional, denied: sys.dm_cdc_errors (errors that capture met)", "", verdict.Facts("error", 297)...), Do: []string{"GRANT VIEW DATABASE STATE TO [svc];"}},
			}},
			{Name: "copy", Findings: []engine.Finding{
				{
					Check: verdict.Check{Level: verdict.Stop, Text: `data file "customer=Anna/part-0.parquet" has no bytes`, Why: "An upload that broke off leaves such a file.", Facts: verdict.Facts("folder", "/lake/customer=Anna/")},
					Cause: verdict.CopyUnreadable, Do: []string{"Write the copy again."},
				},
			}},
		},
	}
}

func TestDiagnosisText(t *testing.T) {
	var b strings.Builder
	report.Diagnosis(&b, diagnosis())
	golden(t, "doctor.txt", b.String())
	if strings.Contains(b.String(), "297") || strings.Contains(b.String(), "Edition") {
		t.Errorf("a ticket's values are on the screen:\n%s", b.String())
	}
}

// A dump has every value and no value of a row, and nothing that a terminal acts on.
func TestDumpText(t *testing.T) {
	var b strings.Builder
	report.Dump(&b, diagnosis())
	golden(t, "doctor-dump.txt", b.String())
	text := b.String()
	for _, s := range []string{"Anna", "\x1b", "\u202e"} {
		if strings.Contains(text, s) {
			t.Errorf("%q is in the dump:\n%s", s, text)
		}
	}
	for _, s := range []string{"cdcseed/1.0.0, 2026-10-24T", "customer=.../", "error: 297", "(copy_unreadable)", "<001B>[31m01", "Developer <202E>Edition"} {
		if !strings.Contains(text, s) {
			t.Errorf("the dump lacks %q:\n%s", s, text)
		}
	}
}

func TestVerdictOfADiagnosis(t *testing.T) {
	d := diagnosis()
	if got := report.Verdict(d); got != "1 finding would stop a seed: 1 ok, 1 note, 1 warning. Exit status 3." {
		t.Error(got)
	}
	d.Sections = d.Sections[:3]
	if got := report.Verdict(d); got != "Nothing found would stop a seed: 1 ok, 1 note, 1 warning." {
		t.Error(got)
	}
	d.Stream = "a stream can no longer start from the snapshot that the target holds, at 0x01: the changes right after it are not kept any more"
	if got := report.Verdict(d); got != "A stream can no longer start from the snapshot that the target holds, at 0x01: the changes right after it are not kept any more. See Target. Nothing found would stop a seed: 1 ok, 1 note, 1 warning." {
		t.Error(got)
	}
}

func TestUnvalued(t *testing.T) {
	for text, want := range map[string]string{
		"/lake/day=2026-10-24/hour=7/part.parquet": "/lake/day=.../hour=.../part.parquet",
		`C:\lake\day=1\part.parquet`:               `C:\lake\day=...\part.parquet`,
		"--missing channel=null":                   "--missing channel=null",
		"/lake/x=1":                                "/lake/x=...",
		`file "day=1/a.parquet" of "/lake/c=A B/"`: `file "day=.../a.parquet" of "/lake/c=.../"`,
		"a = b / c":                                "a = b / c",
		"sqlserver://h?database=Sales":             "sqlserver://h?database=Sales",
		"plain":                                    "plain",
	} {
		if got := report.Unvalued(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
