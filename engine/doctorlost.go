package engine

import "fmt"

// stream is what the target's stream can no longer do, as far as the target's
// rows tell: a clause, empty where nothing is known against it. It stops no seed
// and its checkpoint may be further than its rows, so no finding is more than a
// note; a diagnosis says it at its end all the same, where it is looked for.
func (v TargetView) stream() string {
	r := v.Recovery
	switch {
	case r == nil || !r.Lost():
		return ""
	case r.Reached == r.Newest.LSN:
		return fmt.Sprintf("a stream can no longer start from the snapshot that the target holds, at %s: the changes right after it are not kept any more", r.Reached)
	}
	return fmt.Sprintf("the target's stream can no longer go on from its newest row, at %s, unless it has read further: the changes right after that are not kept any more", r.Reached)
}
