package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

// Live is the engine itself behind one connection that it keeps for the
// wizard's life. A connection that broke is opened again by the next call.
type Live struct {
	tool   string
	now    func() time.Time
	prompt func(string)
	turn   chan struct{} // holds the one that may use the session

	session  *engine.Session
	request  engine.Request
	password string
}

// NewLive makes an engine that is not connected. tool is the program and version
// that plans record; prompt tells a person what to do elsewhere to sign in.
func NewLive(tool string, now func() time.Time, prompt func(string)) *Live {
	l := &Live{tool: tool, now: now, prompt: prompt, turn: make(chan struct{}, 1)}
	l.turn <- struct{}{}
	return l
}

// Close ends the connection.
func (l *Live) Close() {
	<-l.turn
	defer func() { l.turn <- struct{}{} }()
	l.drop()
}

func (l *Live) drop() {
	if l.session != nil {
		l.session.Close()
		l.session = nil
	}
}

// alone waits for the session and does with it what it is given. before is done
// first, and may refuse; it may be nil.
func (l *Live) alone(ctx context.Context, before func() error, do func(*engine.Session) error) error {
	select {
	case <-l.turn:
	case <-ctx.Done():
		return stopped(ctx)
	}
	defer func() { l.turn <- struct{}{} }()
	if ctx.Err() != nil { // whoever was superseded changes nothing any more
		return stopped(ctx)
	}
	if before != nil {
		if err := before(); err != nil {
			return err
		}
	}
	if l.session == nil {
		s, err := engine.Open(ctx, l.request, l.password, l.now, l.prompt)
		if err != nil {
			return err
		}
		l.session = s
	}
	err := do(l.session)
	if errors.Is(err, verdict.SourceUnreachable) {
		l.drop() // the next call connects again
	}
	return err
}

func stopped(ctx context.Context) error {
	return &verdict.Error{Code: verdict.Stopped, What: "stopped on request", Err: context.Cause(ctx)}
}

// Connect opens a connection in place of the one before.
func (l *Live) Connect(ctx context.Context, r engine.Request, password string) (v engine.SourceView, err error) {
	anew := func() error {
		l.drop()
		l.request, l.password = r, password
		return nil
	}
	err = l.alone(ctx, anew, func(s *engine.Session) error { v, err = s.Inspect(ctx); return err })
	return v, err
}

// Tables lists the captured tables.
func (l *Live) Tables(ctx context.Context) (v []engine.Table, err error) {
	err = l.alone(ctx, nil, func(s *engine.Session) error { v, err = s.Tables(ctx); return err })
	return v, err
}

// Uncaptured lists the tables without CDC.
func (l *Live) Uncaptured(ctx context.Context) (v []string, err error) {
	err = l.alone(ctx, nil, func(s *engine.Session) error { v, err = s.Uncaptured(ctx); return err })
	return v, err
}

// Table looks at one table.
func (l *Live) Table(ctx context.Context, name string) (v engine.TableView, err error) {
	err = l.alone(ctx, nil, func(s *engine.Session) error { v, err = s.InspectTable(ctx, name); return err })
	return v, err
}

// Copy looks at the copy.
func (l *Live) Copy(ctx context.Context, r engine.Request, progress func(done, total int)) (v engine.CopyView, err error) {
	err = l.alone(ctx, nil, func(s *engine.Session) error { v, err = engine.InspectCopy(ctx, s, r, progress); return err })
	return v, err
}

// Target looks at the target and the facts table.
func (l *Live) Target(ctx context.Context, r engine.Request) (v engine.TargetView, err error) {
	err = l.alone(ctx, nil, func(s *engine.Session) error { v, err = engine.InspectTarget(ctx, s, r); return err })
	return v, err
}

// Readings tells what a time without a zone may mean.
func (l *Live) Readings(ctx context.Context, text string, here *time.Location) (v []engine.ReadingView, err error) {
	err = l.alone(ctx, nil, func(s *engine.Session) error { v, err = s.Readings(ctx, text, here); return err })
	return v, err
}

// AsOf maps as_of to L.
func (l *Live) AsOf(ctx context.Context, r engine.Request, c engine.CopyView, t engine.TargetView) (v engine.AsOfView, err error) {
	err = l.alone(ctx, nil, func(s *engine.Session) error { v, err = engine.InspectAsOf(ctx, s, r, c, t); return err })
	return v, err
}

// Columns matches the columns, and with look casts values: a sample, or all.
func (l *Live) Columns(ctx context.Context, r engine.Request, c engine.CopyView, t engine.TargetView, look bool, progress func(done, total int64)) (v engine.ColumnsView, err error) {
	err = l.alone(ctx, nil, func(s *engine.Session) error {
		v, err = engine.InspectColumns(ctx, s, r, c, t, look, progress)
		return err
	})
	return v, err
}

// Build plans the seed.
func (l *Live) Build(ctx context.Context, r engine.Request, notify func(engine.Event)) (p engine.Plan, err error) {
	stores, err := engine.OpenStores(r)
	if err != nil {
		return p, err
	}
	err = l.alone(ctx, l.same(r), func(s *engine.Session) error {
		p, err = engine.Build(ctx, s, stores.Readers(), r, engine.BuildOptions{Tool: l.tool, Notify: notify})
		return err
	})
	return p, err
}

// Execute runs the plan that was made for r.
func (l *Live) Execute(ctx context.Context, p engine.Plan, r engine.Request, notify func(engine.Event)) (res engine.Result, err error) {
	stores, err := engine.OpenStores(r)
	if err != nil {
		return res, err
	}
	err = l.alone(ctx, l.same(r), func(s *engine.Session) error { res, err = engine.Execute(ctx, p, s, stores, notify); return err })
	return res, err
}

// same refuses a request for another source than the one that is connected: a
// plan never names one server and reads another.
func (l *Live) same(r engine.Request) func() error {
	return func() error {
		for _, f := range engine.SourceFlags() {
			want, have := r, l.request
			if slices.Equal(f.Get(&want), f.Get(&have)) {
				continue
			}
			want, have = want.WithoutSecrets(), have.WithoutSecrets()
			return &verdict.Error{
				Code: verdict.SourceUnreachable, What: "connected to another source than the answers name",
				Facts: verdict.Facts("--"+f.Name, strings.Join(f.Get(&want), ""), "connected with", strings.Join(f.Get(&have), "")),
				Hint:  []string{"Go back to Connect and check again (ctrl+r)."},
			}
		}
		return nil
	}
}
