package tsql

// nesting is a subquery inside an expression while it is compiled.
type nesting struct {
	outer      *nesting
	correlated bool // it refers to a row around it
}

// reaches notes that a name in n stands for a column of in, which is n itself or
// around it, nil for the statement.
func (n *nesting) reaches(in *nesting) {
	for ; n != nil && n != in; n = n.outer {
		n.correlated = true
	}
}
