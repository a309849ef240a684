package engine

import (
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
