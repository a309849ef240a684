package engine

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cdcseed/engine/asof"
	"cdcseed/engine/bronze"
	"cdcseed/engine/cast"
	"cdcseed/engine/lsn"
	"cdcseed/engine/verdict"
)

// Our own traces in commitInfo.tags (decision 10): text only, no secret.
const (
	tagAsOf     = "cdcseed.as_of" // normal form: RFC 3339 in UTC, or the LSN
	tagLag      = "cdcseed.copy_lag"
	tagDatabase = "cdcseed.database"     // that the table was seeded from; servers change names in a failover
	tagPlan     = "cdcseed.plan"         // digest
	tagCopy     = "cdcseed.copy"         // hash of the copy's identity
	tagContent  = "cdcseed.copy_content" // hash of what the copy's files hold
	tagAccepted = "cdcseed.accepted"     // warnings, comma separated
	tagAnswers  = "cdcseed.answers"      // about columns, as flags
	tagExcluded = "cdcseed.excluded"     // rows left out as flagged by another tool
	tagReseed   = "cdcseed.reseed"       // of a reseed: the LSN of the snapshot that it follows
)

// tags are the traces of executing p.
func (p Plan) tags(excluded int64) (map[string]string, error) {
	in, err := asof.Parse(p.AsOf.Asked)
	if err != nil {
		return nil, err
	}
	t := map[string]string{
		tagAsOf: in.String(), tagDatabase: p.Source.Database, tagPlan: p.Digest,
		tagCopy: p.Copy.Hash, tagContent: p.Copy.Content, tagAccepted: strings.Join(p.Accepted, ","),
	}
	if p.AsOf.CopyLag != 0 {
		t[tagLag] = p.AsOf.CopyLag.String()
	}
	if text := columnAnswers(p.Args); text != "" {
		t[tagAnswers] = text
	}
	if p.Copy.Filter != nil {
		t[tagExcluded] = fmt.Sprint(excluded)
	}
	if p.Reseed != nil {
		t[tagReseed] = p.Reseed.Follows.String()
	}
	return t, nil
}

// mostAnswers bounds what a commit tells of the answers, in bytes: all traces
// together take at most 4 KB. The plan has them all, and of answers that are more
// the commit has the number and a digest, so that they can be told from others.
const mostAnswers = 2048

// columnAnswers are the flags among args that say what becomes of columns and of
// flagged rows, as one types them.
func columnAnswers(args []string) string {
	var out, all strings.Builder
	left := 0
	for i := 0; i < len(args); i++ {
		value := slices.Contains([]string{cast.FlagCast, cast.FlagMissing, cast.FlagMap, cast.FlagEncoding, cast.FlagZone, flagIgnore}, args[i])
		if !value && args[i] != "--"+excludeDeleted && args[i] != "--"+keepDeleted {
			continue
		}
		word := args[i]
		if value && i+1 < len(args) {
			i++
			word += " " + verdict.ShellWord(args[i])
		}
		all.WriteString(word + "\n")
		if left > 0 || out.Len()+len(word) > mostAnswers {
			left++
			continue
		}
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(word)
	}
	if left > 0 {
		fmt.Fprintf(&out, " and %d more, sha256 of all %s", left, sha([]byte(all.String())))
	}
	return out.String()
}

// taggedSeed looks in the commits that the log still holds for one of ours that
// made this seed: of this table, for this as_of. Its rows must still be there.
func (b *builder) taggedSeed(ctx context.Context, in asof.Input) (*bronze.Snapshot, error) {
	if b.target == nil {
		return nil, nil //nolint:nilnil // no seed is an answer
	}
	lag := ""
	if b.request.CopyLag != 0 {
		lag = b.request.CopyLag.String()
	}
	for c, err := range bronze.Seeds(ctx, b.readers.Target) {
		if err != nil {
			return nil, storeError("reading the target's log", err)
		}
		if c.Tags[tagAsOf] != in.String() || c.Tags[tagLag] != lag {
			continue
		}
		if seed := b.held.At(c.LSN); seed != nil {
			b.sameCopy(recordedCopy(c.Tags))
			b.sameAnswers(c.Tags)
			b.found(c, *seed)
			if err := b.sameDatabase(c.Tags[tagDatabase], *seed); err != nil {
				return nil, err
			}
			return seed, b.thisReseed(ctx, *seed, recordedCopy(c.Tags))
		}
	}
	return nil, nil //nolint:nilnil // no seed is an answer
}

// recorded is what the tags of the seed's commit at l say of its copy, once they
// agree with the database that is connected; empty where the log no longer has them.
func (b *builder) recorded(ctx context.Context, seed bronze.Snapshot) (copyID, error) {
	for c, err := range bronze.Seeds(ctx, b.readers.Target) {
		if err != nil {
			return copyID{}, storeError("reading the target's log", err)
		}
		if c.LSN == seed.LSN {
			b.found(c, seed)
			b.sameAnswers(c.Tags)
			return recordedCopy(c.Tags), b.sameDatabase(c.Tags[tagDatabase], seed)
		}
	}
	return copyID{}, nil
}

// found notes in the plan that the seed that was found was a reseed, and where
// not all rows of its commit c stand in the target any more.
func (b *builder) found(c bronze.Seed, seed bronze.Snapshot) {
	if l, err := lsn.Parse(c.Tags[tagReseed]); err == nil {
		b.plan.Reseed = &ReseedPlan{Follows: l}
	}
	wrote, err := strconv.ParseInt(c.Rows, 10, 64)
	if err != nil || wrote == seed.Rows {
		return
	}
	b.check(verdict.Noted(fmt.Sprintf("the target holds %s of the seed, and its commit wrote %s", verdict.Plural(seed.Rows, "row", "rows"), verdict.Count(wrote)),
		"Somebody deleted or added rows since. What is rebuilt from the seed has those that stand; nothing is written again.",
		verdict.Facts("written in version", c.Version)...))
}

// sameDatabase refuses a seed of another database's table: its L means nothing here.
func (b *builder) sameDatabase(recorded string, seed bronze.Snapshot) error {
	now := b.plan.Source.Database
	if recorded == "" || recorded == now {
		return nil
	}
	e := verdict.As(holdsSnapshot(b.plan.Target.URL, seed, seed.LSN))
	e.What = "the target holds a seed of another database's table"
	e.Facts = append(e.Facts, verdict.Facts("seeded from", recorded, "connected to", now)...)
	e.Why = "An LSN of one database means nothing in another's log."
	e.Hint = []string{"Connect to the database that the target was seeded from, or seed a new target."}
	return e
}
