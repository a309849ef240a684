package sqlserver_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// Without a realm, a ticket or somebody who gives one, the login fails soon
// and says what to do; the password stays out of it.
func TestKerberosWithoutTicket(t *testing.T) {
	nobody := nobody(t)
	dir := t.TempDir()
	realm := filepath.Join(dir, "krb5.conf")
	text := "[libdefaults]\n default_realm = EXAMPLE.COM\n[realms]\n EXAMPLE.COM = {\n  kdc = " + nobody + "\n }\n"
	if err := os.WriteFile(realm, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		config, cache, user string
		says                string
	}{
		"no realm":              {filepath.Join(dir, "none.conf"), "", "", "krb5 config"},
		"no tickets":            {realm, "FILE:" + filepath.Join(dir, "tickets"), "", "tickets " + filepath.Join(dir, "tickets") + ")"},
		"nobody gives a ticket": {realm, "", "ada@EXAMPLE.COM", "KDC"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("KRB5_CONFIG", c.config)
			t.Setenv("KRB5CCNAME", c.cache)
			srv := &entraServer{}
			o := startEntra(t, srv)
			o.SignIn, o.User = sqlserver.Kerberos, c.user
			if c.user != "" {
				o.Password = wanted
			}
			begun := time.Now()
			_, err := sqlserver.Open(t.Context(), o)
			refused(t, err, verdict.LoginFailed, "sign-in kerberos", "kinit", c.says)
			t.Log(time.Since(begun).Round(time.Millisecond), err)
			if d := time.Since(begun); d > hang {
				t.Error("it took", d)
			}
			if _, dials := srv.got(); dials != 1 {
				t.Errorf("dialled %d times: a second try changes nothing", dials)
			}
			noSecret(t, err, o)
		})
	}
}
