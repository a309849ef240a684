package sqlserver

import (
	"context"
	"embed"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/asof"
	"cdcseed/fakeserver"
)

var (
	_       embed.FS = queries
	comment          = regexp.MustCompile(`(?s)/\*.*?\*/|--[^\n]*`)
	literal          = regexp.MustCompile(`N?'(?:[^']|'')*'`)
	word             = regexp.MustCompile(`[A-Za-z_]+`)
)

// reading procedures only.
var procedures = []string{"sys.sp_cdc_help_change_data_capture", "sys.sp_cdc_get_captured_columns", "sys.sp_cdc_help_jobs"}

// Words with which a statement could change something or read past a lock.
var forbidden = []string{
	"insert", "update", "delete", "merge", "into", "truncate", "create", "alter", "drop", "grant", "revoke", "deny",
	"backup", "restore", "kill", "dbcc", "shutdown", "use", "set", "begin", "commit", "rollback", "waitfor", "nolock", "readuncommitted", "openrowset",
	"openquery", "xp_cmdshell", "declare", "go", "bulk", "writetext", "updatetext", "reconfigure", "execute",
}

func TestStatementsOnlyRead(t *testing.T) {
	names := statementNames(t)
	if len(names) < 20 {
		t.Fatal("the statements are not all there:", names)
	}
	for _, name := range names {
		text := statement(name)
		body, ok := strings.CutPrefix(text, "/* cdcseed: "+name+" */\n")
		if !ok {
			t.Errorf("%s does not begin with its tag", name)
		}
		if strings.Count(body, ";") != 1 || !strings.HasSuffix(body, ";\n") {
			t.Errorf("%s is not one statement", name)
		}
		bare := literal.ReplaceAllString(comment.ReplaceAllString(body, " "), "''")
		first := strings.Fields(bare)[0]
		switch first {
		case "SELECT", "WITH":
			for _, w := range word.FindAllString(strings.ToLower(bare), -1) {
				if strings.HasPrefix(w, "exec") || strings.HasPrefix(w, "sp_") || strings.HasPrefix(w, "xp_") {
					t.Errorf("%s executes something: %s", name, w)
				}
			}
		case "EXEC":
			if !slices.Contains(procedures, strings.TrimSuffix(strings.Fields(bare)[1], ";")) {
				t.Errorf("%s calls %s", name, strings.Fields(bare)[1])
			}
		default:
			t.Errorf("%s begins with %s", name, first)
		}
		for _, w := range word.FindAllString(strings.ToLower(bare), -1) {
			if slices.Contains(forbidden, w) {
				t.Errorf("%s has the word %s", name, w)
			}
		}
	}
}

func statementNames(t *testing.T) (names []string) {
	t.Helper()
	entries, err := fs.ReadDir(queries, "queries")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".sql"))
	}
	return names
}

// Whatever the package does, the server sees nothing but these texts, each
// with its parameters as text.
func TestServerSeesTheseStatementsOnly(t *testing.T) {
	sent := map[string]bool{}
	for _, world := range []string{"orders-clock-change", "old-server-2017", "orders-two-instances"} {
		w, err := fakeserver.Named(world)
		if err != nil {
			t.Fatal(err)
		}
		srv, err := fakeserver.Start(w, fakeserver.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer srv.Close()
		exercise(t, srv)
		for _, st := range srv.Statements() {
			name := ""
			for _, n := range statementNames(t) {
				if statement(n) == st.Text {
					name = n
				}
			}
			if name == "" {
				t.Errorf("%s: sent %q", world, st.Text)
			}
			if st.App != "cdcseed" || st.Procedure {
				t.Errorf("%s: sent as %+v", world, st)
			}
			sent[name] = true
		}
	}
	for _, n := range statementNames(t) {
		if !sent[n] {
			t.Errorf("%s is never sent", n)
		}
	}
}

// exercise calls everything that asks the server something.
func exercise(t *testing.T, srv *fakeserver.Server) {
	t.Helper()
	o, err := ParseURL(srv.URL())
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	now, err := s.Clock(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.TimeZones(t.Context()); err != nil {
		t.Fatal(err)
	}
	tables, err := s.Tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = s.Table(t.Context(), tables[0].Instances[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Uncaptured(t.Context()); err != nil {
		t.Fatal(err)
	}
	exerciseDoctor(t, s)
	_, _, _ = s.Table(t.Context(), "nobody") // refused, after looking for the reason
	for _, text := range []string{
		"2026-10-25T00:40:00Z", "2026-10-25T01:40:00Z", now.Newest.UTC.Add(-time.Hour).String(),
		"0x0000002A0005320B0001", "0x00000000000000000001", "42000000034000001", now.Newest.LSN.String(),
	} {
		in, err := asof.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = s.MapAsOf(t.Context(), now.Clock, tables[0], in, MapOptions{}) // some are refused, on purpose
	}
	if err := repeatedHour(t.Context(), s, now.Clock); err != nil {
		t.Fatal(err)
	}
}

// repeatedHour asks for the time of a commit in a repeated hour, where there is one.
func repeatedHour(ctx context.Context, s *Source, c asof.Clock) error {
	in, err := asof.Parse("2026-10-25T02:30:00Z") // maps into the second pass of 02:00 in western Europe
	if err != nil {
		return err
	}
	ch, err := asof.Choose(c, *in.Instant, time.Hour)
	if err != nil {
		return err
	}
	l, err := s.lookUp(ctx, c, ch)
	if err != nil || l == nil {
		return err
	}
	_, err = s.CommitTime(ctx, c, *l)
	return err
}
