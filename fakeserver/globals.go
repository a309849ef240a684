package fakeserver

import (
	"fmt"

	"cdcseed/fakeserver/tds"
	"cdcseed/fakeserver/tsql"
)

// Global is the value of a @@ variable that belongs to the server.
func (s *session) Global(name string) (tsql.Value, error) {
	s.srv.lock()
	defer s.srv.mu.Unlock()
	h := s.srv.host
	text := func(v string) tsql.Value { return tsql.Value{T: tds.NVarChar(300), V: v} }
	number := func(n int64) tsql.Value { return tsql.Value{T: tds.Int, V: n} }
	switch name {
	case "VERSION":
		return text(fmt.Sprintf("Microsoft SQL Server, played by cdcseed's fake server - %s %s", h.settings.ProductVersion, h.settings.Edition)), nil
	case "SERVERNAME":
		return text(h.settings.Name), nil
	case "SERVICENAME":
		return text("MSSQLSERVER"), nil
	case "LANGUAGE":
		return text("us_english"), nil
	case "MICROSOFTVERSION":
		return number(int64(h.major) << 24), nil
	case "SPID":
		return tsql.Value{T: tds.SmallInt, V: int64(51)}, nil
	case "DATEFIRST":
		return tsql.Value{T: tds.TinyInt, V: int64(7)}, nil
	case "MAX_PRECISION":
		return tsql.Value{T: tds.TinyInt, V: int64(38)}, nil
	case "LOCK_TIMEOUT", "TEXTSIZE":
		return number(-1), nil
	case "OPTIONS":
		return number(s.options()), nil
	case "DBTS":
		return tsql.Value{T: tds.VarBinary(8), V: s.db.rowVersionBytes()}, nil
	}
	return tsql.Value{}, tsql.Errorf(137, 15, "Must declare the scalar variable \"@@%s\".", name)
}

// options is @@OPTIONS: a new connection's, and bit 2 for implicit transactions.
func (s *session) options() int64 {
	const fresh, implicitTransactions = 5496, 2
	if s.run.Option("IMPLICIT_TRANSACTIONS") == "ON" {
		return fresh | implicitTransactions
	}
	return fresh
}
