// Package fakeserver is a SQL Server with change data capture that lives in
// the process and that clients reach over TDS on loopback with their own
// drivers. A World describes it, Start serves it, and the Server's methods
// move its clock, commit changes, clean up and break things.
//
// It promises that
//
//   - statements are parsed and evaluated, never recognised: what it cannot
//     run is an error with SQL Server's number, and what SQL Server could run
//     and it does not play is error 40000, "not simulated";
//   - state is a model: a row's change shows in the table, in the change
//     table, in the mapping and in the watermarks, or in none of them;
//   - CDC times are datetime values of the server's own clock, with all that
//     this means when the clock goes back;
//   - missing permissions hide and refuse what they hide and refuse in SQL
//     Server;
//   - the same world and the same calls give the same answers, on every
//     operating system.
//
// It does not play writing statements, DDL, locks, isolation, query plans,
// collations other than the default one in comparisons, or anything that a network could reach: it listens on loopback
// only. docs/fakeserver.md has the whole list and the world file's keys.
//
// Nothing here is shared with the engine that it tests.
package fakeserver
