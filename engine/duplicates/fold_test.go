package duplicates

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// comparisons are how two texts stand to each other.
const (
	same  = "same"
	maybe = "may be the same"
	apart = "apart"
)

func compared(collation, a, b string) string {
	f := newFolder(parseCollation(collation))
	sa, sb := f.sure(nil, a), f.sure(nil, b)
	wa, wb := f.wide(nil, sa), f.wide(nil, sb)
	switch {
	case string(sa) == string(sb):
		return same
	case string(wa) == string(wb):
		return maybe
	}
	return apart
}

// What an index holds for one key, by the name of its collation.
func TestCollations(t *testing.T) {
	const (
		classic = "SQL_Latin1_General_CP1_CI_AS"
		strict  = "Latin1_General_100_CS_AS_KS_WS"
		loose   = "Latin1_General_100_CI_AI"
		binary  = "Latin1_General_100_BIN2"
	)
	for _, c := range []struct{ collation, a, b, want string }{
		{classic, "abc", "ABC", same},
		{strict, "abc", "ABC", apart},
		{binary, "abc", "ABC", apart},
		{classic, "abc", "abd", apart},
		{classic, "abc", "abc   ", same},
		{strict, "abc", "abc ", same},
		{binary, "abc", "abc ", same},
		{binary, "abc", " abc", apart},
		{classic, "", "   ", same},
		{classic, "abc", "abc\t", apart},

		{classic, "résumé", "resume", apart},
		{classic, "RÉSUMÉ", "résumé", same},
		{loose, "résumé", "RESUME", same},
		{strict, "résumé", "re\u0301sume\u0301", maybe}, // the same letters, written otherwise
		{binary, "résumé", "re\u0301sume\u0301", apart},
		{"Finnish_Swedish_100_CI_AI", "å", "a", maybe}, // a letter of its own, or not
		{loose, "søren", "soren", maybe},
		{classic, "søren", "soren", apart},

		{classic, "straße", "strasse", maybe},
		{strict, "straße", "strasse", maybe},
		{"German_PhoneBook_CI_AS", "Müller", "mueller", maybe},
		{classic, "Müller", "mueller", apart},
		{"Danish_Norwegian_CI_AS", "Aarhus", "århus", maybe},
		{"Danish_Norwegian_CI_AI", "Aarhus", "århus", maybe},
		{"Danish_Norwegian_CI_AS", "aarhus", "AARHUS", same},
		{"Danish_Norwegian_CI_AS", "aarhus", "Aarhus", same},
		{"Danish_Norwegian_CI_AS", "aarhus", "aArhus", maybe},
		{"Danish_Norwegian_CS_AS", "aarhus", "aArhus", apart},
		{"Latin1_General_CI_AS", "aarhus", "aArhus", same},
		{"Latin1_General_CI_AS", "a☕", "a", maybe},
		{"Latin1_General_CI_AS", "a⭐", "a☕", maybe},
		{"Latin1_General_CI_AS", "10₹", "10", maybe},
		{"Latin1_General_100_CI_AS", "10₹", "10", maybe},
		{"Latin1_General_CI_AS", "10€", "10", apart},
		{"Latin1_General_100_CI_AS", "a☕", "a", apart},
		{"Latin1_General_CI_AS_WS", "ﬁne", "fine", maybe},
		{"Dutch_CI_AS", "ĳs", "ijs", maybe},
		{strict, "ĳs", "ijs", maybe},
		{strict, "ａ", "a", apart},
		{strict, "a\u0323\u0307", "a\u0307\u0323", maybe},
		{"Lithuanian_CI_AS", "y", "i", maybe},

		{"Turkish_CI_AS", "ID1", "id1", apart}, // I is the capital of ı
		{"Turkish_CI_AS", "ID1", "ıd1", same},
		{"Turkish_CI_AS", "İD1", "id1", same},
		{classic, "ID1", "id1", same},

		{"Japanese_CI_AS", "カタカナ", "かたかな", same},
		{"Japanese_CI_AS_KS", "カタカナ", "かたかな", apart},
		{"Japanese_CI_AS", "ｱｲｳ", "アイウ", maybe},
		{"Japanese_CI_AS_WS", "ｱｲｳ", "アイウ", apart},
		{"Japanese_CI_AS", "ＡＢＣ", "abc", same},
		{"Japanese_CI_AS_WS", "ＡＢＣ", "abc", apart},
		{"Japanese_CI_AS_WS", "ＡＢＣ", "ａｂｃ", maybe},

		{classic, "a\u00adb", "ab", maybe}, // a soft hyphen
		{classic, "a\x01b", "ab", maybe},
		{binary, "a\x01b", "ab", apart},
		{classic, "😀", "😁", maybe}, // neither has a weight before version 100
		{classic, "😀", "", maybe},
		{loose, "😀", "😁", apart},
		{classic, "ς", "σ", maybe},
		{classic, "Σ", "σ", same},
		{strict, "Σ", "σ", apart},
		{classic, "Ж", "ж", same},

		{"", "abc", "ABC", maybe}, // a collation that nobody knows
		{"", "abc", "ÀBÇ", maybe},
		{"", "abc", "abc ", same},
		{"", "abc", "abd", apart},
		{"Klingon_Rules", "abc", "ABC", maybe},
		{"SQL_Latin1_General_Pref_CP1_CI_AI", "É", "e", same},
	} {
		if got := compared(c.collation, c.a, c.b); got != c.want {
			t.Errorf("%s: %q and %q are %s, want %s", c.collation, c.a, c.b, got, c.want)
		}
		if got := compared(c.collation, c.b, c.a); got != c.want {
			t.Errorf("%s: %q and %q are %s, want %s", c.collation, c.b, c.a, got, c.want)
		}
	}
}

// Equal sure forms have equal wide forms, so that no group of keys that are surely
// the same is torn apart; and a form of a form is itself.
func TestFormsAreClosed(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 11))
	letters := []rune("aAiIıİéÉe\u0301ßẞsSæÆåÅøwWyYzΣσςЖж カガｶあア😀\u00ad\x00\x01 -'１1Ａ\u3000ǅ")
	for _, name := range []string{
		"SQL_Latin1_General_CP1_CI_AS", "Latin1_General_100_CS_AS_KS_WS", "Latin1_General_100_CI_AI", "Turkish_CI_AS", "Turkish_CS_AI",
		"Danish_Norwegian_CI_AI", "German_PhoneBook_CS_AS", "Japanese_CI_AS", "Lithuanian_CI_AI", "Latin1_General_BIN2", "",
	} {
		f := newFolder(parseCollation(name))
		wideOf := map[string]string{}
		for range 20_000 {
			var b strings.Builder
			for range rnd.IntN(4) {
				b.WriteRune(letters[rnd.IntN(len(letters))])
			}
			sure := string(f.sure(nil, b.String()))
			wide := string(f.wide(nil, []byte(sure)))
			if had, ok := wideOf[sure]; ok && had != wide {
				t.Fatalf("%s: %q is wide %q and %q", name, sure, had, wide)
			}
			wideOf[sure] = wide
			if again := string(f.sure(nil, sure)); again != sure {
				t.Fatalf("%s: %q is sure %q and then %q", name, b.String(), sure, again)
			}
			if f.known && strings.TrimRight(b.String(), " ") != b.String() && sure != string(f.sure(nil, strings.TrimRight(b.String(), " "))) {
				t.Fatalf("%s: blanks at the end of %q count", name, b.String())
			}
		}
	}
}
