package sqlserver_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"cdcseed/engine/sqlserver"
	"cdcseed/engine/verdict"
)

// entraID answers as Entra ID does to somebody who enters a code.
type entraID struct {
	pending  int    // polls before the person is done
	denies   string // the error instead of a token
	asked    []string
	codes    int
	resource string
}

func (e *entraID) Do(r *http.Request) (*http.Response, error) {
	status, answer := http.StatusOK, map[string]any{}
	const home = "https://login.microsoftonline.com/" + tenant
	form := ""
	if r.Body != nil {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		form = string(b)
	}
	e.asked = append(e.asked, r.URL.Host+r.URL.Path)
	switch {
	case strings.HasSuffix(r.URL.Path, "/discovery/instance"):
		answer["tenant_discovery_endpoint"] = home + "/v2.0/.well-known/openid-configuration"
		answer["metadata"] = []any{map[string]any{
			"preferred_network": "login.microsoftonline.com", "preferred_cache": "login.windows.net",
			"aliases": []string{"login.microsoftonline.com", "login.windows.net"},
		}}
	case strings.HasSuffix(r.URL.Path, "/openid-configuration"):
		answer["authorization_endpoint"], answer["token_endpoint"], answer["issuer"] = home+"/oauth2/v2.0/authorize", home+"/oauth2/v2.0/token", home+"/v2.0"
	case strings.HasSuffix(r.URL.Path, "/devicecode"):
		e.codes++
		e.resource = form
		answer["user_code"], answer["device_code"], answer["verification_uri"] = "CODE-1234", "device", "https://microsoft.com/devicelogin"
		answer["expires_in"], answer["interval"], answer["message"] = 900, 1, "Microsoft's own words"
	case e.denies != "":
		status, answer["error"], answer["error_description"] = http.StatusBadRequest, "invalid_grant", e.denies
	case e.pending > 0:
		e.pending--
		status, answer["error"] = http.StatusBadRequest, "authorization_pending"
	default:
		encode := func(v any) string {
			b, err := json.Marshal(v)
			if err != nil {
				panic(err)
			}
			return base64.RawURLEncoding.EncodeToString(b)
		}
		answer["access_token"], answer["refresh_token"], answer["token_type"], answer["expires_in"] = "token-of-ada", "refresh", "Bearer", 3600
		answer["scope"] = databaseResource + "/.default"
		answer["client_info"] = encode(map[string]string{"uid": "ada", "utid": tenant})
		answer["id_token"] = encode(map[string]string{"alg": "none"}) + "." +
			encode(map[string]string{"oid": "ada", "tid": tenant, "preferred_username": "ada@example.com", "sub": "ada", "iss": home + "/v2.0"}) + ".none"
	}
	b, err := json.Marshal(answer)
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(string(b))), Request: r}, err
}

// The code reaches the person; a server that lost its patience meanwhile gets
// the token on the next connection, without a second code.
func TestDeviceCode(t *testing.T) {
	srv := &entraServer{drops: 2}
	o := startEntra(t, srv)
	var shown []string
	o.ConnectTimeout = 2 * time.Second // for the server, not for the person
	o.SignIn, o.Prompt = sqlserver.EntraDeviceCode, func(line string) { shown = append(shown, line) }
	e := &entraID{pending: 3}
	src, err := sqlserver.OpenThrough(t.Context(), o, e)
	if err != nil {
		t.Fatal(err)
	}
	src.Close()
	if len(shown) != 1 || !strings.Contains(shown[0], "https://microsoft.com/devicelogin") || !strings.Contains(shown[0], "CODE-1234") || e.codes != 1 {
		t.Errorf("%d codes, shown %q", e.codes, shown)
	}
	if tokens, _ := srv.got(); tokens != "token-of-ada token-of-ada token-of-ada" {
		t.Errorf("the server got %q", tokens)
	}
	for _, asked := range e.asked {
		if asked != "login.microsoftonline.com/common/discovery/instance" && !strings.HasPrefix(asked, "login.microsoftonline.com/"+tenant+"/") {
			t.Errorf("asked %s", asked)
		}
	}
	if !strings.Contains(e.resource, "client_id=04b07795-8ddb-461a-bbee-02f9e1bf7b46") || !strings.Contains(e.resource, "database.windows.net") {
		t.Errorf("asked for %s", e.resource)
	}
}

// What Entra ID answers instead of a token is told in its own words, on one line.
func TestDeviceCodeDenied(t *testing.T) {
	o := startEntra(t, &entraServer{})
	o.SignIn, o.Prompt, o.ApplicationID = sqlserver.EntraDeviceCode, func(string) {}, "our-application"
	e := &entraID{denies: "AADSTS50105: Ada is not assigned to a role.\r\nTrace ID: 1"}
	_, err := sqlserver.OpenThrough(t.Context(), o, e)
	refused(t, err, verdict.LoginFailed, "AADSTS50105: Ada is not assigned to a role.", "15 minutes")
	if strings.Contains(err.Error(), "Trace") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%q", err)
	}
	if !strings.Contains(e.resource, "client_id=our-application") {
		t.Errorf("asked for %s", e.resource)
	}
}
