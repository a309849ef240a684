package fakeserver

import "cdcseed/fakeserver/tsql"

// unversioned is error 3952 for a database that keeps no row versions for
// snapshot isolation, nil for one that does.
func (d *database) unversioned() error {
	if d.snapshot {
		return nil
	}
	return tsql.Errorf(3952, 16, "Snapshot isolation transaction failed accessing database '%s' because snapshot isolation is not allowed in this database. Use ALTER DATABASE to allow snapshot isolation.", d.name)
}

// mayReadVersions is the same for what reads tables without naming them, which
// no table hint can reach: nil unless the session is under snapshot isolation.
func (s *session) mayReadVersions(d *database) error {
	if !s.run.Snapshot() {
		return nil
	}
	return d.unversioned()
}
