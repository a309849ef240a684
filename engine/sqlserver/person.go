package sqlserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/pkg/browser"
)

// personTimeout is how long somebody may take to sign in: Entra ID forgets a
// code after that.
const personTimeout = 15 * time.Minute

// person signs somebody in, once for all connections. azuread cannot do it: it
// prints the code to standard output, and asks again for every connection,
// even for the second one of a server that sends its clients elsewhere.
type person struct {
	options   Options
	transport policy.Transporter // nil for the network

	mu         sync.Mutex
	authority  string // where credential signs in
	answer     answer // the last one of Entra ID
	credential azcore.TokenCredential
}

// token is what the driver calls while it logs in. spn and sts are what the
// server asks for: a token for spn, from sts. A server that was not verified
// may be anybody, so nothing but a database's token is asked for, and from
// Entra ID only. A slow person outlives the server's patience: the credential
// keeps the token, and the next connection has it at once.
func (p *person) token(ctx context.Context, spn, sts string) (string, error) {
	if !strings.HasPrefix(spn, "https://database.") {
		return "", &signInError{fmt.Errorf("the server asks for a token for %q, which is no database", spn)}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.credential == nil || p.authority != sts {
		c, err := p.signIn(sts)
		if err != nil {
			return "", &signInError{err}
		}
		p.credential, p.authority = c, sts
	}
	t, err := p.credential.GetToken(ctx, policy.TokenRequestOptions{Scopes: []string{spn + "/.default"}})
	if err != nil && p.answer.refusal != "" {
		err = errors.New(p.answer.refusal)
	}
	if err != nil {
		return "", &signInError{err}
	}
	return t.Token, nil
}

func (p *person) signIn(sts string) (azcore.TokenCredential, error) {
	host, tenant, err := authority(sts)
	if err != nil {
		return nil, err
	}
	client := azcore.ClientOptions{
		Cloud: cloud.Configuration{ActiveDirectoryAuthorityHost: host}, Transport: p.transport, PerCallPolicies: []policy.Policy{&p.answer},
	}
	if p.options.SignIn == EntraDeviceCode {
		return azidentity.NewDeviceCodeCredential(&azidentity.DeviceCodeCredentialOptions{
			ClientOptions: client, ClientID: p.options.application(), TenantID: tenant,
			UserPrompt: func(_ context.Context, m azidentity.DeviceCodeMessage) error {
				p.options.Prompt(fmt.Sprintf("To sign in, open %s in a browser and enter the code %s", m.VerificationURL, m.UserCode))
				return nil
			},
		})
	}
	// What the browser's command prints is nobody's output.
	browser.Stdout = io.Discard
	if p.options.Prompt != nil {
		p.options.Prompt("To sign in, use the browser window that opens")
	}
	return azidentity.NewInteractiveBrowserCredential(&azidentity.InteractiveBrowserCredentialOptions{
		ClientOptions: client, ClientID: p.options.application(), TenantID: tenant, LoginHint: p.options.User,
	})
}

// authority is where Entra ID signs in the users of a tenant, from the URL
// that a server gives. Only Microsoft's own places are believed.
func authority(sts string) (host, tenant string, err error) {
	u, err := url.Parse(sts)
	if err != nil {
		return "", "", fmt.Errorf("the server names no place to sign in: %q", sts)
	}
	tenant = strings.Trim(u.Path, "/")
	switch u.Host {
	case "login.microsoftonline.com", "login.windows.net", "sts.windows.net":
		host = cloud.AzurePublic.ActiveDirectoryAuthorityHost
	case "login.microsoftonline.us":
		host = cloud.AzureGovernment.ActiveDirectoryAuthorityHost
	case "login.chinacloudapi.cn", "login.partner.microsoftonline.cn":
		host = cloud.AzureChina.ActiveDirectoryAuthorityHost
	}
	if host == "" || u.Scheme != "https" || tenant == "" || strings.Contains(tenant, "/") {
		return "", "", fmt.Errorf("the server sends its users to %q, which is not Entra ID", sts)
	}
	return host, tenant, nil
}

// answer overhears what Entra ID says instead of a token: the library reads it
// away while it waits for a code, and then has nothing to tell.
type answer struct{ refusal string }

// Do passes a request on, as policies do.
func (a *answer) Do(r *policy.Request) (*http.Response, error) {
	a.refusal = ""
	response, err := r.Next()
	if err == nil {
		var code string
		if code, a.refusal = refusedBy(response); code == "authorization_pending" {
			a.refusal = ""
		}
	}
	return response, err
}
