package tsql

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// grammarText is one text with what the parser found in it, for the judges of
// fakeserver/interop/grammar, which read it with parsers of their own.
type grammarText struct {
	Name   string   `json:"name"`
	Text   string   `json:"text"`
	Number int32    `json:"number"`           // 0, or the error that the text must fail with
	Digest []string `json:"digest,omitempty"` // of a good text: sorted
	// Known is, by judge, why it is known to read the text otherwise.
	Known map[string]string `json:"known,omitempty"`
}

// grammarTexts are the engine's statements, and the kept good and bad texts.
func grammarTexts(t testing.TB) []grammarText {
	t.Helper()
	var out []grammarText
	for _, pattern := range []string{
		filepath.Join("..", "..", "engine", "sqlserver", "queries", "*.sql"),
		filepath.Join("..", "interop", "grammar", "texts", "*.sql"),
	} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts := strings.Split("\n"+string(b), "\nGO\n")
			for i, text := range texts {
				name := strings.TrimSuffix(filepath.Base(file), ".sql")
				if len(texts) > 1 {
					name = fmt.Sprintf("%s %d", name, i+1)
				}
				if text = strings.TrimSpace(text); text != "" {
					out = append(out, marked(grammarText{Name: name, Text: text}))
				}
			}
		}
	}
	return out
}

// marked reads what the comments above a text tell: "-- fails with 102", and
// "-- antlr: why it takes the text for wrong, or a wrong one for right".
func marked(g grammarText) grammarText {
	for line := range strings.Lines(g.Text) {
		words, ok := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		if !ok {
			break
		}
		if _, err := fmt.Sscanf(words, "fails with %d", &g.Number); err == nil {
			continue
		}
		if judge, why, ok := strings.Cut(words, ": "); ok && (judge == "antlr" || judge == "teesql") {
			if g.Known == nil {
				g.Known = map[string]string{}
			}
			g.Known[judge] = why
		}
	}
	return g
}

// TestGrammarTexts: the kept texts parse, or fail with their numbers. Where
// CDCSEED_DIGESTS names a file, the texts are written there with their digests.
func TestGrammarTexts(t *testing.T) {
	texts := grammarTexts(t)
	good := 0
	for i := range texts {
		g := &texts[i]
		b, err := parseBatch(g.Text)
		if got := numberOf(t, err); got != g.Number {
			t.Errorf("%s: %d (%v), want %d\n%s", g.Name, got, err, g.Number, g.Text)
			continue
		}
		if err == nil {
			good++
			g.Digest = digestOf(b)
		}
	}
	if bad := len(texts) - good; good < 150 || bad < 50 {
		t.Errorf("%d good and %d bad texts are too few to say much", good, bad)
	}
	file := os.Getenv("CDCSEED_DIGESTS")
	if file == "" {
		return
	}
	out, err := json.MarshalIndent(texts, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestDigest(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT TOP (@n) a.X, COUNT(*) AS c FROM dbo.T AS a WHERE a.X <> N'é' GROUP BY a.X": "alias:a; alias:c; clause:from; " +
			"clause:group by; clause:select; clause:top; clause:where; column:a.x; column:a.x; column:a.x; function:count; operator:<>; " +
			"literal:é'; statement:select; star; table:dbo.t; variable:@n",
		"SET @a += 1":             "literal:1; operator:+; statement:set; variable:@a; variable:@a",
		"EXEC dbo.p @x = @y, 5":   "argument:@x; literal:5; procedure:dbo.p; statement:exec; variable:@y",
		"SET ANSI_NULLS ON":       "option:ansinulls on",
		"SELECT CAST(1 AS int)":   "clause:select; literal:1; function:cast; statement:select; type:int",
		"SELECT DATEPART(tz, $1)": "clause:select; datepart:tz; function:datepart; literal:$1.0000; statement:select",
		"SELECT x FROM a, b":      "clause:from; clause:select; column:x; join:cross; statement:select; table:a; table:b",
		"SELECT -x FROM a ORDER BY 1 DESC": "clause:desc; clause:from; clause:order by; clause:select; column:x; literal:1; operator:unary -; " +
			"statement:select; table:a",
	} {
		b, err := parseBatch(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		words := strings.Split(want, "; ")
		slices.Sort(words)
		if got := digestOf(b); !slices.Equal(got, words) {
			t.Errorf("%s\n got %s\nwant %s", text, strings.Join(got, "; "), strings.Join(words, "; "))
		}
	}
}
