package engine

import (
	"fmt"
	"slices"
	"strings"
)

// CheckKeys is the value of --check that has the copy's keys counted.
const CheckKeys = "keys"

// checks is --check: how many values are looked at, and whether keys are counted.
func checks() Flag {
	return Flag{
		Name: "check", Value: "HOW", Default: previewSample,
		Doc: "what to look at before anything is written: sample or all values; keys counts those that stand twice; all,keys does both",
		get: func(r *Request) []string {
			var out []string
			if r.Check != "" && r.Check != previewSample {
				out = append(out, r.Check)
			}
			if r.CountKeys {
				out = append(out, CheckKeys)
			}
			if out == nil {
				return nil
			}
			return []string{strings.Join(out, ",")}
		},
		set: func(r *Request, v string) error {
			r.CountKeys = false
			var depth []string
			for word := range strings.SplitSeq(v, ",") {
				switch bare := strings.TrimSpace(word); bare {
				case CheckKeys:
					r.CountKeys = true
				case previewSample, CheckAll:
					depth = append(depth, bare)
				default:
					depth = append(depth, word)
				}
			}
			if r.Check = strings.Join(depth, ","); depth == nil { // Validate judges it
				r.Check = previewSample
			}
			return nil
		},
	}
}

// validateCheck refuses a depth that is none, and two of them.
func (r Request) validateCheck() error {
	if slices.Contains([]string{"", previewSample, CheckAll}, r.Check) {
		return nil
	}
	return usage(fmt.Sprintf("--check %q is no choice", r.Check),
		fmt.Sprintf("Give %s or %s, %s, or one of the first two and %[3]s with a comma between.", previewSample, CheckAll, CheckKeys))
}
