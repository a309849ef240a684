package engine

import (
	"fmt"

	"cdcseed/engine/bronze"
	"cdcseed/engine/verdict"
)

// copyID tells copies apart. Fields are empty where nothing was recorded.
type copyID struct {
	files   string // of the files as they lie there: paths, sizes, times
	content string // of what they hold, wherever they lie
}

func recordedCopy(tags map[string]string) copyID {
	return copyID{tags[tagCopy], tags[tagContent]}
}

func (p CopyPlan) id() copyID { return copyID{p.Hash, p.Content} }

// is reports whether a seed was made from the copy that has the id, or from one
// that holds the same.
func (seed copyID) is(id copyID) bool {
	return seed.files != "" && seed.files == id.files || seed.content != "" && seed.content == id.content
}

// told reports whether the seed's commit records enough to say that it was made
// from another copy: files that were only copied again hold the same.
func (seed copyID) told() bool { return seed.content != "" }

// sameCopy notes whether the copy given now is the one that the seed was made from.
func (b *builder) sameCopy(seed copyID) {
	now := b.plan.Copy.id()
	switch {
	case b.copy == nil && b.noCopy == nil: // nobody has looked at it yet
	case b.copy == nil:
		b.check(verdict.Noted("the copy cannot be read any more, and is not needed: "+b.noCopy.Error(), ""))
	case seed.files == now.files:
		b.check(verdict.Okay("the seed was made from this copy"))
	case seed.is(now):
		b.check(verdict.Okay("the seed was made from a copy that holds the same, byte for byte: its files were written again since"))
	case seed.told():
		b.check(verdict.Noted("the copy given now is not the one that the seed was made from", "The seed stays as it is.",
			verdict.Facts("now", now.content, "recorded", seed.content)...))
	default:
		b.check(verdict.Noted("whether the seed was made from this copy is not recorded", ""))
	}
}

// anotherCopy refuses a copy that a seed in the target was made from: it cannot
// hold what happened since.
func (b *builder) anotherCopy(seeds []bronze.Seed) error {
	if b.copy == nil { // nobody has looked at it yet
		return nil
	}
	if err := madeFrom(b.plan.Copy.URL, b.plan.Copy.id(), seeds); err != nil {
		return err
	}
	if newestTold(seeds, b.held) {
		b.check(verdict.Okay("the copy is not one that the target was seeded from"))
		return nil
	}
	b.check(verdict.Noted("whether the newest snapshot was made from this copy cannot be told: it is not recorded",
		"The stream took it, another program or an older release did, or the target's log has been cleaned up since."))
	return nil
}

// madeFrom is the refusal of a copy that one of the seeds was made from, or nil.
func madeFrom(url string, id copyID, seeds []bronze.Seed) error {
	for _, s := range seeds {
		if recordedCopy(s.Tags).is(id) {
			return copySame(url, id, s)
		}
	}
	return nil
}

// newestTold reports whether the log still tells which copy the newest snapshot
// was made from.
func newestTold(seeds []bronze.Seed, held *bronze.Snapshots) bool {
	for _, s := range seeds {
		if s.LSN == held.Newest().LSN && recordedCopy(s.Tags).told() {
			return true
		}
	}
	return false
}

func copySame(url string, id copyID, seed bronze.Seed) error {
	e := &verdict.Error{
		Code: verdict.CopySameAsSeed, What: fmt.Sprintf("the copy at %q is the one that the target was seeded from", url),
		Facts: verdict.Facts("seeded at", seed.LSN, "in version", seed.Version, "copy", seed.Tags[tagCopy]),
		Why:   "Not a file of it has changed, so it holds nothing of what the stream lost since.",
		Hint:  []string{"Take a new copy of the table, and give the time at which it started as --as-of."},
	}
	if seed.Tags[tagCopy] != id.files {
		e.What = fmt.Sprintf("the copy at %q holds the same as the one that the target was seeded from, by the content of its files", url)
		e.Facts = append(e.Facts, verdict.Facts("content of both", id.content)...)
		e.Why = "Its files lie elsewhere or were written again, and they hold the same rows: nothing of what the stream lost since."
		e.Hint = append(e.Hint, "If it is a new copy, and the table has not changed at all since the seed: have the copy written with another compression, so that it can be told from the old one.")
	}
	return e
}
