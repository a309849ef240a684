package engine_test

import (
	"context"
	"errors"
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"cdcseed/engine"
	"cdcseed/engine/report"
	"cdcseed/engine/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

// refusal is a seed that must not be made, and what is said of it.
type refusal struct {
	name      string
	scene     scene
	arrange   func(*kit)                              // beside a copy of three rows
	meanwhile func(*kit, *engine.Plan)                // after a plan was made that could be executed
	places    func(*kit, engine.Stores) engine.Stores // where executing writes
	stop      func(context.CancelFunc, engine.Event)  // pressed while executing
	left      func(*kit, *verdict.Error, []string)    // looks at what executing changed; nil: nothing may be
	code      verdict.Code
	exit      int
	says      []string // in the message, the facts or the hints
}

// refusals is the registry: every refusal that a seed can meet.
func refusals() []refusal {
	var out []refusal
	for _, list := range [][]refusal{
		requestRefusals(), sourceRefusals(), asOfRefusals(), retentionRefusals(), warningRefusals(), copyRefusals(), columnRefusals(),
		targetRefusals(), factsRefusals(), staleRefusals(), raceRefusals(), storeRefusals(), reseedRefusals(), staleReseeds(),
	} {
		out = append(out, list...)
	}
	return out
}

func TestRefusals(t *testing.T) {
	golden := map[verdict.Code]bool{}
	for _, r := range refusals() {
		first := !golden[r.code]
		golden[r.code] = true
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			k := kitIn(t, r.scene)
			err := r.run(k)
			if t.Failed() {
				return
			}
			e := r.check(k, err)
			if first && e != nil {
				k.golden(e)
			}
		})
	}
}

// run meets the refusal and fails where anything was written on the way.
func (r refusal) run(k *kit) error {
	k.t.Helper()
	if r.arrange != nil {
		r.arrange(k)
	}
	if r.meanwhile == nil && r.places == nil && r.stop == nil {
		before := k.tree()
		p, err := k.build() // executing would refuse most of it again
		if err == nil {
			err = p.Refusal()
		}
		same(k.t, "plan", before, k.tree())
		return err
	}
	p, err := k.build()
	if err == nil {
		err = p.Refusal()
	}
	if err != nil {
		k.t.Errorf("no plan to execute: %v", err)
		return nil
	}
	if r.meanwhile != nil {
		r.meanwhile(k, &p)
	}
	session, stores := k.open()
	if r.places != nil {
		stores = r.places(k, stores)
	}
	ctx, cancel := context.WithCancel(k.t.Context())
	defer cancel()
	before := k.tree()
	_, err = engine.Execute(ctx, p, session, stores, func(e engine.Event) {
		if r.stop != nil {
			r.stop(cancel, e)
		}
	})
	if r.left == nil {
		same(k.t, "seed", before, k.tree())
		return err
	}
	var changed []string
	for path, b := range k.tree() {
		if was, ok := before[path]; !ok || was != b {
			changed = append(changed, path)
		}
	}
	r.left(k, verdict.As(err), changed)
	return err
}

func (r refusal) check(k *kit, err error) *verdict.Error {
	k.t.Helper()
	if err == nil {
		k.t.Errorf("not refused, want %s", r.code)
		return nil
	}
	e := verdict.As(err)
	if e.Code != r.code || e.Code.Exit() != r.exit {
		k.t.Errorf("refused as %s (exit %d), want %s (exit %d): %v", e.Code, e.Code.Exit(), r.code, r.exit, err)
		return nil
	}
	if e.What == "" || len(e.Hint) == 0 || strings.Join(e.Hint, "") == "" {
		k.t.Errorf("%+v says nothing to do", e)
	}
	all := e.Error() + " " + e.WroteText() + " " + e.Why + " " + strings.Join(e.Hint, " ")
	for _, s := range r.says {
		if !strings.Contains(all, s) {
			k.t.Errorf("%q does not mention %q", all, s)
		}
	}
	if strings.Contains(all, "s3cret") {
		k.t.Errorf("the password is in %q", all)
	}
	if r.left == nil && e.WroteText() != verdict.NothingWritten {
		k.t.Errorf("says %q", e.WroteText())
	}
	for _, s := range append(e.Hint, e.What, e.Why, e.Wrote) {
		if strings.Contains(strings.ToLower(s), "failed to") || strings.Contains(s, "%!") {
			k.t.Errorf("bad words: %q", s)
		}
	}
	return e
}

