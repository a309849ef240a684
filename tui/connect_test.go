package tui

import (
	"testing"

	"cdcseed/engine"
	"cdcseed/engine/verdict"
)

func TestConnectScreen(t *testing.T) {
	p := perform(t, orders(), engine.Request{})
	p.golden("connect-empty")
	p = perform(t, orders(), ordersRequest())
	p.golden("connect").shows("Ready.")
	s := orders()
	s.sourceErr = &verdict.Error{
		Code: verdict.LoginFailed, What: `login failed for user "svc_cdc_ro"`,
		Hint: []string{"Check the user and the password."},
	}
	p = perform(t, s, ordersRequest())
	p.golden("connect-refused").shows("STOP  Login refused: check User, Password and Database. (login_failed)")
}
