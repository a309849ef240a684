package engine_test

import (
	"testing"

	"cdcseed/engine"
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