var (
	uuids     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	stageKeys = regexp.MustCompile(`part-(\d{5})-[0-9a-f]{16}-`)
	digests   = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	countings = regexp.MustCompile(`\(operation \d+\)`)
	addresses = regexp.MustCompile(`127\.0\.0\.1[:,]\d+`)
)

// golden compares the whole text of a refusal with the one in engine/report/testdata.
func (k *kit) golden(e *verdict.Error) {
	k.t.Helper()
	of := *e
	of.What, of.Wrote, of.Why = k.plain(e.What), k.plain(e.Wrote), k.plain(e.Why)
	of.Facts, of.Hint = nil, nil
	for _, f := range e.Facts {
		of.Facts = append(of.Facts, verdict.Fact{Name: f.Name, Value: k.plain(f.Value)})
	}
	for _, h := range e.Hint {
		of.Hint = append(of.Hint, k.plain(h))
	}
	if e.Err != nil {
		of.Err = errors.New(k.plain(e.Err.Error()))
	}
	var b strings.Builder
	report.Failure(&b, &of)
	goldenText(k.t, string(e.Code), b.String())
}

// plain takes what differs from run to run out of a text.
func (k *kit) plain(s string) string {
	s = strings.ReplaceAll(s, k.dir, "/data")
	if u, err := url.Parse(k.server.URL()); err == nil {
		s = strings.ReplaceAll(s, u.Host, "sql.example")
	}
	s = addresses.ReplaceAllString(s, "sql.example")
	s = stageKeys.ReplaceAllString(s, "part-$1-0123456789abcdef-")
	s = countings.ReplaceAllString(s, "(operation 1)")
	s = digests.ReplaceAllString(s, strings.Repeat("0123456789abcdef", 4))
	return uuids.ReplaceAllString(s, "01234567-89ab-4cde-8f01-23456789abcd")
}

// goldenText compares a text that people read with its golden file, and its
// lines with the measure of a narrow terminal.
func goldenText(t *testing.T, name, got string) {
	t.Helper()
	narrow(t, got)
	if runtime.GOOS == "windows" {
		return // paths and the system's own error texts read otherwise there
	}
	path := filepath.Join("report", "testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}

// narrow fails for a line wider than 79 that could have been broken: one that
// holds more than its indent and one word.
func narrow(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if utf8.RuneCountInString(line) > 79 && len(strings.Fields(line)) > 1 {
			// A name and one word beside it cannot be broken either.
			last := strings.Fields(line)
			if rest := strings.TrimSuffix(line, last[len(last)-1]); utf8.RuneCountInString(rest) > 36 {
				t.Errorf("%d columns: %q", utf8.RuneCountInString(line), line)
			}
		}
		if line != strings.TrimRight(line, " ") {
			t.Errorf("blanks at the end of %q", line)
		}
	}
}

// TestEveryCodeIsMet walks the closed list of codes: each stands in the
// registry, or says here why no first seed can meet it.
func TestEveryCodeIsMet(t *testing.T) {
	elsewhere := map[verdict.Code]string{
		verdict.ColumnsDiffer: "a fake server's instances share their table's types: schema.TestUnionRefusals",
	}
	met := map[verdict.Code]bool{}
	for _, r := range refusals() {
		met[r.code] = true
	}
	for _, c := range verdict.Codes() {
		why := elsewhere[c]
		switch {
		case met[c] && why != "":
			t.Errorf("%s is met, yet excused: %s", c, why)
		case !met[c] && why == "":
			t.Errorf("no refusal of the registry meets %s", c)
		}
		delete(elsewhere, c)
	}
	for c := range elsewhere {
		t.Errorf("%s is excused and no code", c)
	}
}
