package sqlserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"

	"cdcseed/engine/verdict"
)

// signInError marks what went wrong outside the server, while a token was asked for.
type signInError struct{ err error }

func (e *signInError) Error() string { return e.err.Error() }
func (e *signInError) Unwrap() error { return e.err }

// signInFailed reports whether err came from whoever vouches for the user, not
// from the server or the way to it. The libraries mark most of their errors;
// until the first answer, what is neither the network nor TLS is theirs too.
func (s *Source) signInFailed(err error) bool {
	if s.options.SignIn == "" || len(numbers(err)) > 0 {
		return false
	}
	var ours *signInError
	var final interface{ NonRetriable() } // what azidentity's errors have in common
	var file *fs.PathError                // of a realm or a ticket; its cause looks like a network's
	if errors.As(err, &ours) || errors.As(err, &file) || s.options.SignIn.entra() && errors.As(err, &final) {
		return true
	}
	var network net.Error
	onTheWay := errors.As(err, &network) || s.passes(err)
	for _, words := range []string{"TLS Handshake", "support encryption", "encrypt negotiation"} {
		onTheWay = onTheWay || strings.Contains(err.Error(), words)
	}
	return !s.opened && !onTheWay
}

// noToken is the refusal where nobody vouches for the user.
func (s *Source) noToken(op string, err error) error {
	o := s.options
	e := &verdict.Error{
		Code:  verdict.LoginFailed,
		What:  fmt.Sprintf("%s: the sign-in %s did not succeed", op, o.SignIn),
		Facts: verdict.Facts("server", o.Server, "sign-in", o.SignIn),
		Hint:  o.SignIn.advice(),
		Err:   o.unquoted(err),
	}
	switch {
	case o.User == "" && o.SignIn == Kerberos:
		e.Facts = append(e.Facts, verdict.Facts("tickets", ticketCache(os.Getenv("KRB5CCNAME"), os.Getuid()))...)
	case o.User != "":
		e.Facts = append(e.Facts, verdict.Facts("user", o.User)...)
	}
	if strings.Contains(err.Error(), "federated authentication is not supported") {
		e.What = op + ": the server does not take sign-ins with Entra ID"
		e.Hint = []string{"Sign in with a SQL login: leave --sign-in out and give --user."}
	}
	return e
}

// advice is what may help after a sign-in failed.
func (s SignIn) advice() []string {
	switch s {
	case EntraDefault:
		return []string{
			"Run az login, or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET.",
			"Or choose one way: --sign-in entra:device-code asks in a browser.",
		}
	case EntraInteractive:
		return []string{"Where no browser opens on this machine, use --sign-in entra:device-code."}
	case EntraDeviceCode:
		return []string{"Run it again and enter the code within 15 minutes.", "Where the tenant allows no codes, use --sign-in entra:interactive or entra:az-cli."}
	case EntraManagedIdentity:
		return []string{"It works on an Azure host that has an identity; --user CLIENT_ID chooses among several.", "Elsewhere use another --sign-in."}
	case EntraServicePrincipal:
		return []string{"Check --user CLIENT_ID@TENANT_ID and the client secret (prompt, --password-file or CDCSEED_PASSWORD).", "Check that this machine reaches the tenant's sign-in page."}
	case EntraAzCLI:
		return []string{"Run az login, then run this again."}
	case EntraPassword:
		return []string{"Check the user and the password.", "An account with a second factor cannot sign in so: use --sign-in entra:interactive or entra:device-code."}
	case Kerberos:
		return []string{"Run kinit NAME@REALM, then run this again.", "Check that KRB5_CONFIG or /etc/krb5.conf names the realm and that KRB5CCNAME, if set, is a file.", "On Windows leave --sign-in and --user out."}
	}
	return []string{"Check --user and --sign-in."}
}

// reason is what Entra ID says about a refusal, in its own words where it answered.
func reason(err error) string {
	var refused *azidentity.AuthenticationFailedError
	if errors.As(err, &refused) && refused.RawResponse != nil {
		if _, text := refusedBy(refused.RawResponse); text != "" {
			return text
		}
	}
	return err.Error()
}

// refusedBy is the code and the first line of Entra ID's explanation; empty
// where the response holds none.
func refusedBy(r *http.Response) (code, text string) {
	body, err := runtime.Payload(r)
	if err != nil || r.StatusCode < http.StatusBadRequest {
		return "", ""
	}
	var answer struct {
		Code        string `json:"error"`
		Description string `json:"error_description"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return "", ""
	}
	text, _, _ = strings.Cut(answer.Description, "\n")
	return answer.Code, strings.TrimSpace(text)
}

// loginRefused is the refusal where the server does not let the user in.
func (s *Source) loginRefused() *verdict.Error {
	e := &verdict.Error{
		Code:  verdict.LoginFailed,
		What:  "the server refused the login",
		Facts: verdict.Facts("server", s.options.Server, "user", s.options.User),
		Hint:  []string{"Check the user and the password (prompt, --password-file or CDCSEED_PASSWORD)."},
	}
	switch how := s.options.SignIn; {
	case how.entra():
		e.Why = fmt.Sprintf("The sign-in %s itself succeeded, but the server knows nobody of that name.", how)
		e.Hint = []string{"Let the database's owner add it: CREATE USER [name] FROM EXTERNAL PROVIDER.", "Check the name of the database: the user may be in that one only."}
	case how == Kerberos:
		e.Hint = []string{`Let the server's administrator add the principal: CREATE LOGIN [DOMAIN\name] FROM WINDOWS.`}
	}
	return e
}
