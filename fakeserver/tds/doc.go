// Package tds is the server side of MS-TDS 7.2 to 7.4 and 8.0: framing,
// PRELOGIN, TLS, LOGIN7, requests, and replies with every column type. It knows
// nothing of SQL: a Session, given by the user of the package, answers requests
// through a Reply.
//
// What it promises: a reply is well formed whatever the Session does; bytes
// that a client sends can end that client's connection and nothing else; every
// message has a size limit; Close leaves no goroutine behind.
//
// What it does not play is refused with error 40000 (TDS before 7.2, bulk
// load, cursors, table-valued and CLR parameters, distributed transactions).
package tds
