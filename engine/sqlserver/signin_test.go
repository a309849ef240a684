package sqlserver_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
	"cdcseed/fakeserver/tds"
)

// Every connection brings a token, and the identity is asked for it in the server's name.
func TestEntraSignsIn(t *testing.T) {
	const az = `echo "$*" >> "${0%/*}/asked"; echo '{"accessToken": "token-of-az", "expires_on": 4000000000}'`
	for name, c := range map[string]struct {
		arrange func(*testing.T) (asked func() string)
		change  func(*sqlserver.Options)
		token   string
		asks    string
	}{
		"managed identity": {azureHost, func(o *sqlserver.Options) { o.SignIn, o.User = sqlserver.EntraManagedIdentity, "client-7" }, "token-of-the-host", databaseResource + " client-7"},
		"default":          {azureHost, func(o *sqlserver.Options) { o.SignIn = sqlserver.EntraDefault }, "token-of-the-host", databaseResource + " "},
		"az": {func(t *testing.T) func() string {
			azCommand(t, az)
			return func() string {
				b, err := os.ReadFile(filepath.Join(os.Getenv("PATH"), "asked"))
				if err != nil {
					t.Error(err)
				}
				return string(b)
			}
		}, func(o *sqlserver.Options) { o.SignIn = sqlserver.EntraAzCLI }, "token-of-az", "--resource " + databaseResource + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := c.arrange(t)
			srv := &entraServer{}
			o := startEntra(t, srv)
			c.change(&o)
			src, err := sqlserver.Open(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			src.Close()
			if tokens, _ := srv.got(); tokens != c.token {
				t.Errorf("the server got %q, want %q", tokens, c.token)
			}
			if a := asked(); !strings.Contains(a, c.asks) {
				t.Errorf("asked for %q, want %q", a, c.asks)
			}
		})
	}
}

// Nobody vouches: the login fails soon, says which way was tried and what may
// help, and holds no secret.
func TestEntraWithoutToken(t *testing.T) {
	nobody := nobody(t)
	for name, c := range map[string]struct {
		change func(*testing.T, *sqlserver.Options)
		says   []string
	}{
		"default": {func(t *testing.T, o *sqlserver.Options) {
			azCommand(t, "echo 'Please run az login' >&2; exit 1")
			o.SignIn = sqlserver.EntraDefault
		}, []string{"entra:default", "EnvironmentCredential", "az login", "entra:device-code"}},
		"az": {func(t *testing.T, o *sqlserver.Options) {
			azCommand(t, "echo 'Please run az login' >&2; exit 1")
			o.SignIn = sqlserver.EntraAzCLI
		}, []string{"entra:az-cli", "Please run az login"}},
		"service principal, the authority is not there": {func(t *testing.T, o *sqlserver.Options) {
			t.Setenv("AZURE_AUTHORITY_HOST", "https://"+nobody)
			o.ConnectTimeout = time.Second // the library tries for longer than that
			o.SignIn, o.User = sqlserver.EntraServicePrincipal, "client-7@"+tenant
		}, []string{"entra:service-principal", "user client-7@" + tenant, "CLIENT_ID@TENANT_ID"}},
		"service principal of no tenant": {func(t *testing.T, o *sqlserver.Options) {
			o.SignIn, o.User = sqlserver.EntraServicePrincipal, "client-7@not a tenant"
		}, []string{"entra:service-principal", "tenant"}},
		"password": {func(t *testing.T, o *sqlserver.Options) {
			t.Setenv("AZURE_AUTHORITY_HOST", "https://"+nobody)
			o.ConnectTimeout = time.Second // the library tries for longer than that
			o.SignIn, o.User = sqlserver.EntraPassword, "ada@example.com"
		}, []string{"entra:password", "ada@example.com", "second factor"}},
		"the host has no identity": {func(t *testing.T, o *sqlserver.Options) {
			t.Setenv("IDENTITY_ENDPOINT", "http://"+nobody)
			t.Setenv("IDENTITY_HEADER", "header")
			o.ConnectTimeout = time.Second
			o.SignIn, o.User = sqlserver.EntraManagedIdentity, "client-9" // the token of another one is remembered
		}, []string{"entra:managed-identity", "Azure host"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := startEntra(t, &entraServer{})
			o.Password = wanted
			c.change(t, &o)
			begun := time.Now()
			_, err := sqlserver.Open(t.Context(), o)
			refused(t, err, verdict.LoginFailed, c.says...)
			t.Log(time.Since(begun).Round(time.Millisecond), err)
			if d := time.Since(begun); d > hang {
				t.Error("it took", d)
			}
			noSecret(t, err, o)
		})
	}
}

// wanted is a password that no text has by accident.
const wanted = "Hunter-42!&=#% "

// noSecret looks for it in every way in which err and the options can be printed.
func noSecret(t *testing.T, err error, o sqlserver.Options) {
	t.Helper()
	for e := err; e != nil; e = errors.Unwrap(e) {
		for _, text := range []string{fmt.Sprintf("%v|%+v|%#v|%q", e, e, e, e), fmt.Sprintf("%+v %#v %v", o, o, &o)} {
			if strings.Contains(text, "Hunter") {
				t.Errorf("the secret is in %s", text)
			}
		}
	}
}

