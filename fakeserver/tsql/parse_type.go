package tsql

import (
	"errors"
	"strings"

	"cdcseed/fakeserver/tds"
)

// typePlace is where a type is written: with the name and number of what is
// declared, or nothing in a CAST. The same mistake has numbers of its own there.
type typePlace struct {
	name   string
	number int
}

func (w typePlace) inCast() bool { return w.number == 0 }

// length is what text and binary get without one.
func (w typePlace) length() int {
	if w.inCast() {
		return 30
	}
	return 1
}

func (p *parser) typeName(w typePlace) tds.Type {
	start := p.at
	name := strings.ToLower(strings.Join(p.multipart(), "."))
	name = strings.TrimPrefix(name, "sys.")
	if p.at == start+1 && (name == "char" || name == "character") && p.words("VARYING") {
		name = "varchar"
	}
	var nums []int
	if p.op("(") {
		nums = p.typeNumbers()
	}
	if t, ok := plainType(name); ok {
		switch {
		case nums == nil:
			return t
		case w.inCast():
			p.throw(Errorf(291, 16, "CAST or CONVERT: invalid attributes specified for type '%s'", name))
		}
		p.throw(Errorf(2716, 16, "Column, parameter, or variable #%d: Cannot specify a column width on data type %s.", w.number, name))
	}
	if listed(unplayedTypes, name) {
		p.throw(notSimulated("type %s", name))
	}
	t, err := sizedType(name, nums, w)
	var e *tds.Error
	if errors.As(err, &e) {
		p.throw(e)
	}
	return t
}

func (p *parser) typeNumbers() []int {
	if p.words("MAX") {
		p.needOp(")")
		return []int{maxLength}
	}
	var nums []int
	for {
		if p.cur().kind != tokInt {
			p.fail()
		}
		t := p.next()
		if len(t.text) > 6 {
			p.fail()
		}
		nums = append(nums, number(t.text))
		if !p.op(",") {
			p.needOp(")")
			return nums
		}
	}
}
