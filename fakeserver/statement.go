package fakeserver

import (
	"fmt"
	"time"

	"cdcseed/fakeserver/tds"
)

// Statement is one request as it came in.
type Statement struct {
	Text       string      `json:"text"` // the batch, the parameterised statement, or the procedure's name
	Procedure  bool        `json:"procedure,omitempty"`
	Parameters []Parameter `json:"parameters,omitempty"`
	Login      string      `json:"login"`
	Database   string      `json:"database"`
	App        string      `json:"app,omitempty"`
	Time       time.Time   `json:"time"` // the server's clock, UTC
}

// Parameter is a parameter of a statement; Value is its text, nil for NULL.
type Parameter struct {
	Name  string  `json:"name"`
	Value *string `json:"value"`
}

func (s *session) statement(q *tds.Request) Statement {
	st := Statement{Text: q.SQL, Login: s.login.Name, Database: s.db.name, App: s.app, Time: s.at}
	if q.SQL == "" && q.Proc != "" {
		st.Text, st.Procedure = q.Proc, true
	}
	for _, p := range q.Params {
		st.Parameters = append(st.Parameters, Parameter{Name: p.Name, Value: parameterText(p.Value)})
	}
	return st
}

func parameterText(v any) *string {
	var text string
	switch x := v.(type) {
	case nil:
		return nil
	case []byte:
		text = fmt.Sprintf("0x%X", x)
	case time.Time:
		text = x.Format("2006-01-02T15:04:05.999999999Z07:00")
	default:
		text = fmt.Sprint(x)
	}
	return &text
}

// Statements is every batch, statement and procedure call since the start or
// the last ForgetStatements, in the order in which they came in.
func (s *Server) Statements() []Statement {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Statement{}, s.statements...)
}

// ForgetStatements empties the record.
func (s *Server) ForgetStatements() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.statements = nil
}
