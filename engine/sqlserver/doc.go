// Package sqlserver asks a SQL Server with change data capture what a seed
// needs to know: who it is, what its clock does, which tables it captures, and
// which position of the log is safe for an as_of. It only reads. Every
// statement is a file under queries, one statement each, that begins with a
// comment naming it, so that whoever watches the server can tell what it is.
package sqlserver
