package engine_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// A target whose stream cannot go on stops no seed, and a diagnosis does not end
// as if all were well: with as_of, without it, and without a copy.
func TestDiagnosisTellsThatTheTargetsStreamIsLost(t *testing.T) {
	k := kitIn(t, scene{}).withFacts()
	k.seeded(3)
	if d := k.diagnose(engine.DiagnoseOptions{}); d.Stream != "" || d.Exit() != 0 {
		t.Errorf("exit %d: %s", d.Exit(), d.Stream)
	}
	k.cleanup(lsnAt(50))
	starts := "a stream can no longer start from the snapshot that the target holds, at " + lsnAt(30)
	for _, forget := range []func(){func() {}, func() { k.request.AsOf = "" }, func() { k.request.Copy = "" }} {
		forget()
		d := k.diagnose(engine.DiagnoseOptions{})
		if !strings.HasPrefix(d.Stream, starts) || d.Exit() != 0 || d.Count(verdict.Stop) != 0 {
			t.Errorf("as_of %q, copy %q: exit %d, %q", k.request.AsOf, k.request.Copy, d.Exit(), d.Stream)
		}
		has(t, d, "target", "note the changes after the target's newest row, at "+lsnAt(30))
		if text, err := json.Marshal(d); err != nil || !strings.Contains(string(text), `"stream":"a stream can no longer start`) {
			t.Errorf("%v: %s", err, text)
		}
	}
}

// A stream that wrote after its snapshot may have read further than it wrote.
func TestDiagnosisOfAStreamThatMayBeAhead(t *testing.T) {
	k := lost(t)
	d := k.diagnose(engine.DiagnoseOptions{})
	if want := "the target's stream can no longer go on from its newest row, at " + lsnAt(12) + ", unless it has read further"; !strings.HasPrefix(d.Stream, want) {
		t.Errorf("%q is not %q", d.Stream, want)
	}
}

// A login that reads one table of msdb has its user there.
func TestDiagnosisMakesNoUserThatIsThere(t *testing.T) {
	grants := func(k *kit) (out []string) {
		for _, s := range k.sourceOnly().diagnose(engine.DiagnoseOptions{}).Sections {
			for _, f := range s.Findings {
				if strings.Contains(f.Text, "msdb.") && len(f.Do) > 0 {
					out = append(out, f.Do...)
				}
			}
		}
		return out
	}
	none := grants(kitOf(t, world))
	if len(none) != 2 || slices.ContainsFunc(none, func(s string) bool {
		return !strings.Contains(s, "IF USER_ID(N'reader') IS NULL CREATE USER [reader];")
	}) {
		t.Errorf("%q", none)
	}
	one := grants(kitOf(t, strings.Replace(world, `"users": [`, `"users": [{"database": "msdb", "select": [{"on": "dbo.cdc_jobs"}]}, `, 1)))
	if len(one) != 1 || strings.Contains(one[0], "CREATE USER") || !strings.HasPrefix(one[0], "USE msdb; GRANT SELECT ON dbo.cdc_jobs") {
		t.Errorf("%q", one)
	}
}
