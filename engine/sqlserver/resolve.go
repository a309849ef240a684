package sqlserver

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"cdcseed/engine/schema"
	"cdcseed/engine/verdict"
)

// Resolve finds the table that name means and the capture instance that the
// stream is configured with. A capture instance's name comes first, exactly or
// else ignoring case; then schema_table of a table whose instance of that name
// is gone; then schema.table, where the table has one instance. Refusals:
// verdict.NoInstance, verdict.InstanceAmbiguous.
func Resolve(tables []schema.Table, name string) (schema.Table, string, error) {
	if err := validName(name); err != nil {
		return schema.Table{}, "", err
	}
	if t, err := byInstance(tables, name); t != nil || err != nil {
		return found(t, name, err)
	}
	var dropped []*schema.Table
	for i := range tables {
		if schema.SameName(tables[i].Schema+"_"+tables[i].Name, name) {
			dropped = append(dropped, &tables[i])
		}
	}
	if len(dropped) == 1 {
		return *dropped[0], name, nil
	}
	t, err := byTable(tables, name)
	if err != nil {
		return schema.Table{}, "", err
	}
	if len(t.Instances) > 1 {
		return schema.Table{}, "", &verdict.Error{
			Code:  verdict.InstanceAmbiguous,
			What:  fmt.Sprintf("%s has %d capture instances", t, len(t.Instances)),
			Facts: verdict.Facts("instances", instanceNames(*t)),
			Why:   "The seed's rows carry the name that the stream is configured with.",
			Hint:  []string{"Name the one in the stream's option captureInstance: --table " + t.Instances[0].Name},
		}
	}
	return *t, t.Instances[0].Name, nil
}

func found(t *schema.Table, name string, err error) (schema.Table, string, error) {
	if err != nil {
		return schema.Table{}, "", err
	}
	return *t, name, nil
}

// byInstance finds an instance by its exact name, or the only one by its name without case.
func byInstance(tables []schema.Table, name string) (*schema.Table, error) {
	var same []*schema.Table
	var names []string
	for i := range tables {
		for _, in := range tables[i].Instances {
			switch {
			case in.Name == name:
				return &tables[i], nil
			case schema.SameName(in.Name, name):
				same, names = append(same, &tables[i]), append(names, in.Name)
			}
		}
	}
	switch len(same) {
	case 0:
		return nil, nil
	case 1:
		return same[0], nil
	}
	return nil, &verdict.Error{
		Code:  verdict.InstanceAmbiguous,
		What:  fmt.Sprintf("%q names two capture instances that differ only by case", name),
		Facts: verdict.Facts("instances", strings.Join(names, ", ")),
		Hint:  []string{"Type the name exactly."},
	}
}

// byTable finds a table by schema.table, exactly or else ignoring case.
func byTable(tables []schema.Table, name string) (*schema.Table, error) {
	var same []*schema.Table
	for i := range tables {
		t := &tables[i]
		if t.String() == name {
			return t, nil
		}
		if isTableName(name, t.Schema, t.Name) {
			same = append(same, t)
		}
	}
	switch len(same) {
	case 0:
		return nil, noInstance(name, tables)
	case 1:
		return same[0], nil
	}
	return nil, &verdict.Error{
		Code:  verdict.InstanceAmbiguous,
		What:  fmt.Sprintf("%q names two tables that differ only by case", name),
		Facts: verdict.Facts("tables", same[0].String()+", "+same[1].String()),
		Hint:  []string{"Type the name exactly."},
	}
}

// isTableName reports whether name is schema.table, in brackets or not, ignoring case.
func isTableName(name, sch, table string) bool {
	return schema.SameName(name, sch+"."+table) || schema.SameName(name, "["+sch+"].["+table+"]")
}

func instanceNames(t schema.Table) string {
	names := make([]string, 0, len(t.Instances))
	for _, in := range t.Instances {
		names = append(names, in.Name)
	}
	return strings.Join(names, ", ")
}

// validName is the stream's own rule for a capture instance's name, in
// characters; room is left for schema.table in brackets.
func validName(name string) error {
	n := utf8.RuneCountInString(name)
	odd := strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.C, r) || r == utf8.RuneError })
	if n >= 1 && n <= 2*128+5 && !odd {
		return nil
	}
	return &verdict.Error{
		Code: verdict.NoInstance,
		What: fmt.Sprintf("%q cannot be the name of a table or a capture instance", name),
		Hint: []string{"Name a capture instance such as dbo_Orders, or a table such as dbo.Orders; cdcseed tables lists them."},
	}
}

// noInstance is the refusal for a name that nothing has which the login may see,
// with names like it.
func noInstance(name string, tables []schema.Table) error {
	e := &verdict.Error{
		Code: verdict.NoInstance,
		What: fmt.Sprintf("this login sees no captured table and no capture instance called %q", name),
		Why: "Whether there is none or it is hidden cannot be told from here: SQL Server hides a table from a login without any right on it, " +
			"and CDC an instance from one that lacks SELECT on its captured columns or membership in its gating role.",
		Hint: []string{"Look at the spelling: cdcseed tables lists what this login can use.", "If it is right, ask a db_owner whether the table is there and captured, and for SELECT on it."},
	}
	if like := similar(name, tables); len(like) > 0 {
		e.Facts = verdict.Facts("similar", strings.Join(like, ", "))
	}
	return e
}

// similar lists up to five instances whose name or table contains name or the reverse.
func similar(name string, tables []schema.Table) (out []string) {
	bare := schema.Fold(name[strings.LastIndexAny(name, "._")+1:])
	for _, t := range tables {
		for _, in := range t.Instances {
			folded := schema.Fold(in.Name)
			if bare != "" && len(out) < 5 && (strings.Contains(folded, bare) || strings.Contains(bare, schema.Fold(t.Name))) {
				out = append(out, in.Name)
			}
		}
	}
	return out
}
