package cast

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"cdcseed/engine/schema"
)

// mostSuggested is how many columns of the copy are suggested for a missing one.
const mostSuggested = 3

// nearEnough is the likeness from which a name is suggested.
const nearEnough = 0.6

// Suggest finds the left-out columns of the copy whose names are most like a
// missing column's and whose values have a cast to it, the likest first. They
// are never taken by themselves.
func (m *Mapping) Suggest(to schema.TargetColumn) []string {
	type candidate struct {
		name string
		like float64
	}
	var found []candidate
	for _, other := range m.LeftOut {
		if slices.Contains(schema.Reserved(), schema.Fold(other)) || !m.castsTo(other, to) {
			continue
		}
		if like := likeness(to.Name, other); like >= nearEnough {
			found = append(found, candidate{other, like})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.like, a.like) })
	var out []string
	for _, c := range found[:min(len(found), mostSuggested)] {
		out = append(out, c.name)
	}
	return out
}

// castsTo reports whether every file that has the column can be cast from it.
func (m *Mapping) castsTo(name string, to schema.TargetColumn) bool {
	for _, class := range m.Classes {
		for _, c := range index(class)[schema.Fold(name)] {
			if _, ok := pair(c, to); !ok && c.Physical != schema.Absent {
				return false
			}
		}
	}
	return true
}

// likeness is 1 for names of the same letters, at least nearEnough where one is
// the other with words around it or in short, and else the share of letters
// that need no edit.
func likeness(a, b string) float64 {
	x, y := words(a), words(b)
	p, q := []rune(strings.Join(x, "")), []rune(strings.Join(y, ""))
	longest := max(len(p), len(q))
	if longest == 0 {
		return 1
	}
	share := 1 - float64(edits(p, q))/float64(longest)
	return max(share, held(x, y), held(y, x), sameWords(x, y))
}

// words takes a name apart where people see its words end: at signs and blanks,
// before a capital, and between letters and digits.
func words(name string) []string {
	var out []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, schema.Fold(string(word)))
		}
		word = nil
	}
	in := []rune(name)
	for i, r := range in {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case i == 0:
		case unicode.IsUpper(r) && unicode.IsLower(in[i-1]),
			unicode.IsUpper(r) && unicode.IsUpper(in[i-1]) && i+1 < len(in) && unicode.IsLower(in[i+1]),
			unicode.IsDigit(r) != unicode.IsDigit(in[i-1]):
			end()
		}
		word = append(word, r)
	}
	end()
	return out
}

// held is how like a name is to one with further words before or behind its own,
// each of which may be in short; 0 where it is not in there.
func held(few, many []string) float64 {
	if len(few) == 0 {
		return 0
	}
	best := 0.0
	for at := 0; at+len(few) <= len(many); at++ {
		worth := 1.0
		for i, w := range few {
			worth = min(worth, sameWord(w, many[at+i]))
		}
		if worth > 0 {
			share := float64(letters(many[at:at+len(few)])) / float64(letters(many))
			best = max(best, nearEnough+(1-nearEnough)*share*worth)
		}
	}
	return best
}

// sameWords is the share of letters in words that both names have, in whatever order.
func sameWords(x, y []string) float64 {
	left := slices.Clone(y)
	both := 0.0
	for _, w := range x {
		i := slices.IndexFunc(left, func(v string) bool { return sameWord(w, v) > 0 })
		if i >= 0 {
			both += sameWord(w, left[i]) * float64(letters([]string{w, left[i]}))
			left = slices.Delete(left, i, i+1)
		}
	}
	return both / float64(letters(x)+letters(y))
}

func letters(in []string) int {
	n := 0
	for _, w := range in {
		n += len([]rune(w))
	}
	return n
}

// inShort is what a word in short is worth beside the word itself.
const inShort = 0.85

// sameWord is 1 for one word, inShort where one begins the other (cust, customer)
// or is the other with letters left out, the vowels among them (qty, quantity),
// and 0 for two words.
func sameWord(a, b string) float64 {
	if a == b {
		return 1
	}
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	few, many := string(x), string(y)
	vowel := func(r rune) bool { return strings.ContainsRune("aeiou", r) }
	switch {
	case few == "no" && many == "number", // from numero
		len(x) >= 3 && strings.HasPrefix(many, few),
		len(x) >= 3 && !strings.ContainsFunc(string(x[1:]), vowel) && begins(x, y),
		len(x) == 2 && !strings.ContainsFunc(few, vowel) && begins(x, y):
		return inShort
	}
	return 0
}

// begins reports whether the letters of x stand in y in the same order, the first
// of them at its begin.
func begins(x, y []rune) bool {
	if x[0] != y[0] || unicode.IsDigit(x[0]) {
		return false
	}
	at := 0
	for _, r := range y {
		if at < len(x) && x[at] == r {
			at++
		}
	}
	return at == len(x)
}

// edits counts the insertions, deletions and replacements from a to b.
func edits(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, ra := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, rb := range b {
			cost := diagonal
			if ra != rb {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
