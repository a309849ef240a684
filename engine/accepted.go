package engine

import (
	"slices"

	"cdcseed/engine/verdict"
)

// WithAccepted is the plan with these warnings accepted by name, and no others:
// what Build makes of the same request with them in its Accept. Refusal:
// verdict.AcceptUnknown.
func (p Plan) WithAccepted(names []string) (Plan, error) {
	var r Request
	if err := r.SetArgs(p.Args); err != nil {
		return Plan{}, err
	}
	r.Accept = slices.Clone(names)
	if err := r.validateAccept(); err != nil {
		return Plan{}, err
	}
	p.Args = r.Args()
	if err := p.accept(names); err != nil {
		return Plan{}, err
	}
	var err error
	p.Digest, err = p.digest()
	return p, err
}

// accept records the warnings that are accepted by name. One that does not
// occur is an error: it was meant for something that is not there.
func (p *Plan) accept(names []string) error {
	p.Accepted = []string{}
	for _, name := range names {
		occurs := slices.ContainsFunc(p.Checks, func(c verdict.Check) bool {
			return c.Level == verdict.Warn && string(c.Code) == name
		})
		// Nothing is asked of a plan that writes no rows, so a rerun with the
		// same command line stays right.
		if !occurs && p.State == Ready {
			return &verdict.Error{
				Code: verdict.AcceptUnknown,
				What: "--accept " + name + " names a warning that does not occur here",
				Why:  "Something is not as it was when the command was written.",
				Hint: []string{"Look at the plan with --dry-run, then leave " + name + " out."},
			}
		}
		if occurs {
			p.Accepted = append(p.Accepted, name)
		}
	}
	slices.Sort(p.Accepted)
	p.Accepted = slices.Compact(p.Accepted)
	return nil
}
