package engine_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine"
)

// oddWords are texts that shells, URLs and flag parsers trip over.
var oddWords = []string{
	"plain", "dbo.orders", "two words", "it's", `say "x"`, "a=b", "a,b", "--flag", "-", "=", ",", "$HOME", "`id`", "a\\b", "c:\\data\\copy",
	"line\nbreak", "esc\x1b[2J%s\\n", "rtl\u202e", "tab\there", "Situa\u00e7\u00e3o", "\u0131d", "日本", "*", "?x", "#1", "a;b", "(x)", "!", "~", "%20", "é", "true", "null",
	"sqlserver://reader@host:1433?database=Sales&encrypt=strict",
}

func oddWord(r *rand.Rand) string {
	if r.IntN(3) == 0 {
		return oddWords[r.IntN(len(oddWords))] + oddWords[r.IntN(len(oddWords))]
	}
	return oddWords[r.IntN(len(oddWords))]
}

// randomRequest sets about half of a Request's fields, whatever fields it has.
func randomRequest(t *testing.T, r *rand.Rand) engine.Request {
	t.Helper()
	var out engine.Request
	v := reflect.ValueOf(&out).Elem()
	for i := range v.NumField() {
		if r.IntN(2) == 0 {
			continue
		}
		switch f := v.Field(i); f.Interface().(type) {
		case string:
			f.SetString(oddWord(r))
		case bool:
			f.SetBool(true)
		case time.Duration:
			f.SetInt(r.Int64N(int64(90*time.Hour)) + 1)
		case map[string]string:
			m := map[string]string{}
			for range r.IntN(4) + 1 {
				m[oddWord(r)] = []string{"stop", "round", "null", "text-order"}[r.IntN(4)]
			}
			f.Set(reflect.ValueOf(m))
		case []string:
			seen := map[string]bool{}
			for range r.IntN(4) + 1 {
				if w := oddWord(r); !seen[w] && v.Type().Field(i).Name != "Accept" {
					seen[w] = true
					f.Set(reflect.Append(f, reflect.ValueOf(w)))
				}
			}
			if v.Type().Field(i).Name == "Accept" { // names of warnings: no commas
				f.Set(reflect.ValueOf([]string{"fell_back", "no_zone"}))
			}
		default:
			t.Fatalf("Request.%s is of a kind that no flag is known for", v.Type().Field(i).Name)
		}
	}
	return out
}

// A request's command line asks for the same request, whatever its names hold.
func TestArgsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		want := randomRequest(t, r)
		args := want.Args()
		var got engine.Request
		if err := got.SetArgs(args); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		if want.Check == "" {
			want.Check = "sample" // its default
		}
		if want.OnStop == "" {
			want.OnStop = "remove" // its default
		}
		if want.Memory == "" {
			want.Memory = "1GiB" // its default
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q\n%s", args, diff)
		}
	}
}

// The printed command is one that a shell takes apart into the same words.
func TestCommandInAShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell sh here to take the command apart")
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		args := randomRequest(t, r).Args()
		command := engine.Command("seed", args)
		script := `cdcseed() { printf '%s\0' "$@"; }; ` + command
		out, err := exec.Command(sh, "-c", script).Output()
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		if want := strings.Join(append([]string{"seed"}, args...), "\x00") + "\x00"; string(out) != want {
			t.Fatalf("%s\ngave %q\nwant %q", command, out, want)
		}
	}
}

func TestSetArgsRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--as-off", "x"}, `"--as-off" is no flag`},
		{[]string{"orders"}, `"orders" is no flag`},
		{[]string{"--as-of"}, "--as-of has no value"},
		{[]string{"--copy-lag", "soon"}, `--copy-lag: "soon" is no length of time`},
		{[]string{"--cast", "amount"}, `--cast: "amount" is not COLUMN=ANSWER`},
		{[]string{"--cast", "=round"}, `"=round" is not`},
		{[]string{"--missing", "amount="}, `"amount=" is not`},
	} {
		var r engine.Request
		if err := r.SetArgs(c.args); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.args, err, c.says)
		}
	}
}

// What a plan keeps of the command has no password, wherever it was given.
func TestPlanKeepsNoSecret(t *testing.T) {
	k := kitIn(t, scene{})
	if !strings.Contains(k.request.Server, "s3cret") {
		t.Fatal("the test's URL has no password")
	}
	p, err := k.build()
	k.must(err)
	if said := fmt.Sprintf("%+v", p); strings.Contains(said, "s3cret") {
		t.Error(said)
	}
	if args := strings.Join(p.Args, " "); !strings.Contains(args, "--server sqlserver://reader@127.0.0.1:") {
		t.Error(args)
	}
}

func TestFactsTarget(t *testing.T) {
	for _, c := range []struct{ target, name, want string }{
		{"/lake/bronze", "bronze.orders", "bronze.orders"}, {"/lake/bronze", "", "/lake/bronze"},
	} {
		if got := (engine.Request{Target: c.target, TargetName: c.name}).FactsTarget(); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
