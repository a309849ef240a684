package tsql

// query is a whole SELECT with what comes before and after its set operators.
type query struct {
	with   []cte
	body   queryBody
	order  []orderItem
	offset expr
	fetch  expr
	forXML bool // FOR XML or FOR JSON: read, not played
}

// queryBody is a *selectCore, a *setOperation or a *query in parentheses.
type queryBody interface{ queryBody() }

type cte struct {
	name    string
	columns []string
	q       *query
}

type orderItem struct {
	e    expr
	desc bool
}

type setOperation struct {
	op   string // UNION, UNION ALL, EXCEPT, INTERSECT
	l, r queryBody
}

type selectCore struct {
	distinct bool
	top      *top
	items    []selectItem
	from     tableExpr
	where    cond
	group    []expr
	having   cond
}

type top struct {
	n             expr
	percent, ties bool
}

type selectItem struct {
	e        expr
	alias    string
	variable string // of SELECT @v = e
}

func (*selectCore) queryBody()   {}
func (*setOperation) queryBody() {}
func (*query) queryBody()        {}

// tableExpr is what FROM lists.
type tableExpr interface{ table() }

type (
	namedTable struct {
		name     []string
		alias    string
		isolated bool // by a hint, from the session's isolation level
		line     int32
	}
	functionTable struct {
		name    []string
		args    []expr
		alias   string
		columns []string
		line    int32
	}
	derivedTable struct {
		q       *query
		values  [][]expr
		alias   string
		columns []string
	}
	join struct {
		kind  joinKind
		l, r  tableExpr
		on    cond
		apply bool // the right side may refer to the left
	}
)

type joinKind int

const (
	innerJoin joinKind = iota
	leftJoin
	rightJoin
	fullJoin
	crossJoin
)

func (*namedTable) table()    {}
func (*functionTable) table() {}
func (*derivedTable) table()  {}
func (*join) table()          {}
