// Package asof decides, without asking anything of anybody, what a typed as_of
// means and which position of the log is safe for it. The rule above all: an
// earlier position replays commits that the copy has, a later one loses
// commits that it lacks. So every approximation here goes earlier.
//
// SQL Server converts the times that are looked up (engine/sqlserver); this
// package says what it will answer, converts the commit times that guard the
// answer, and refuses where the two disagree.
package asof
