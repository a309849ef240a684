package sqlserver_test

import (
	"strings"
	"testing"

	"cdcseed/engine/sqlserver"
	"cdcseed/fakeserver"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

func TestSmoke(t *testing.T) {
	w, err := fakeserver.Named("orders-clock-change")
	if err != nil {
		t.Fatal(err)
	}
	src := connect(t, serve(t, w))
	id, err := src.Identity(t.Context())
	t.Logf("%+v %v", id, err)
	c, err := src.Clock(t.Context(), "")
	t.Logf("%+v %v", c, err)
	tabs, err := src.Tables(t.Context())
	t.Logf("%+v %v", tabs, err)
	tab, ch, err := src.Table(t.Context(), "dbo_Orders")
	t.Logf("%+v %v %v", tab, ch, err)
	m, err := mapped(t.Context(), src, "2026-10-25T00:40:00Z", "", sqlserver.MapOptions{})
	t.Logf("%+v %v", m, err)
}
