package engine_test

import (
	"strings"
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// A way to sign in that is none is refused before anything is connected or
// read, and the refusal names those that there are.
func TestSignInIsOneOfTheKnown(t *testing.T) {
	k := newKit(t)
	for _, how := range sqlserver.SignIns() {
		k.request.SignIn = string(how)
		if err := k.request.Validate(); err != nil {
			t.Errorf("%s: %v", how, err)
		}
	}
	k.request.SignIn = "entra:magic"
	e := verdict.As(k.request.Validate())
	if e.Code != verdict.Usage || !strings.Contains(e.What, `--sign-in "entra:magic"`) || !strings.Contains(strings.Join(e.Hint, " "), "entra:device-code") {
		t.Errorf("%+v", e)
	}
	_, err := engine.Open(t.Context(), k.request, "", k.now, nil)
	if verdict.As(err).Code != verdict.Usage {
		t.Error(err)
	}
}

// The flag says it, the request's command line says it again, and the
// connection is made so.
func TestSignInFlag(t *testing.T) {
	var r engine.Request
	for _, f := range engine.SourceFlags() {
		if f.Name == "sign-in" {
			if err := f.Set(&r, "entra:service-principal"); err != nil {
				t.Fatal(err)
			}
			if f.Env() != "CDCSEED_SIGN_IN" || !strings.Contains(f.Doc, "entra:service-principal") {
				t.Errorf("%s, %s", f.Env(), f.Doc)
			}
		}
	}
	if args := strings.Join(r.Args(), " "); args != "--sign-in entra:service-principal" {
		t.Error(args)
	}
	r.Server = "sqlserver://127.0.0.1:1?fedauth=ActiveDirectoryDeviceCode"
	_, err := engine.Open(t.Context(), r, "", nil, nil)
	if e := verdict.As(err); e.Code != verdict.Usage || !strings.Contains(e.What, "entra:service-principal needs the application's client id") {
		t.Error(err)
	}
	r.SignIn = ""
	_, err = engine.Open(t.Context(), r, "", nil, nil)
	if e := verdict.As(err); e.Code != verdict.Usage || !strings.Contains(e.What, "entra:device-code") {
		t.Error(err)
	}
}
