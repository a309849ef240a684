package sqlserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
	"cdcseed/fakeserver/tds"
)

func TestParseURL(t *testing.T) {
	for text, want := range map[string]sqlserver.Options{
		"sqlserver://svc:p%40ss@prod07:1433?database=Sales": {Server: "prod07,1433", Database: "Sales", User: "svc", Password: "p@ss", Encrypt: sqlserver.EncryptVerify},
		"sqlserver://prod07/INST?database=Sales&ApplicationIntent=ReadOnly&encrypt=strict": {
			Server: `prod07\INST`, Database: "Sales", ReadOnlyIntent: true,
			Encrypt: sqlserver.EncryptStrict,
		},
		"sqlserver://a@h?encrypt=true&TrustServerCertificate=true":               {Server: "h", User: "a", Encrypt: sqlserver.EncryptTrust},
		"sqlserver://a@h?serverCertificate=c.pem&app%20name=x":                   {Server: "h", User: "a", Encrypt: sqlserver.EncryptPinned, CertificateFile: "c.pem", AppName: "x"},
		"sqlserver://a@h:1?connection%20timeout=7":                               {Server: "h,1", User: "a", Encrypt: sqlserver.EncryptVerify, ConnectTimeout: 7 * time.Second},
		"sqlserver://app%40t@h?fedauth=ActiveDirectoryApplication":               {Server: "h", User: "app@t", Encrypt: sqlserver.EncryptVerify, SignIn: sqlserver.EntraServicePrincipal},
		"sqlserver://h?fedauth=activedirectorymsi":                               {Server: "h", Encrypt: sqlserver.EncryptVerify, SignIn: sqlserver.EntraManagedIdentity},
		"sqlserver://h?fedauth=ActiveDirectoryInteractive&applicationclientid=x": {Server: "h", Encrypt: sqlserver.EncryptVerify, SignIn: sqlserver.EntraInteractive, ApplicationID: "x"},
	} {
		got, err := sqlserver.ParseURL(text)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %v\n%s", text, err, cmp.Diff(want, got))
		}
	}
	for _, bad := range []string{
		"", "postgres://a:Secret-42!@h", "sqlserver://", "sqlserver://a:Secret-42!@h:port", "sqlserver://a:Secret-42!@h?encrypt=false",
		"sqlserver://a:Secret-42!@h?encrypt=maybe", "sqlserver://a:Secret-42!@h?timezone=UTC", "sqlserver://a:Secret-42!@h?database=x&database=y",
		"sqlserver://a:Secret-42!@h?connection%20timeout=soon", "sqlserver://a:Secret-42!%zz@h",
		"sqlserver://a:Secret-42!@h?fedauth=ActiveDirectoryServicePrincipalAccessToken", "sqlserver://a:Secret-42!@h?fedauth=",
	} {
		_, err := sqlserver.ParseURL(bad)
		refused(t, err, verdict.Usage)
	}
}

func TestOpenRefusesOptions(t *testing.T) {
	pem := filepath.Join(t.TempDir(), "not.pem")
	if err := os.WriteFile(pem, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]sqlserver.Options{
		"no server":                         {},
		"an empty instance":                 {Server: `h\`},
		"port 0":                            {Server: "h,0"},
		"a port that is none":               {Server: "h,x"},
		"a connection string for a server":  {Server: "h;password=Secret-42!"},
		"a way to encrypt that is none":     {Server: "h", Encrypt: "perhaps"},
		"a pin without a file":              {Server: "h", Encrypt: sqlserver.EncryptPinned},
		"a pin that is no certificate":      {Server: "h", Encrypt: sqlserver.EncryptPinned, CertificateFile: pem},
		"a pin that is not there":           {Server: "h", Encrypt: sqlserver.EncryptPinned, CertificateFile: pem + ".x"},
		"read-only intent without database": {Server: "h", ReadOnlyIntent: true},
	} {
		o.Password = "Secret-42!"
		_, err := sqlserver.Open(t.Context(), o)
		if err == nil || strings.Contains(err.Error(), "Secret") && name != "a connection string for a server" {
			t.Error(name, err)
		}
		if verdict.As(err).Code != verdict.Usage {
			t.Errorf("%s: %v", name, err)
		}
	}
	plain, err := sqlserver.ParseURL("sqlserver://a:Secret-42!@192.0.2.1?encrypt=disable")
	if err != nil {
		t.Fatal(err)
	}
	_, err = sqlserver.Open(t.Context(), plain)
	refused(t, err, verdict.Usage, "without encryption")
}

func TestEncryption(t *testing.T) {
	srv, err := fakeserver.Start(purgedCopy.world(t), fakeserver.Options{Encryption: tds.EncryptOn})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close() })
	pem := filepath.Join(t.TempDir(), "server.pem")
	if err := os.WriteFile(pem, srv.Certificate(), 0o600); err != nil {
		t.Fatal(err)
	}
	other := serve(t, purgedCopy.world(t))
	wrong := filepath.Join(t.TempDir(), "other.pem")
	if err := os.WriteFile(wrong, other.Certificate(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		encrypt sqlserver.Encrypt
		file    string
		want    verdict.Code
	}{
		{sqlserver.EncryptTrust, "", ""},
		{sqlserver.EncryptPinned, pem, ""},
		{sqlserver.EncryptStrict, pem, ""},
		{"", "", verdict.SourceUnreachable},
		{sqlserver.EncryptVerify, "", verdict.SourceUnreachable},
		{sqlserver.EncryptPinned, wrong, verdict.SourceUnreachable},
		{sqlserver.EncryptStrict, "", verdict.SourceUnreachable},
		{sqlserver.EncryptStrict, wrong, verdict.SourceUnreachable},
	} {
		src, err := sqlserver.Open(t.Context(), sqlserver.Options{
			Server: srv.Addr(), Database: "Sales", User: "reader", Password: "Secret-42!",
			Encrypt: c.encrypt, CertificateFile: c.file, RetryDelay: time.Millisecond,
		})
		if c.want != "" {
			refused(t, err, c.want, "certificate is not trusted", "pin")
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.encrypt, err)
			continue
		}
		if id, err := src.Identity(t.Context()); err != nil || id.Login != "reader" {
			t.Error(id, err)
		}
		src.Close()
	}
}

func TestOptionsNeverShowThePassword(t *testing.T) {
	o := sqlserver.Options{Server: "prod07", Database: "Sales", User: "svc", Password: "Secret-42!", SignIn: sqlserver.EntraPassword, Prompt: func(string) {}}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("connect", "options", o)
	encoded, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{fmt.Sprint(o), fmt.Sprintf("%+v %#v %s", o, o, &o), log.String(), string(encoded)} {
		if strings.Contains(text, "Secret") || !strings.Contains(text, "prod07") || !strings.Contains(text, "entra:password") {
			t.Error(text)
		}
	}
}
