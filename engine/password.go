package engine

import (
	"net/url"
	"strings"

	"cdcseed/engine/sqlserver"
)

// PasswordUser is the user whose password is wanted before r's server can be
// connected to, empty where none is: single sign-on, a sign-in without one, or
// a password in the server's URL. must tells that there is no way without it.
func (r Request) PasswordUser() (user string, must bool) {
	o := sqlserver.Options{User: r.User}
	if strings.Contains(r.Server, "://") {
		var err error
		if o, err = sqlserver.ParseURL(r.Server); err != nil {
			return "", false // connecting says what is wrong with it
		}
		if r.User != "" {
			o.User = r.User
		}
	}
	if r.SignIn != "" {
		o.SignIn = sqlserver.SignIn(r.SignIn)
	}
	if o.Password != "" || !o.SignIn.TakesPassword() {
		return "", false
	}
	return o.User, o.User != "" && o.SignIn == ""
}

// WithoutSecrets is r with a server's text that holds no password: fit to be
// shown. Where that is not sure, it names no server.
func (r Request) WithoutSecrets() Request {
	r.Server, _ = WithoutPassword(r.Server)
	low := strings.ToLower(r.Server)
	u, err := url.Parse(r.Server)
	whole := err == nil && u.Scheme == "sqlserver" && strings.Count(low, "@") <= 1
	if strings.Contains(low, "password=") || strings.Contains(low, "pwd=") || !whole && strings.Contains(low, "@") {
		r.Server = ""
	}
	return r
}
