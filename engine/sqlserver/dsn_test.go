package sqlserver

import (
	"errors"
	"math/rand"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"github.com/microsoft/go-mssqldb/azuread"
	"github.com/microsoft/go-mssqldb/msdsn"

	"cdcseed/fakeserver"
)

// What azuread reads out of the connection string is what any other login
// connects with: address, encryption, certificate, intent and names.
func TestDSNSaysWhatTheConfigSays(t *testing.T) {
	world := &fakeserver.World{
		Format: 1, Server: fakeserver.ServerSettings{ProductVersion: "16.0.4125.3", TimeZone: "UTC", Now: time.Unix(1e9, 0).UTC()},
		Logins: []fakeserver.Login{{Name: "owner", Password: "Secret-42!", SysAdmin: true}},
	}
	srv, err := fakeserver.Start(world, fakeserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { srv.Close() })
	pem := filepath.Join(t.TempDir(), "a & b=c.pem")
	if err := os.WriteFile(pem, srv.Certificate(), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{
		"a name":            {Server: "prod07"},
		"a port":            {Server: "prod07.corp.example,1500", Database: "Sales & Co; x=y"},
		"an instance":       {Server: `prod07\INST`, Database: "Sales"},
		"both":              {Server: `prod07\INST,1500`},
		"IPv6":              {Server: "[2001:db8::7]:1500"},
		"the usual port":    {Server: "2001:db8::7,1433"},
		"strict":            {Server: "prod07", Encrypt: EncryptStrict},
		"strict and pinned": {Server: "prod07", Encrypt: EncryptStrict, CertificateFile: pem},
		"pinned":            {Server: "prod07", Encrypt: EncryptPinned, CertificateFile: pem},
		"trust":             {Server: "prod07", Encrypt: EncryptTrust, CertificateFile: "ignored.pem"},
		"none":              {Server: "127.0.0.1,1500", Encrypt: encryptNone},
		"read only":         {Server: "prod07", Database: "Sales", ReadOnlyIntent: true, AppName: "a=b;c", ConnectTimeout: 7 * time.Second},
		"a name like tcp":   {Server: "tcp:admin07"},
	} {
		o.User, o.Password, o.SignIn = "a@b", "p%&=#;+ /?@:'\"ä", EntraServicePrincipal
		sameAsConfig(t, name, o.withDefaults())
	}
}

func sameAsConfig(t *testing.T, name string, o Options) {
	t.Helper()
	want, err := o.config()
	if err != nil {
		t.Fatal(name, err)
	}
	dsn, err := o.dsn(want, azuread.ActiveDirectoryServicePrincipal)
	if err != nil {
		t.Fatal(name, err)
	}
	got, err := msdsn.Parse(dsn)
	if err != nil {
		t.Fatal(name, err)
	}
	type said struct {
		host, instance, database, user, password, app string
		port                                          uint64
		readOnly, trust, subnets, retries, guid       bool
		encryption                                    msdsn.Encryption
		dial, alive                                   time.Duration
		fedauth, protocols                            string
		tls, skips, verifies                          bool
		tlsName                                       string
		tlsMin                                        uint16
	}
	all := func(c msdsn.Config) said {
		s := said{
			host: c.Host, instance: c.Instance, database: c.Database, user: c.User, password: c.Password, app: c.AppName, port: c.Port,
			readOnly: c.ReadOnlyIntent, trust: c.TrustServerCertificate, subnets: c.MultiSubnetFailover, retries: c.DisableRetry, guid: c.Encoding.GuidConversion,
			encryption: c.Encryption, dial: c.DialTimeout, alive: c.KeepAlive, fedauth: azuread.ActiveDirectoryServicePrincipal, protocols: strings.Join(c.Protocols, " "),
		}
		if x := c.TLSConfig; x != nil {
			s.tls, s.skips, s.verifies, s.tlsName, s.tlsMin = true, x.InsecureSkipVerify, x.VerifyPeerCertificate != nil, x.ServerName, x.MinVersion
		}
		return s
	}
	w, g := all(want), all(got)
	g.fedauth = got.Parameters["fedauth"]
	if w != g {
		t.Errorf("%s:\nconfig %+v\ndsn    %+v", name, w, g)
	}
}

// An IPv6 address without a port gets the usual one, which the driver would take as well.
func TestDSNOfBareIPv6(t *testing.T) {
	o := Options{Server: "2001:db8::7", User: "a@b", Password: "x", SignIn: EntraServicePrincipal}.withDefaults()
	c, err := o.config()
	if err != nil {
		t.Fatal(err)
	}
	dsn, err := o.dsn(c, azuread.ActiveDirectoryServicePrincipal)
	if err != nil {
		t.Fatal(err)
	}
	got, err := msdsn.Parse(dsn)
	if err != nil || got.Host != c.Host || got.Port != 1433 {
		t.Errorf("%s port %d, %v", got.Host, got.Port, err)
	}
}

// No name or secret changes what else is said.
func TestDSNQuotes(t *testing.T) {
	carries := func(user, password, database, app string) bool {
		user, password, database, app = strings.ToValidUTF8(user, "?"), strings.ToValidUTF8(password, "?"), strings.ToValidUTF8(database, "?"), strings.ToValidUTF8(app, "?")
		database = strings.Map(func(r rune) rune { return min(r, 0xFFFD) }, database) // beyond that it is refused
		o := Options{Server: "prod07,1500", User: user, Password: password, Database: database, AppName: app, SignIn: EntraServicePrincipal}.withDefaults()
		c, err := o.config()
		if err != nil {
			return false
		}
		dsn, err := o.dsn(c, azuread.ActiveDirectoryServicePrincipal)
		if err != nil {
			return false
		}
		got, err := msdsn.Parse(dsn)
		return err == nil && got.User == user && got.Password == password && got.Database == database && got.AppName == o.AppName && got.Host == "prod07" && got.Port == 1500
	}
	if err := quick.Check(carries, &quick.Config{MaxCount: 1000, Rand: rand.New(rand.NewSource(1))}); err != nil {
		t.Error(err)
	}
}

// Every way to write the password is taken out of a text, and the text is one line.
func TestUnquoted(t *testing.T) {
	const password = "Hunter-42!&=#% /+@:"
	o := Options{Server: "h", User: "a@b", Password: password, SignIn: EntraServicePrincipal}.withDefaults()
	c, err := o.config()
	if err != nil {
		t.Fatal(err)
	}
	dsn, err := o.dsn(c, azuread.ActiveDirectoryServicePrincipal)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{dsn, password, "client_secret=" + url.QueryEscape(password) + "&x=y", "/" + url.PathEscape(password), "one\n\t" + password + "\r\ntwo"} {
		got := o.unquoted(errors.New("before " + text + " after")).Error()
		if strings.Contains(got, "Hunter") || strings.Contains(got, "42!") || strings.ContainsAny(got, "\r\n\t") || !strings.HasPrefix(got, "before") ||
			!strings.Contains(got, "[password]") || !strings.HasSuffix(got, "after") {
			t.Errorf("%q became %q", text, got)
		}
	}
	o.Password = ""
	if got := o.unquoted(errors.New("as it is")).Error(); got != "as it is" {
		t.Error(got)
	}
}

// Only Entra ID's own places are believed to be it.
func TestAuthority(t *testing.T) {
	for sts, want := range map[string]string{
		"https://login.windows.net/t-1":                         "https://login.microsoftonline.com/ t-1",
		"https://login.microsoftonline.com/common":              "https://login.microsoftonline.com/ common",
		"https://login.microsoftonline.us/t-1/":                 "https://login.microsoftonline.us/ t-1",
		"https://login.partner.microsoftonline.cn/t-1":          "https://login.chinacloudapi.cn/ t-1",
		"http://login.windows.net/t-1":                          "",
		"https://login.windows.net/":                            "",
		"https://login.windows.net/a/b":                         "",
		"https://login.windows.net.example.com/t-1":             "",
		"https://example.com/login.windows.net":                 "",
		"https://login.windows.net@example.com/t-1":             "",
		"https://login.windows.net:1/t-1":                       "",
		"":                                                      "",
		"https://login.windows.net/%zz":                         "",
		"https://login.microsoftonline.com.example.com/t-1?x=y": "",
	} {
		host, tenant, err := authority(sts)
		if got := strings.TrimSpace(host + " " + tenant); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", sts, got, err)
		}
	}
	p := &person{options: Options{SignIn: EntraDeviceCode, Prompt: func(string) { t.Error("somebody was asked") }}}
	for _, spn := range []string{"", "https://graph.microsoft.com/", "https://management.azure.com/", "http://database.windows.net/"} {
		var ours *signInError
		if _, err := p.token(t.Context(), spn, "https://login.windows.net/t-1"); !errors.As(err, &ours) || !strings.Contains(err.Error(), "no database") {
			t.Errorf("%q: %v", spn, err)
		}
	}
}

func TestTicketCache(t *testing.T) {
	for named, want := range map[string]string{"": "/tmp/krb5cc_1000", "FILE:": "/tmp/krb5cc_1000", "FILE:/run/t": "/run/t", "/run/t": "/run/t", "KEYRING:persistent": "KEYRING:persistent"} {
		if got := ticketCache(named, 1000); got != want {
			t.Errorf("%q: %q", named, got)
		}
	}
}
