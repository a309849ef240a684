package tui

import (
	"context"
	"time"

	"cdcseed/engine"
)

// Engine is what the screens ask. Live is the real one; goldens are drawn over
// a scripted one. A call may wait for the one before it, and ends soon after
// its context does.
type Engine interface {
	Connect(ctx context.Context, r engine.Request, password string) (engine.SourceView, error)
	Tables(ctx context.Context) ([]engine.Table, error)
	Uncaptured(ctx context.Context) ([]string, error)
	Table(ctx context.Context, name string) (engine.TableView, error)
	Copy(ctx context.Context, r engine.Request, progress func(done, total int)) (engine.CopyView, error)
	Target(ctx context.Context, r engine.Request) (engine.TargetView, error)
	Readings(ctx context.Context, text string, here *time.Location) ([]engine.ReadingView, error)
	AsOf(ctx context.Context, r engine.Request, c engine.CopyView, t engine.TargetView) (engine.AsOfView, error)
	Columns(ctx context.Context, r engine.Request, c engine.CopyView, t engine.TargetView, look bool, progress func(done, total int64)) (engine.ColumnsView, error)
	Build(ctx context.Context, r engine.Request, notify func(engine.Event)) (engine.Plan, error)
	Execute(ctx context.Context, p engine.Plan, r engine.Request, notify func(engine.Event)) (engine.Result, error)
}
