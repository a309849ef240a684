package sqlserver

import (
	"errors"
	"net/url"
	"strings"

	"github.com/microsoft/go-mssqldb/msdsn"

	"cdcseed/engine/verdict"
)

// azCommandApplication is the application id of the az command, which every
// tenant knows. Signing in as a user needs some application's id.
const azCommandApplication = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"

// defaultPort is where SQL Server listens unless told otherwise.
const defaultPort = 1433

// dsn is c as a connection string for azuread, which takes nothing else. It
// holds the password: it goes to azuread and nowhere else. Config.URL leaves
// out some of what c says, which is added here.
func (o Options) dsn(c msdsn.Config, fedauth string) (string, error) {
	if strings.Contains(c.Host, ":") && c.Port == 0 {
		// The driver keeps the brackets of an address that no port follows.
		if c.Instance != "" {
			return "", &verdict.Error{
				Code: verdict.Usage, What: "an Entra sign-in to a named instance needs a host name, not an IPv6 address",
				Facts: verdict.Facts("server", o.Server), Hint: []string{"Give the server's name, or the address with the instance's port."},
			}
		}
		c.Port = defaultPort
	}
	u := c.URL()
	q := u.Query()
	q.Set("fedauth", fedauth)
	q.Set("app name", c.AppName)
	if c.TrustServerCertificate {
		q.Set(msdsn.TrustServerCertificate, "true")
	}
	if c.Encryption != msdsn.EncryptionDisabled {
		q.Set(msdsn.TLSMin, "1.2")
		if o.CertificateFile != "" && (o.Encrypt == EncryptPinned || o.Encrypt == EncryptStrict) {
			q.Set(msdsn.ServerCertificate, o.CertificateFile)
		}
	}
	if c.ReadOnlyIntent {
		q.Set(msdsn.ApplicationIntent, "ReadOnly")
	}
	if o.SignIn == EntraPassword {
		q.Set("applicationclientid", o.application())
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// application is the id under which users sign in.
func (o Options) application() string {
	if o.ApplicationID != "" {
		return o.ApplicationID
	}
	return azCommandApplication
}

// unquoted is what err says, in one line, without the password in any of the
// ways in which a URL or a form may have written it. The error itself is
// dropped: it may hold the request that carried the secret.
func (o Options) unquoted(err error) error {
	var lines []string
	for line := range strings.Lines(reason(err)) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	text := strings.NewReplacer(":; ", ": ", ".; ", ". ").Replace(strings.Join(lines, "; "))
	if o.Password != "" {
		for _, form := range []string{url.UserPassword("", o.Password).String()[1:], url.QueryEscape(o.Password), url.PathEscape(o.Password), o.Password} {
			text = strings.ReplaceAll(text, form, "[password]")
		}
	}
	return errors.New(text)
}
