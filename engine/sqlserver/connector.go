package sqlserver

import (
	"database/sql/driver"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	mssql "github.com/microsoft/go-mssqldb"
	"github.com/microsoft/go-mssqldb/azuread"
	_ "github.com/microsoft/go-mssqldb/integratedauth/krb5" // makes authenticator=krb5 known to the driver
	"github.com/microsoft/go-mssqldb/msdsn"

	"cdcseed/engine/verdict"
)

// connector makes connections that are signed in as the options say. through
// is how a person's sign-in reaches Entra ID: nil for the network.
func (o Options) connector(through policy.Transporter) (driver.Connector, error) {
	if err := o.checkSignIn(); err != nil {
		return nil, err
	}
	to, err := o.signedIn(through)
	if err != nil {
		return nil, err
	}
	return &boundedConnector{Connector: to, login: o.loginLimit(), silence: o.SilenceLimit}, nil
}

// signedIn is the driver's connector for the way of signing in.
func (o Options) signedIn(through policy.Transporter) (*mssql.Connector, error) {
	c, err := o.config()
	if err != nil {
		return nil, err
	}
	w, _ := o.SignIn.workflow()
	switch {
	case w.person:
		p := &person{options: o, transport: through}
		return mssql.NewActiveDirectoryTokenConnector(c, mssql.FedAuthADALWorkflowPassword, p.token)
	case o.SignIn.entra():
		dsn, err := o.dsn(c, w.fedauth)
		if err != nil {
			return nil, err
		}
		to, err := azuread.NewConnector(dsn)
		if err != nil {
			return nil, &verdict.Error{
				Code: verdict.Usage, What: "the sign-in " + string(w.how) + " cannot be set up", Err: o.unquoted(err),
				Hint: []string{"Check --server, --user and --sign-in."},
			}
		}
		return to, nil
	case o.SignIn == Kerberos:
		kerberos(c)
	}
	return mssql.NewConnectorConfig(c), nil
}

// loginLimit is the time for connecting and logging in, with that of the
// person who signs in.
func (o Options) loginLimit() time.Duration {
	if w, _ := o.SignIn.workflow(); w.person {
		return o.ConnectTimeout + personTimeout
	}
	return o.ConnectTimeout
}

// kerberos has the driver log in with a ticket: got with the password, else
// with a keytab for the user, else from the cache that kinit filled, of which
// the driver knows no default and no FILE: before the path.
func kerberos(c msdsn.Config) {
	c.Parameters["authenticator"] = "krb5"
	c.Parameters["krb5-credcachefile"] = ticketCache(os.Getenv("KRB5CCNAME"), os.Getuid())
}

// ticketCache is the file of the tickets of a user of this machine.
func ticketCache(named string, uid int) string {
	if path := strings.TrimPrefix(named, "FILE:"); path != "" {
		return path
	}
	return "/tmp/krb5cc_" + strconv.Itoa(uid)
}
