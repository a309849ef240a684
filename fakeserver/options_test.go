package fakeserver_test

import "testing"

func TestOptions(t *testing.T) {
	db := connect(t, catalogue(t).URL())
	db.SetMaxOpenConns(1)
	want(t, db, "SELECT @@OPTIONS, @@OPTIONS & 2", "5496 0")
	want(t, db, "SET IMPLICIT_TRANSACTIONS ON; SELECT @@OPTIONS & 2", "2")
	want(t, db, "SELECT @@OPTIONS & 2", "0") // a pooled connection begins anew
}
