package sqlserver_test

import (
	"errors"
	"strings"
	"testing"

	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// A connection string that was pasted whole is never told again.
func TestAPastedConnectionStringIsNotShown(t *testing.T) {
	_, err := sqlserver.Open(t.Context(), sqlserver.Options{Server: "Server=tcp:db1,1433;User ID=svc;Password=Hunter2secret;"})
	if !errors.Is(err, verdict.Usage) {
		t.Fatal(err)
	}
	e := verdict.As(err)
	if told := e.Error() + strings.Join(e.Hint, " "); strings.Contains(told, "Hunter2") {
		t.Error(told)
	}
}

func TestCharactersThatTheDriverCutsAreRefused(t *testing.T) {
	for _, o := range []sqlserver.Options{
		{Server: "127.0.0.1,1", User: "svc", Password: "p\U0001F511"},
		{Server: "127.0.0.1,1", User: "s\U0001F511"},
		{Server: "127.0.0.1,1", Database: "d\U0001F511"},
	} {
		if _, err := sqlserver.Open(t.Context(), o); !errors.Is(err, verdict.Usage) || strings.Contains(err.Error(), "\U0001F511") {
			t.Error(err)
		}
	}
}
