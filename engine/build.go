package engine

import (
	"cmp"
	"context"
	"time"

	"cdcseed/engine/bronze"
	"cdcseed/engine/clock"
	"cdcseed/engine/delta"
	"cdcseed/engine/lakecopy"
	"cdcseed/engine/parquetfile"
	"cdcseed/engine/rewrite"
	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// BuildOptions are what planning takes beside the request and decides nothing.
type BuildOptions struct {
	Tool   string      // program and version that the plan records
	Notify func(Event) // told what is being read; may be nil

	// Of keys that are counted: a folder for those that do not fit in memory, empty
	// for the system's, and how many bytes do; 0 for a bound of the engine's own.
	Scratch   string
	KeyMemory int64
}

// Build plans a seed: it reads the source, the copy, the target and the facts
// table, and writes nothing, because it is given nothing that can. What a
// person may still change (an open question, a value that does not fit, a
// warning) blocks the plan and stands in it; what makes a plan impossible is
// the error.
func Build(ctx context.Context, s *Session, rd Readers, r Request, o BuildOptions) (Plan, error) {
	if err := r.Validate(); err != nil {
		return Plan{}, err
	}
	r.Server, _ = WithoutPassword(r.Server) // the plan keeps what was asked, and no secret
	b := &builder{session: s, readers: rd, request: r, options: o, started: s.now()}
	if o.Notify != nil {
		b.far = func(done, total int64) {
			o.Notify(Progress{Phase: Recheck, Done: done, Total: total, Unit: "rows"})
		}
	}
	b.plan = Plan{
		Format: PlanFormat, Tool: o.Tool, MadeAt: b.started, State: Ready, Args: r.Args(),
		Checks: []verdict.Check{}, Accepted: []string{},
	}
	// The order is the record's: what would make the stream refuse the target
	// comes before the copy, and a seed that is there already before any
	// question of retention.
	for _, step := range []func(context.Context) error{
		b.readSource, b.readTarget, b.readFacts, b.readCopy, b.matchColumns, b.mapAsOf, b.preview, b.chooseWays,
		b.countKeys, // it may take hours
	} {
		if err := step(ctx); err != nil {
			return Plan{}, stoppedPlanning(ctx, err)
		}
	}
	return b.finish()
}

func stoppedPlanning(ctx context.Context, err error) error {
	return stoppedWhile(ctx, err, "the seed was planned", "Run the same command again: planning starts over.")
}

// stoppedWhile gives a cancellation its name: what it broke off failed for no
// other reason.
func stoppedWhile(ctx context.Context, err error, doing, hint string) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return &verdict.Error{
		Code: verdict.Stopped, What: "stopped on request while " + doing, Err: context.Cause(ctx), Hint: []string{hint},
	}
}

// builder is a plan in the making.
type builder struct {
	session *Session
	readers Readers
	request Request
	options BuildOptions
	started clock.Instant
	plan    Plan

	table    schema.Table
	captured []schema.TargetColumn // without computed ones, as the target spells them
	computed []string
	target   *delta.Snapshot // nil where it is missing
	fit      *bronze.Fit     // nil where the target is missing
	held     *bronze.Snapshots
	facts    *delta.Snapshot // nil where it is missing or not wanted
	events   []bronze.Event  // rows of the facts table that tell of the target's snapshots
	copy     *lakecopy.Copy
	noCopy   error // why there is no copy to read; nil where there is one
	filter   *lakecopy.Mark
	mapping  Mapping                 // as far as it was found
	ahead    clock.Instant           // the server's clock less this machine's, microseconds
	watch    watcher                 // sees what is cast while values are looked at; may be nil
	far      func(done, total int64) // hears how many rows were looked at, where all are; may be nil
	spent    time.Duration           // on the values that were looked at, of all workers
}

func (b *builder) check(c ...verdict.Check) { b.plan.Checks = append(b.plan.Checks, c...) }

// stop blocks the plan with a refusal and goes on, so that everything that is
// wrong shows at once.
func (b *builder) stop(err error) {
	if err != nil {
		b.plan.Stops = append(b.plan.Stops, stopOf(err))
	}
}

func (b *builder) tell(text string) {
	if b.options.Notify != nil {
		b.options.Notify(Notice{Phase: Recheck, Text: text})
	}
}

// clustered are the columns by which the target is clustered: they have statistics
// in every file, and those of a staged file are taken over with it.
func (b *builder) clustered() []string {
	if b.target == nil {
		return nil
	}
	return b.target.ClusteringColumns()
}

// finish settles the plan's state, its warnings and its digest.
func (b *builder) finish() (Plan, error) {
	p := &b.plan
	if p.State != AlreadySeeded && len(p.Stops) > 0 {
		p.State = Blocked
	}
	b.settleMigration()
	if err := p.accept(b.request.Accept); err != nil {
		return Plan{}, err
	}
	p.Stage.Codec, p.Stage.OnStop = parquetfile.Snappy, cmp.Or(b.request.OnStop, "remove")
	var err error
	if p.Stage.Memory, err = parseMemory(b.request.Memory); err != nil {
		return Plan{}, err
	}
	p.Stage.Key = rewrite.StageKey(append([]string{
		p.Copy.Hash, hashOf(p.Copy.Filter), hashOf(p.Columns), p.AsOf.L.String(), hashOf(p.AsOf.CommitTS),
		p.Table.Instance, cmp.Or(p.Target.LayoutHash, p.Target.SchemaHash), string(p.Stage.Codec),
	}, b.clustered()...)...)
	p.Preconditions = p.conditions()
	lines, err := p.FileLines()
	if err != nil {
		return Plan{}, err
	}
	p.Copy.FilesHash = sha(lines)
	p.Digest, err = p.digest()
	return *p, err
}
