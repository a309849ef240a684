package splice

import (
	"errors"
	"fmt"
)

// ErrChanged says that a file's footer does not allow what was planned by it: the
// file is another one now. Nothing was written.
var ErrChanged = errors.New("the file is not the one that was planned by")

// stands makes sure that a column's values may be kept as they are, as was planned
// by a look at the footer that may be hours old. Whether values were looked at in
// the meantime no footer tells, so that both answers count.
func (c column) stands(s *Source, known *Ranges) error {
	if !c.way.Copies() && c.way != Dictionary {
		return nil
	}
	is, was := c.node.Describe(), *c.rule().Source
	if is.Name = was.Name; is != was {
		return fmt.Errorf("%w: column %q was planned as %s in %s and is %s in %s", ErrChanged, c.Name, was, was.Physical, is, is.Physical)
	}
	facts := s.Facts(c.from)
	var now Choice
	for _, facts.Seen = range []bool{true, false} {
		if now = Choose(c.rule(), c.plan.Target, facts, known); now.Way == c.way {
			return nil
		}
	}
	return fmt.Errorf("%w: column %q was planned as %s and now is %s, as %s", ErrChanged, c.Name, c.way, now.Way, now.Reason)
}
