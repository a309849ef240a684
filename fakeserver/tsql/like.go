package tsql

import (
	"context"
	"strings"

	"cdcseed/fakeserver/tds"
)

func (sc *scope) like(x like) (predicate, error) {
	parts := []expr{x.e, x.pattern}
	if x.escape != nil {
		parts = append(parts, x.escape)
	}
	list, _, err := sc.scalars(parts)
	if err != nil {
		return nil, err
	}
	exact := list[0].exact || list[1].exact
	for i, c := range list {
		if list[i], err = c.to(tds.NVarChar(maxLength)); err != nil {
			return nil, Errorf(8116, 16, "Argument data type %s is invalid for argument %d of like function.", TypeName(c.t), i+1)
		}
	}
	return func(ctx context.Context, f *frame) (truth, error) {
		var text [3]string
		for i, c := range list {
			v, err := c.eval(ctx, f)
			if err != nil || v == nil {
				return isUnknown, err
			}
			if text[i] = textIn(v); !exact {
				text[i] = strings.ToLower(text[i])
			}
		}
		esc := []rune(text[2])
		if x.escape != nil && len(esc) != 1 {
			return isFalse, Errorf(506, 16, "The invalid escape character \"%s\" was specified in a LIKE predicate.", text[2])
		}
		m := matcher{}
		if len(esc) == 1 {
			m.escape = esc[0]
		}
		return truthOf(m.matches([]rune(text[0]), []rune(text[1])) != x.negated), nil
	}, nil
}

// matcher is a LIKE with its escape character, 0 for none.
type matcher struct{ escape rune }

// matches walks the text once for each % and goes back to the last one only,
// so that no pattern takes more than pattern times text steps.
func (m matcher) matches(s, p []rune) bool {
	var backS, backP []rune
	star := false
	for {
		switch {
		case len(p) == 0:
			if len(s) == 0 {
				return true
			}
		case p[0] == '%' && m.escape != '%':
			p, star = p[1:], true
			backS, backP = s, p
			continue
		default:
			if rest, ok := m.one(s, p); ok {
				s, p = s[1:], rest
				continue
			}
		}
		if !star || len(backS) == 0 {
			return false
		}
		backS = backS[1:]
		s, p = backS, backP
	}
}

// one matches the first character of s and returns the rest of the pattern.
func (m matcher) one(s, p []rune) ([]rune, bool) {
	if len(s) == 0 {
		return nil, false
	}
	switch {
	case m.escape != 0 && p[0] == m.escape && len(p) > 1:
		return p[2:], s[0] == p[1]
	case p[0] == '_':
		return p[1:], true
	case p[0] == '[':
		end := 1
		for end < len(p) && (p[end] != ']' || end == 1) {
			end++
		}
		if end == len(p) {
			return nil, false
		}
		return p[end+1:], inSet(s[0], p[1:end])
	}
	return p[1:], s[0] == p[0]
}

// inSet reads [abc], [a-z] and [^...].
func inSet(c rune, set []rune) bool {
	negated := len(set) > 1 && set[0] == '^'
	if negated {
		set = set[1:]
	}
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			if c >= set[i] && c <= set[i+2] {
				return !negated
			}
			i += 2
		} else if c == set[i] {
			return !negated
		}
	}
	return negated
}
