package tsql

import (
	"slices"
	"strings"
)

// digester lists what a text is made of, without its shape: enough to see that
// two parsers read the same.
type digester struct{ out []string }

func digestOf(b *batch) []string {
	d := &digester{}
	d.statements(b.list)
	slices.Sort(d.out)
	return d.out
}

func (d *digester) add(kind, what string) {
	if what != "" {
		d.out = append(d.out, kind+":"+strings.ToLower(what))
	}
}

func (d *digester) name(kind string, parts []string) { d.add(kind, strings.Join(parts, ".")) }

func (d *digester) statements(list []statement) {
	for _, s := range list {
		d.statement(s.body)
	}
}

func (d *digester) statement(body any) {
	switch x := body.(type) {
	case *declareStmt:
		d.add("declare", x.name)
		d.typeName(x.typ)
		d.expr(x.init)
	case *setStmt:
		d.add("statement", "set")
		d.add("variable", x.name)
		d.expr(x.e)
	case *optionStmt:
		for i, name := range x.names {
			d.add("option", strings.ReplaceAll(name, "_", "")+" "+x.values[i])
		}
	case *selectStmt:
		d.add("statement", "select")
		d.query(x.q)
	case *ifStmt:
		d.add("statement", "if")
		d.cond(x.when)
		d.statement(x.then.body)
		if x.orElse != nil {
			d.add("clause", "else")
			d.statement(x.orElse.body)
		}
	case *blockStmt:
		d.statements(x.list)
	case *tryStmt:
		d.add("statement", "try")
		d.statements(x.try)
		d.statements(x.catch)
	case *execStmt:
		d.exec(x)
	case *tranStmt:
		d.add("statement", x.op+" tran "+x.name)
	case *useStmt:
		d.add("statement", "use "+x.database)
	default:
		d.smallStatement(body)
	}
}

func (d *digester) smallStatement(body any) {
	switch x := body.(type) {
	case *waitStmt:
		d.add("statement", "waitfor")
		d.expr(x.e)
	case *printStmt:
		d.add("statement", "print")
		d.expr(x.e)
	case *throwStmt:
		d.add("statement", "throw")
		d.exprs(x.args)
	case *raiseStmt:
		d.add("statement", "raiserror")
		d.exprs(x.args)
	case *returnStmt:
		d.add("statement", "return")
		d.expr(x.e)
	}
}

func (d *digester) exec(x *execStmt) {
	d.add("statement", "exec")
	d.add("variable", x.status)
	d.name("procedure", x.name)
	d.expr(x.text)
	for _, a := range x.args {
		d.add("argument", a.name)
		if a.output {
			d.add("clause", "output")
		}
		d.expr(a.e)
	}
}

func (d *digester) query(q *query) {
	for _, c := range q.with {
		d.add("cte", c.name)
		d.columns(c.columns)
		d.query(c.q)
	}
	d.body(q.body)
	d.order(q.order)
	if q.offset != nil {
		d.add("clause", "offset")
		d.expr(q.offset)
	}
	if q.fetch != nil {
		d.add("clause", "fetch")
		d.expr(q.fetch)
	}
	if q.forXML {
		d.add("clause", "for")
	}
}

func (d *digester) columns(names []string) {
	for _, n := range names {
		d.add("alias", n)
	}
}

func (d *digester) order(items []orderItem) {
	if len(items) > 0 {
		d.add("clause", "order by")
	}
	for _, o := range items {
		if o.desc {
			d.add("clause", "desc")
		}
		d.expr(o.e)
	}
}

func (d *digester) body(b queryBody) {
	switch x := b.(type) {
	case *setOperation:
		d.add("clause", x.op)
		d.body(x.l)
		d.body(x.r)
	case *query:
		d.query(x)
	case *selectCore:
		d.selectCore(x)
	}
}

func (d *digester) selectCore(x *selectCore) {
	d.add("clause", "select")
	if x.distinct {
		d.add("clause", "distinct")
	}
	if x.top != nil {
		d.add("clause", "top")
		d.expr(x.top.n)
	}
	for _, it := range x.items {
		d.add("alias", it.alias)
		d.add("variable", it.variable)
		d.expr(it.e)
	}
	if x.from != nil {
		d.add("clause", "from")
		d.table(x.from)
	}
	if x.where != nil {
		d.add("clause", "where")
		d.cond(x.where)
	}
	if x.group != nil {
		d.add("clause", "group by")
		d.exprs(x.group)
	}
	if x.having != nil {
		d.add("clause", "having")
		d.cond(x.having)
	}
}

func (d *digester) table(t tableExpr) {
	switch x := t.(type) {
	case *namedTable:
		d.name("table", x.name)
		d.add("alias", x.alias)
	case *functionTable:
		d.name("rowset", x.name)
		d.exprs(x.args)
		d.add("alias", x.alias)
		d.columns(x.columns)
	case *derivedTable:
		d.add("alias", x.alias)
		d.columns(x.columns)
		if x.q != nil {
			d.query(x.q)
		}
		for _, row := range x.values {
			d.add("clause", "values")
			d.exprs(row)
		}
	case *join:
		d.join(x)
	}
}

func (d *digester) join(x *join) {
	kind := [...]string{"inner", "left", "right", "full", "cross"}[x.kind]
	if x.apply {
		kind = map[joinKind]string{crossJoin: "cross", leftJoin: "outer"}[x.kind] + " apply"
	}
	d.add("join", kind)
	d.table(x.l)
	d.table(x.r)
	if x.on != nil {
		d.cond(x.on)
	}
}
