package engine_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/store/storetest"
	"cdcseed/engine/verdict"
)

// Whether the table was made may stay unknown: that is said, and the rerun ends well.
func TestATableThatMayHaveBeenMade(t *testing.T) {
	k := newKit(t)
	k.writeCopy("a.parquet", orders(3))
	p, err := k.build()
	if err != nil {
		t.Fatal(err)
	}
	session, stores := k.open()
	real := stores.Target
	var asked atomic.Bool // files are staged side by side
	stores.Target = storetest.Intercept(real, func(op storetest.Op) storetest.Fault {
		if op.Name == "CreateOnce" {
			asked.Store(true)
		}
		if asked.Load() && strings.Contains(op.Key, "_delta_log/") {
			return storetest.Fault{Err: errors.New("no answer"), Done: op.Name == "CreateOnce"}
		}
		return storetest.Fault{}
	})
	_, err = engine.Execute(context.Background(), p, session, stores, nil)
	e := verdict.As(err)
	if e.Code != verdict.StoreUnreachable || !strings.Contains(e.WroteText(), "may have been made; it is empty then. No rows were written.") {
		t.Errorf("%v; %s", err, e.WroteText())
	}
	for path := range k.tree("bronze") {
		if !strings.HasPrefix(path, "_delta_log/") {
			t.Errorf("%s is left", path)
		}
	}
	if got, err := k.seed(); err != nil || got.Rows != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}
