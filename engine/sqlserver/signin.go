package sqlserver

import (
	"fmt"
	"strings"

	"github.com/microsoft/go-mssqldb/azuread"

	"cdcseed/engine/verdict"
)

// SignIn says who vouches for the user. The empty one is a SQL login, or the
// operating system's single sign-on where the options name no user.
type SignIn string

// The other choices: Microsoft Entra ID, and Kerberos outside Windows.
const (
	EntraDefault          SignIn = "entra:default"           // whatever the environment offers: variables, an Azure host, the az command
	EntraInteractive      SignIn = "entra:interactive"       // a person in a browser on this machine
	EntraDeviceCode       SignIn = "entra:device-code"       // a person in a browser anywhere, with a code
	EntraManagedIdentity  SignIn = "entra:managed-identity"  // the identity of the Azure host
	EntraServicePrincipal SignIn = "entra:service-principal" // an application with a client secret
	EntraAzCLI            SignIn = "entra:az-cli"            // whoever is signed in to the az command
	EntraPassword         SignIn = "entra:password"          // a user and a password, where the tenant still allows it
	Kerberos              SignIn = "kerberos"                // a ticket cache, a keytab, or a principal and its password
)

// SignIns lists the choices beside the empty one.
func SignIns() []SignIn {
	var out []SignIn
	for _, w := range workflows() {
		out = append(out, w.how)
	}
	return out
}

// TakesPassword reports whether a user of this kind has a password to ask for.
func (s SignIn) TakesPassword() bool {
	w, ok := s.workflow()
	return !ok || w.secret != ""
}

// workflow is what a sign-in is called by the driver and what it is given.
type workflow struct {
	how        SignIn
	fedauth    string // azuread's name for it, none for Kerberos
	user       string // what the user is; empty where none is taken
	userForm   string // how it is written
	secret     string // what the password is; empty where none is taken
	needUser   bool
	needSecret bool
	person     bool // somebody signs in by hand
}

func workflows() []workflow {
	return []workflow{
		{how: EntraDefault, fedauth: azuread.ActiveDirectoryDefault},
		{how: EntraInteractive, fedauth: azuread.ActiveDirectoryInteractive, user: "account", userForm: "NAME@DOMAIN", person: true},
		{how: EntraDeviceCode, fedauth: azuread.ActiveDirectoryDeviceCode, person: true},
		{how: EntraManagedIdentity, fedauth: azuread.ActiveDirectoryManagedIdentity, user: "identity's client id", userForm: "CLIENT_ID"},
		{
			how: EntraServicePrincipal, fedauth: azuread.ActiveDirectoryServicePrincipal, user: "application's client id and tenant", userForm: "CLIENT_ID@TENANT_ID", needUser: true,
			secret: "application's client secret", needSecret: true,
		},
		{how: EntraAzCLI, fedauth: azuread.ActiveDirectoryAzCli},
		{how: EntraPassword, fedauth: azuread.ActiveDirectoryPassword, user: "account", userForm: "NAME@DOMAIN", needUser: true, secret: "account's password", needSecret: true},
		{how: Kerberos, user: "principal", userForm: "NAME@REALM", secret: "principal's password"},
	}
}

func (s SignIn) workflow() (workflow, bool) {
	for _, w := range workflows() {
		if w.how == s {
			return w, true
		}
	}
	return workflow{}, false
}

func (s SignIn) entra() bool { return strings.HasPrefix(string(s), "entra:") }

// byFedauth is the choice that azuread calls so in a connection string.
func byFedauth(name string) (SignIn, error) {
	switch {
	case strings.EqualFold(name, azuread.ActiveDirectoryMSI):
		return EntraManagedIdentity, nil
	case strings.EqualFold(name, azuread.ActiveDirectoryApplication):
		return EntraServicePrincipal, nil
	}
	for _, w := range workflows() {
		if w.fedauth != "" && strings.EqualFold(w.fedauth, name) {
			return w.how, nil
		}
	}
	return "", badURL(fmt.Sprintf("fedauth=%s is not offered", name))
}

// checkSignIn refuses what the sign-in would lack, before anything is dialled.
// An ignored user is refused as well: the seed would be read as somebody else.
func (o Options) checkSignIn() error {
	if o.SignIn == "" {
		return nil
	}
	w, ok := o.SignIn.workflow()
	refuse := func(what, hint string) error {
		return &verdict.Error{Code: verdict.Usage, What: what, Hint: []string{hint}}
	}
	switch {
	case !ok:
		return refuse(fmt.Sprintf("%q is no way to sign in", o.SignIn), "Use one of "+SignInList()+", or none of them for a SQL login.")
	case w.needUser && o.User == "":
		return refuse(fmt.Sprintf("the sign-in %s needs the %s", w.how, w.user), "Add --user "+w.userForm+".")
	case w.user == "" && o.User != "":
		return refuse(fmt.Sprintf("the sign-in %s takes no user, and %q is given", w.how, o.User), "Leave --user out, or choose another --sign-in.")
	case w.needSecret && o.Password == "":
		return refuse(fmt.Sprintf("the sign-in %s needs the %s", w.how, w.secret), "Give it to the prompt, --password-file or CDCSEED_PASSWORD.")
	case o.SignIn == EntraDeviceCode && o.Prompt == nil:
		return refuse(fmt.Sprintf("the sign-in %s has nowhere to show its code", w.how), "Run it in a terminal, or choose a sign-in that needs nobody.")
	}
	return nil
}

// SignInList is the choices in one line, for help and refusals.
func SignInList() string {
	var names []string
	for _, s := range SignIns() {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}
