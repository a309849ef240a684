package engine_test

import (
	"strings"
	"testing"
	"time"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

func TestPasswordUser(t *testing.T) {
	for _, c := range []struct {
		server, user, signIn string
		want                 string
		must                 bool
	}{
		{"sql01", "svc", "", "svc", true},
		{"sql01", "", "", "", false},
		{"sqlserver://svc@sql01", "", "", "svc", true},
		{"sqlserver://svc@sql01", "other", "", "other", true},
		{"sqlserver://svc:secret@sql01", "", "", "", false},
		{"sqlserver://sql01?encrypt=none of these", "svc", "", "", false},
		{"sqlserver://sql01", "svc", "", "svc", true},
		{"sql01", "svc@REALM", "kerberos", "svc@REALM", false},
		{"sql01", "client", "entra:managed-identity", "", false},
		{"sql01", "a@b", "entra:password", "a@b", false},
		{"sqlserver://a%40b@sql01?fedauth=ActiveDirectoryPassword", "", "", "a@b", false},
		{"sqlserver://sql01?fedauth=ActiveDirectoryManagedIdentity", "client", "", "", false},
	} {
		r := engine.Request{Server: c.server, User: c.user, SignIn: c.signIn}
		if user, must := r.PasswordUser(); user != c.want || must != c.must {
			t.Errorf("%s as %q by %q: %q, %v", c.server, c.user, c.signIn, user, must)
		}
	}
}

// A way to encrypt is refused in the flag's words, before anything is dialled.
func TestEncryptIsRefusedInTheFlagsWords(t *testing.T) {
	for _, how := range []string{"pinned", "pin", "pin:", "pin=server.pem", "off", "TRUST", "disable"} {
		_, err := engine.Open(t.Context(), engine.Request{Server: "127.0.0.1,1", Encrypt: how}, "", time.Now, nil)
		e := verdict.As(err)
		if e.Code != verdict.Usage || len(e.Hint) != 1 || !strings.Contains(e.What, "--encrypt \""+how+"\"") || !strings.Contains(e.Hint[0], "pin:FILE") {
			t.Errorf("%s: %v, %q", how, err, e.Hint)
		}
	}
}
