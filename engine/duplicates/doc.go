// Package duplicates counts keys that stand more than once among any number of
// rows, exactly and in bounded memory. Keys are compared as the source's unique
// index compares them: by their column's type and collation. What is not in memory
// lies sorted in files of a scratch folder; equal hashes alone never make two keys
// equal.
package duplicates
