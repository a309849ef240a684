package grammar

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"
)

func (d *digester) clause(n any) bool {
	switch x := n.(type) {
	case *ast.QuerySpecification:
		d.add("clause", "select")
		d.clauseIf(strings.EqualFold(x.UniqueRowFilter, "Distinct"), "distinct")
		d.clauseIf(x.ForClause != nil, "for")
	case *ast.SelectScalarExpression:
		d.walkAll(x.Expression)
		if x.ColumnName != nil {
			d.add("alias", x.ColumnName.Value)
		}
		return true
	case *ast.TopRowFilter:
		d.add("clause", "top")
	case *ast.WhereClause:
		d.add("clause", "where")
	case *ast.GroupByClause:
		d.add("clause", "group by")
	case *ast.HavingClause:
		d.add("clause", "having")
	case *ast.OrderByClause:
		d.add("clause", "order by")
	case *ast.ExpressionWithSortOrder:
		d.clauseIf(x.SortOrder == "Descending", "desc")
	case *ast.OffsetClause:
		d.add("clause", "offset")
		d.clauseIf(x.FetchExpression != nil, "fetch")
	case *ast.BinaryQueryExpression:
		op := x.BinaryQueryExpressionType
		if x.All {
			op += " all"
		}
		d.add("clause", op)
	case *ast.CommonTableExpression:
		d.add("cte", x.ExpressionName.Value)
		d.aliases(x.Columns)
		d.walkAll(x.QueryExpression)
		return true
	case *ast.LiteralOptimizerHint, *ast.OptimizerHint: // change nothing that is read
		return true
	default:
		return d.source(n)
	}
	return false
}

// source is what a FROM is made of.
func (d *digester) source(n any) bool {
	switch x := n.(type) {
	case *ast.FromClause:
		d.add("clause", "from")
		for range len(x.TableReferences) - 1 {
			d.add("join", "cross") // a comma
		}
	case *ast.QualifiedJoin:
		d.add("join", strings.TrimSuffix(x.QualifiedJoinType, "Outer"))
	case *ast.UnqualifiedJoin:
		d.add("join", map[string]string{"CrossJoin": "cross", "CrossApply": "cross apply", "OuterApply": "outer apply"}[x.UnqualifiedJoinType])
	case *ast.QueryDerivedTable:
		d.add("alias", text(x.Alias))
		d.aliases(x.Columns)
		d.walkAll(x.QueryExpression)
		return true
	case *ast.InlineDerivedTable:
		d.add("alias", text(x.Alias))
		d.aliases(x.Columns)
		for _, row := range x.RowValues {
			d.add("clause", "values")
			d.walkAll(row.ColumnValues)
		}
		return true
	}
	return false
}

func (d *digester) statement(n any) bool {
	switch x := n.(type) {
	case *ast.SelectStatement:
		d.add("statement", "select")
	case *ast.DeclareVariableElement:
		d.add("declare", text(x.VariableName))
	case *ast.SetVariableStatement:
		d.set(x)
		return true
	case *ast.PredicateSetStatement:
		for option := range strings.SplitSeq(x.Options, ",") {
			d.add("option", strings.TrimSpace(option)+onOff(x.IsOn))
		}
	case *ast.GeneralSetCommand:
		d.setting(x.CommandType, x.Parameter)
		return true
	case *ast.SetTextSizeStatement:
		d.setting("textsize", x.TextSize)
		return true
	case *ast.SetTransactionIsolationLevelStatement:
		d.add("option", "transaction isolation level "+strings.ReplaceAll(parameterless(x.Level), "_", " "))
	case *ast.IfStatement:
		d.add("statement", "if")
		d.clauseIf(x.ElseStatement != nil, "else")
	case *ast.TryCatchStatement:
		d.add("statement", "try")
	case *ast.UseStatement:
		d.add("statement", "use "+text(x.DatabaseName))
		return true
	default:
		return d.smallStatement(n)
	}
	return false
}

func (d *digester) smallStatement(n any) bool {
	switch x := n.(type) {
	case *ast.BeginTransactionStatement:
		d.transaction("begin", x.Name)
	case *ast.CommitTransactionStatement:
		d.transaction("commit", x.Name)
	case *ast.RollbackTransactionStatement:
		d.transaction("rollback", x.Name)
	case *ast.SaveTransactionStatement:
		d.transaction("save", x.Name)
	case *ast.WaitForStatement:
		d.add("statement", "waitfor")
		return false
	case *ast.PrintStatement:
		d.add("statement", "print")
		return false
	case *ast.ThrowStatement:
		d.add("statement", "throw")
		return false
	case *ast.RaiseErrorStatement:
		d.add("statement", "raiserror")
		return false
	case *ast.ReturnStatement:
		d.add("statement", "return")
		return false
	default:
		return d.execute(n)
	}
	return true
}

func (d *digester) execute(n any) bool {
	switch x := n.(type) {
	case *ast.ExecuteStatement:
		d.add("statement", "exec")
	case *ast.ProcedureReference:
		d.add("procedure", identifiers(x.Name.Identifiers))
		return true
	case *ast.ExecuteParameter:
		if x.Variable != nil {
			d.add("argument", x.Variable.Name)
		}
		d.clauseIf(x.IsOutput, "output")
		if word, ok := x.ParameterValue.(*ast.ColumnReferenceExpression); ok {
			d.add("literal", identifiers(word.MultiPartIdentifier.Identifiers)+"'") // a bare word is a text here
			return true
		}
		d.walkAll(x.ParameterValue)
		return true
	}
	return false
}

func onOff(on bool) string {
	if on {
		return " on"
	}
	return " off"
}

// set: SET @a += 1 is SET @a = @a + 1, and mentions @a twice.
func (d *digester) set(x *ast.SetVariableStatement) {
	d.add("statement", "set")
	d.walkAll(x.Variable, x.Expression)
	if kind := strings.TrimSuffix(x.AssignmentKind, "Equals"); kind != "" {
		d.add("operator", sign(kind))
		d.walkAll(x.Variable)
	}
}

// setting is an option with a value that is no expression.
func (d *digester) setting(name string, value ast.ScalarExpression) {
	inner := &digester{}
	inner.walkAll(value)
	said := strings.TrimSuffix(strings.TrimPrefix(strings.Join(inner.out, " "), "literal:"), "'")
	said = strings.ReplaceAll(strings.TrimPrefix(said, "operator:unary - literal:"), "column:", "")
	d.add("option", name+" "+said)
}

func (d *digester) transaction(op string, name *ast.IdentifierOrValueExpression) {
	said := op + " tran "
	if name != nil {
		said += name.Value
	}
	d.add("statement", said)
}
