package fakeserver

import (
	"context"
	"errors"
	"time"

	"cdcseed/fakeserver/tds"
	"cdcseed/fakeserver/tsql"
)

// session is one connection: who it is, where it is, and the evaluator that
// runs its statements. It is the evaluator's catalogue.
type session struct {
	srv     *Server
	login   *login
	home    *database // where the login put it, and a reset puts it back
	db      *database
	app     string
	machine string
	at      time.Time   // one time for all of a request's clock functions, UTC
	seen    *objectList // where a running function keeps the objects, nil for nowhere
	run     *tsql.Session
}

var (
	_ tds.Session  = (*session)(nil)
	_ tsql.Catalog = (*session)(nil)
)

// openSession checks a login. The caller holds the server's lock.
func (s *Server) openSession(l *tds.Login) (tds.Session, error) {
	who := s.host.login(l.UserName)
	if who == nil || who.Password != l.Password {
		return nil, errLoginFailed(l)
	}
	if who.LoginError != 0 && (who.LoginErrorTimes == 0 || who.attempts < who.LoginErrorTimes) {
		who.attempts++
		return nil, loginError(who.LoginError, l)
	}
	name := l.Database
	if name == "" {
		name = who.DefaultDatabase
	}
	if name == "" {
		name = "master"
	}
	db := s.host.database(name)
	ses := &session{srv: s, login: who, app: l.AppName, machine: l.HostName, at: s.clock.now()}
	if db == nil || db.offline || !ses.mayEnter(db) {
		l.Database = name
		return nil, loginError(4060, l)
	}
	l.Database = db.name
	ses.home, ses.db = db, db
	ses.run = tsql.NewSession(ses, s.Now)
	return ses, nil
}

// loginError is what a refused login is told. A database that cannot be opened
// has two messages; a client that keeps only the last one sees 18456.
func loginError(number int32, l *tds.Login) error {
	switch number {
	case 4060:
		return errors.Join(
			tsql.Errorf(4060, 11, `Cannot open database "%s" requested by the login. The login failed.`, l.Database),
			errLoginFailed(l))
	case 40613:
		return tsql.Errorf(40613, 17, "Database '%s' on server 'FAKESQL' is not currently available. Please retry the connection later.", l.Database)
	}
	return errLoginFailed(l)
}

func errLoginFailed(l *tds.Login) error {
	return tsql.Errorf(18456, 14, "Login failed for user '%s'.", l.UserName)
}

func (s *session) mayEnter(d *database) bool { return s.login.SysAdmin || s.user(d) != nil }

// Close ends the session.
func (s *session) Close() {}

// Run answers one request.
func (s *session) Run(ctx context.Context, q *tds.Request, w *tds.Reply) error {
	f, err := s.begin(q)
	if err == nil {
		err = f.before(ctx)
	}
	if err != nil {
		if q.Reset { // the statement does not run, but the reset that came with it does
			s.run.Reset(q.KeepTran)
		}
		s.run.Failed(err, w)
		return err
	}
	if err := s.run.Run(ctx, q, f.reply(w)); err != nil {
		return err
	}
	if err := f.after(w); err != nil {
		s.run.Failed(err, w)
		return err
	}
	return nil
}

// begin notes the request in the record, fixes its time and finds the fault
// that strikes it, one that does nothing where there is none.
func (s *session) begin(q *tds.Request) (*fault, error) {
	s.srv.lock()
	defer s.srv.mu.Unlock()
	if q.Reset {
		s.db = s.home
	}
	s.at = s.srv.clock.now()
	none := &fault{}
	if q.Kind != tds.KindBatch && q.Kind != tds.KindRPC {
		return none, nil
	}
	st := s.statement(q)
	s.srv.statements = append(s.srv.statements, st)
	first := none
	for _, f := range s.srv.faults { // all of them count the statement
		if f.hits(st.Text, s.login.Name) && first == none {
			first = f
		}
	}
	if first.step != 0 {
		s.srv.clock.set(s.srv.clock.now().Add(first.step))
		s.srv.settle()
		s.at = s.srv.clock.now()
	}
	if first == none && s.db.offline {
		return nil, errOffline(s.db)
	}
	return first, nil
}

func errOffline(d *database) error {
	return tsql.Errorf(942, 14, "Database '%s' cannot be opened because it is offline.", d.name)
}

// local is the request's time as a datetime-like wall clock of the server.
func (s *session) local() time.Time { return s.at.In(s.srv.host.zone) }

// Use changes the session's database.
func (s *session) Use(name string) error {
	s.srv.lock()
	defer s.srv.mu.Unlock()
	d, err := s.enter(name)
	if err != nil {
		return err
	}
	if s.srv.host.azure() && d != s.db {
		return tsql.Errorf(40508, 16, "USE statement is not supported to switch between databases. Use a new connection to connect to a different database.")
	}
	s.db = d
	return nil
}

// enter finds a database that the session may use.
func (s *session) enter(name string) (*database, error) {
	d := s.srv.host.database(name)
	switch {
	case d == nil:
		return nil, tsql.Errorf(911, 16, "Database '%s' does not exist. Make sure that the name is entered correctly.", name)
	case d.offline:
		return nil, errOffline(d)
	case !s.mayEnter(d):
		return nil, tsql.Errorf(916, 14, "The server principal \"%s\" is not able to access the database \"%s\" under the current security context.", s.login.Name, d.name)
	}
	return d, nil
}

// Zone is the time zone of a Windows name.
func (s *session) Zone(name string) (*time.Location, error) { return zoneForStatement(name) }
