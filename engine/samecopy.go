package engine

import (
	"cmp"
	"fmt"
	"strings"

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

// sameAnswers notes where a seed that was found was made with other answers about
// columns than are given now: whoever corrects one must not take the seed for
// corrected. Where no columns were matched, nobody was asked.
func (b *builder) sameAnswers(tags map[string]string) {
	recorded, now := tags[tagAnswers], columnAnswers(b.request.Args())
	if len(b.plan.Columns.Columns) == 0 || strings.EqualFold(recorded, now) {
		return
	}
	b.check(verdict.Noted("the seed in the target was made with other answers about columns than are given now",
		"Nothing is written again, so the answers given now change nothing in the target. To have them there, seed a new target, or take a newer copy and seed it with --reseed.",
		verdict.Facts("recorded", cmp.Or(recorded, "none"), "given now", cmp.Or(now, "none"))...))
}

// anotherCopy refuses a copy that a seed in the target was made from: it cannot
// hold what happened since. One that only holds the same is asked about: a new
// copy of a table in which nothing changed does too.
func (b *builder) anotherCopy(seeds []bronze.Seed) error {
	if b.copy == nil { // nobody has looked at it yet
		return nil
	}
	id := b.plan.Copy.id()
	if s := seedOf(seeds, func(seed copyID) bool { return seed.files == id.files }); s != nil {
		return copySame(b.plan.Copy.URL, *s)
	}
	switch s := seedOf(seeds, func(seed copyID) bool { return seed.is(id) }); {
	case s != nil:
		b.check(verdict.Warned(verdict.SameContent,
			fmt.Sprintf("the copy holds, byte for byte, what the target was seeded from at %s, though its files are others", s.LSN),
			"An old copy that was copied or restored lacks what the stream lost since. Right only for a new copy of a table in which nothing has changed.",
			verdict.Facts("copy", b.plan.Copy.URL, "content of both", id.content)...))
	case newestTold(seeds, b.held):
		b.check(verdict.Okay("the copy is not one that the target was seeded from"))
	default:
		b.check(verdict.Noted("whether the newest snapshot was made from this copy cannot be told: it is not recorded",
			"The stream took it, another program or an older release did, or the target's log has been cleaned up since."))
	}
	return nil
}

// seedOf is the newest seed whose copy is one that is asked for, or nil.
func seedOf(seeds []bronze.Seed, is func(copyID) bool) *bronze.Seed {
	for i := range seeds {
		if seed := recordedCopy(seeds[i].Tags); seed.files != "" && is(seed) {
			return &seeds[i]
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

func copySame(url string, seed bronze.Seed) error {
	return &verdict.Error{
		Code: verdict.CopySameAsSeed, What: fmt.Sprintf("the copy at %q is the one that the target was seeded from", url),
		Facts: verdict.Facts("seeded at", seed.LSN, "in version", seed.Version, "copy", seed.Tags[tagCopy]),
		Why:   "Not a file of it has changed, so it holds nothing of what the stream lost since.",
		Hint:  []string{"Take a new copy of the table, and give the time at which it started as --as-of."},
	}
}