// What a sign-in lacks is named before anything is dialled.
func TestSignInRefusesOptions(t *testing.T) {
	for name, c := range map[string]struct {
		o    sqlserver.Options
		says []string
	}{
		"unknown":                       {sqlserver.Options{SignIn: "entra:magic"}, []string{`"entra:magic"`, "entra:device-code, ", "kerberos"}},
		"no name for it":                {sqlserver.Options{SignIn: "entra:"}, []string{`"entra:"`}},
		"a principal without id":        {sqlserver.Options{SignIn: sqlserver.EntraServicePrincipal, Password: wanted}, []string{"client id and tenant", "--user CLIENT_ID@TENANT_ID"}},
		"a principal without secret":    {sqlserver.Options{SignIn: sqlserver.EntraServicePrincipal, User: "a@b"}, []string{"client secret", "CDCSEED_PASSWORD"}},
		"a password of nobody":          {sqlserver.Options{SignIn: sqlserver.EntraPassword, Password: wanted}, []string{"account", "--user NAME@DOMAIN"}},
		"somebody without password":     {sqlserver.Options{SignIn: sqlserver.EntraPassword, User: "a@b"}, []string{"account's password"}},
		"a code that nobody sees":       {sqlserver.Options{SignIn: sqlserver.EntraDeviceCode}, []string{"nowhere to show its code", "terminal"}},
		"a user where az decides":       {sqlserver.Options{SignIn: sqlserver.EntraAzCLI, User: "ada"}, []string{`"ada"`, "takes no user"}},
		"a user where the host decides": {sqlserver.Options{SignIn: sqlserver.EntraDefault, User: "ada", Password: wanted}, []string{`"ada"`}},
		"a user where a person signs in": {
			sqlserver.Options{SignIn: sqlserver.EntraDeviceCode, User: "ada", Prompt: func(string) {}},
			[]string{"takes no user"},
		},
		"an address with an instance": {sqlserver.Options{SignIn: sqlserver.EntraAzCLI, Server: `::1\INST`}, []string{"IPv6"}},
	} {
		srv := &entraServer{}
		o := startEntra(t, srv)
		if c.o.Server == "" {
			c.o.Server = o.Server
		}
		_, err := sqlserver.Open(t.Context(), c.o)
		refused(t, err, verdict.Usage, c.says...)
		noSecret(t, err, c.o)
		if _, dials := srv.got(); dials > 0 {
			t.Errorf("%s: the server was dialled", name)
		}
	}
}

// Nobody is asked for a password that is of no use.
func TestTakesPassword(t *testing.T) {
	var with []string
	for _, how := range append(sqlserver.SignIns(), "") {
		if how.TakesPassword() {
			with = append(with, string(how))
		}
	}
	if got := strings.Join(with, " "); got != "entra:service-principal entra:password kerberos " {
		t.Errorf("%q", got)
	}
}

// A token does not make somebody known to the database.
func TestEntraStranger(t *testing.T) {
	azureHost(t)
	srv := &entraServer{refuses: 18456}
	o := startEntra(t, srv)
	o.SignIn, o.User = sqlserver.EntraManagedIdentity, "client-7"
	_, err := sqlserver.Open(t.Context(), o)
	refused(t, err, verdict.LoginFailed, "refused the login", "user client-7", "itself succeeded", "FROM EXTERNAL PROVIDER")
}

// A server that knows no Entra ID is told apart from one that refuses.
func TestEntraWhereThereIsNone(t *testing.T) {
	o := startEntra(t, &entraServer{plain: true})
	o.SignIn = sqlserver.EntraDefault
	_, err := sqlserver.Open(t.Context(), o)
	refused(t, err, verdict.LoginFailed, "does not take sign-ins with Entra ID", "leave --sign-in out")
}

// What lies between is not blamed on the sign-in.
func TestEntraServerAway(t *testing.T) {
	for _, how := range []sqlserver.SignIn{sqlserver.EntraDefault, sqlserver.Kerberos} {
		o := sqlserver.Options{Server: "127.0.0.1,1", SignIn: how}
		_, err := sqlserver.Open(t.Context(), o)
		refused(t, err, verdict.SourceUnreachable, "127.0.0.1,1")
	}
	pinned := sqlserver.Options{Server: startEntra(t, &entraServer{}).Server, SignIn: sqlserver.EntraDefault}
	_, err := sqlserver.Open(t.Context(), pinned)
	refused(t, err, verdict.SourceUnreachable, "does not encrypt")
}

// The encryption and the address of a sign-in are those of any login.
func TestEntraEncryption(t *testing.T) {
	srv, err := fakeserver.Start(purgedCopy.world(t), fakeserver.Options{Encryption: tds.EncryptOn})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close() })
	for _, e := range []sqlserver.Encrypt{"", sqlserver.EncryptStrict} {
		_, err := sqlserver.Open(t.Context(), sqlserver.Options{Server: srv.Addr(), Database: "Sales", SignIn: sqlserver.EntraDefault, Encrypt: e})
		refused(t, err, verdict.SourceUnreachable, "certificate is not trusted")
	}
	pem := filepath.Join(t.TempDir(), "server.pem")
	if err := os.WriteFile(pem, srv.Certificate(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, e := range []sqlserver.Encrypt{sqlserver.EncryptPinned, sqlserver.EncryptStrict, sqlserver.EncryptTrust} {
		o := sqlserver.Options{Server: srv.Addr(), Database: "Sales", SignIn: sqlserver.EntraDefault, Encrypt: e}
		if e != sqlserver.EncryptTrust {
			o.CertificateFile = pem
		}
		// This server refuses the nameless login inside TLS, which is as far as it goes.
		_, err := sqlserver.Open(t.Context(), o)
		refused(t, err, verdict.LoginFailed, "server refused the login")
	}
}
