package grammar

import (
	"strings"

	"github.com/sqlc-dev/teesql/ast"
)

// signs are teesql's names of operators, as they are written.
func sign(name string) string {
	if s, ok := map[string]string{
		"Add": "+", "Subtract": "-", "Multiply": "*", "Divide": "/", "Modulo": "%", "BitwiseAnd": "&", "BitwiseOr": "|", "BitwiseXor": "^",
		"Negative": "unary -", "Positive": "unary +", "BitwiseNot": "unary ~", "Equals": "=", "NotEqualToBrackets": "<>",
		"NotEqualToExclamation": "<>", "LessThan": "<", "GreaterThan": ">", "LessThanOrEqualTo": "<=", "GreaterThanOrEqualTo": ">=",
		"NotLessThan": ">=", "NotGreaterThan": "<=",
	}[name]; ok {
		return s
	}
	return name
}

func (d *digester) condition(n any) bool {
	switch x := n.(type) {
	case *ast.BooleanComparisonExpression:
		d.add("operator", sign(x.ComparisonType))
	case *ast.BooleanBinaryExpression:
		d.add("operator", x.BinaryExpressionType)
	case *ast.BooleanNotExpression:
		d.add("operator", "not")
	case *ast.BooleanInExpression:
		d.negatable("in", x.NotDefined)
		d.clauseIf(x.Subquery != nil, "subquery")
		d.walkAll(x.Expression, x.Values, x.Subquery)
		return true
	case *ast.BooleanTernaryExpression:
		d.negatable("between", strings.HasPrefix(x.TernaryExpressionType, "Not"))
	case *ast.BooleanLikeExpression:
		d.negatable("like", x.NotDefined)
	case *ast.BooleanIsNullExpression:
		d.negatable("is null", x.IsNot)
	case *ast.ExistsPredicate:
		d.add("operator", "exists")
	}
	return false
}

func (d *digester) negatable(word string, negated bool) {
	if negated {
		word = "not " + word
	}
	d.add("operator", word)
}

func (d *digester) expression(n any) bool {
	switch x := n.(type) {
	case *ast.BinaryExpression:
		d.add("operator", sign(x.BinaryExpressionType))
	case *ast.UnaryExpression:
		d.add("operator", sign(x.UnaryExpressionType))
	case *ast.AtTimeZoneCall:
		d.add("operator", "at time zone")
	case *ast.ScalarSubquery:
		d.add("clause", "subquery")
	case *ast.SearchedCaseExpression, *ast.SimpleCaseExpression:
		d.add("clause", "case")
	case *ast.SearchedWhenClause, *ast.SimpleWhenClause:
		d.add("clause", "when")
	case *ast.IIfCall: // a CASE by another name
		d.add("clause", "case")
		d.add("clause", "when")
	case *ast.FunctionCall:
		return d.call(x)
	case *ast.LeftFunctionCall:
		d.add("function", "left")
	case *ast.RightFunctionCall:
		d.add("function", "right")
	case *ast.CoalesceExpression:
		d.add("function", "coalesce")
	case *ast.NullIfExpression:
		d.add("function", "nullif")
	case *ast.ParameterlessCall:
		d.add("function", parameterless(x.ParameterlessCallType))
	case *ast.CastCall, *ast.ConvertCall:
		d.add("function", "cast")
	case *ast.TryCastCall, *ast.TryConvertCall:
		d.add("function", "try_cast")
	}
	return false
}

// parameterless writes CurrentTimestamp as CURRENT_TIMESTAMP.
func parameterless(name string) string {
	var b strings.Builder
	for i, c := range name {
		if i > 0 && c >= 'A' && c <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(c)
	}
	return b.String()
}

func (d *digester) call(x *ast.FunctionCall) bool {
	name := text(x.FunctionName)
	switch target := x.CallTarget.(type) {
	case *ast.MultiPartIdentifierCallTarget:
		name = identifiers(target.MultiPartIdentifier.Identifiers) + "." + name
	case *ast.ExpressionCallTarget, *ast.UserDefinedTypeCallTarget:
		return false
	}
	d.add("function", name)
	parameters := x.Parameters
	switch strings.ToUpper(name) {
	case "DATEADD", "DATEDIFF", "DATEDIFF_BIG", "DATEPART", "DATENAME", "DATETRUNC":
		// The datepart is a word of its own, not a column.
		if c, ok := parameters[0].(*ast.ColumnReferenceExpression); ok {
			d.add("datepart", identifiers(c.MultiPartIdentifier.Identifiers))
			parameters = parameters[1:]
		}
	}
	d.clauseIf(strings.EqualFold(x.UniqueRowFilter, "Distinct"), "distinct")
	d.walkAll(parameters)
	if x.WithinGroupClause != nil {
		d.add("clause", "within group")
		d.walkAll(x.WithinGroupClause)
	}
	if x.OverClause != nil {
		d.add("clause", "over")
		d.walkAll(x.OverClause.Partitions, x.OverClause.OrderByClause)
	}
	if x.Collation != nil {
		d.add("operator", "collate "+x.Collation.Value)
	}
	return true
}
