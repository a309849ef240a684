// Package bronze knows the two tables that the stream's package keeps, the
// change rows (bronze) and the facts about them, as that package makes and reads
// them: their columns, how they are created, what an existing one must look like,
// which snapshots one holds, and the row that records a seed. It speaks to no
// server and decides nothing about LSNs.
package bronze
