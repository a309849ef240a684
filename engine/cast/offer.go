package cast

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// nothingHelps stands for a refused value that no answer writes.
const nothingHelps = "refused"

// offers says what each answer would write for the refused value at i, "1.26
// (round), 1.25 (cut), NULL (null)", and which they are.
func (c *column) offers(i int) (said string, by []Answer) {
	one := array.NewSlice(c.src, int64(i), int64(i)+1)
	defer one.Release()
	var out []string
	for _, a := range c.rule.Choices(c.target) {
		text, ok := "NULL", a == Null
		if a != Null && a != Stop {
			text, ok = c.under(a, one)
		}
		if ok {
			out, by = append(out, fmt.Sprintf("%s (%s)", text, a)), append(by, a)
		}
	}
	if len(out) == 0 {
		return nothingHelps, nil
	}
	return strings.Join(out, ", "), by
}

// under casts one value under another answer; false where it is refused too.
func (c *column) under(a Answer, one arrow.Array) (text string, ok bool) {
	try := &column{target: c.target, rule: c.rule, out: c.out, mem: c.mem, run: c.run, zone: c.zone, day: c.day}
	try.rule.Answer = a
	try.begin(one, c.at)
	out, err := try.run(try, one)
	if err != nil {
		return "", false
	}
	defer out.Release()
	return ValueText(out, 0), try.refused == 0
}
