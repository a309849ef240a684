package tui

import (
	"context"
	"log/slog"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// logged is an engine whose every call is written to a log: what was asked, how
// long it took, and what came of it. Nothing secret is among that.
type logged struct {
	Engine
	log *slog.Logger
	now func() time.Time
}

// withLog is the engine, written to a log where there is one.
func withLog(e Engine, log *slog.Logger, now func() time.Time) Engine {
	if log == nil {
		return e
	}
	return logged{e, log, now}
}

// told writes one call. more are pairs of a name and a value, of a call that
// went well.
func (l logged) told(call string, since time.Time, err error, more ...any) {
	took := slog.Int64("took_ms", l.now().Sub(since).Milliseconds())
	if err != nil {
		l.log.Warn(call, append([]any{took}, LogError(err)...)...)
		return
	}
	l.log.Info(call, append([]any{took}, more...)...)
}

// LogError is an error as a log has it: pairs of a name and a value.
func LogError(err error) []any {
	e := verdict.As(err)
	out := []any{"code", string(e.Code), "exit", e.Code.Exit(), "what", e.What, "wrote", e.WroteText()}
	for _, f := range e.Facts {
		out = append(out, slog.String("fact: "+f.Name, f.Value))
	}
	if e.Err != nil {
		out = append(out, "cause", e.Err.Error())
	}
	return out
}

// LogEvent writes an event of a running seed. Counts are for whoever watches, and
// are not written.
func LogEvent(log *slog.Logger, e engine.Event) {
	switch e := e.(type) {
	case engine.PhaseStarted:
		log.Info("phase started", "phase", string(e.Phase), "text", e.Text)
	case engine.PhaseDone:
		log.Info("phase done", "phase", string(e.Phase), "text", e.Text)
	case engine.Notice:
		log.Info("notice", "phase", string(e.Phase), "text", e.Text)
	}
}

// LogResult is a result as a log has it.
func LogResult(r engine.Result) []any {
	return []any{"state", string(r.State), "lsn", r.L.String(), "rows", r.Rows, "files", r.Files, "version", r.Version, "target", r.Target, "facts_row", r.FactsRow}
}

func (l logged) Connect(ctx context.Context, r engine.Request, password string) (engine.SourceView, error) {
	since := l.now()
	v, err := l.Engine.Connect(ctx, r, password)
	l.told("connect", since, err, "server", v.Identity.Server, "database", v.Identity.Database, "login", v.Identity.Login, "version", v.Identity.ProductVersion)
	return v, err
}

func (l logged) Tables(ctx context.Context) ([]engine.Table, error) {
	since := l.now()
	v, err := l.Engine.Tables(ctx)
	l.told("tables", since, err, "tables", len(v))
	return v, err
}

func (l logged) Table(ctx context.Context, name string) (engine.TableView, error) {
	since := l.now()
	v, err := l.Engine.Table(ctx, name)
	l.told("table", since, err, "table", v.Table.String(), "instance", v.Instance)
	return v, err
}

func (l logged) Copy(ctx context.Context, r engine.Request, progress func(done, total int)) (engine.CopyView, error) {
	since := l.now()
	v, err := l.Engine.Copy(ctx, r, progress)
	l.told("copy", since, err, "copy", v.URL, "files", v.Files, "rows", v.Rows)
	return v, err
}

func (l logged) Target(ctx context.Context, r engine.Request) (engine.TargetView, error) {
	since := l.now()
	v, err := l.Engine.Target(ctx, r)
	l.told("target", since, err, "target", v.URL, "version", v.Version)
	return v, err
}

func (l logged) AsOf(ctx context.Context, r engine.Request, c engine.CopyView, t engine.TargetView) (engine.AsOfView, error) {
	since := l.now()
	v, err := l.Engine.AsOf(ctx, r, c, t)
	l.told("as_of", since, err, "as_of", r.AsOf, "lsn", v.L.String())
	return v, err
}

func (l logged) Columns(ctx context.Context, r engine.Request, c engine.CopyView, t engine.TargetView, look bool, progress func(done, total int64)) (engine.ColumnsView, error) {
	since := l.now()
	v, err := l.Engine.Columns(ctx, r, c, t, look, progress)
	l.told("columns", since, err, "columns", len(v.Lines), "looked_at", v.Rows)
	return v, err
}

func (l logged) Build(ctx context.Context, r engine.Request, notify func(engine.Event)) (engine.Plan, error) {
	since := l.now()
	p, err := l.Engine.Build(ctx, r, notify)
	l.told("plan", since, err, "plan", p.Digest, "table", p.Table.String(), "lsn", p.AsOf.L.String(), "stops", len(p.Stops))
	return p, err
}

func (l logged) Execute(ctx context.Context, p engine.Plan, r engine.Request, notify func(engine.Event)) (engine.Result, error) {
	since := l.now()
	l.log.Info("seed begins", "plan", p.Digest, "table", p.Table.String(), "lsn", p.AsOf.L.String(), "target", p.Target.URL, "accepted", p.Accepted)
	res, err := l.Engine.Execute(ctx, p, r, func(e engine.Event) {
		LogEvent(l.log, e)
		notify(e)
	})
	l.told("seed", since, err, LogResult(res)...)
	return res, err
}
