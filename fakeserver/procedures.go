package fakeserver

import (
	"context"
	"errors"
	"strings"

	"cdcseed/fakeserver/tds"
	"cdcseed/fakeserver/tsql"
)

// procedure is a system procedure: its parameters in order and what it does
// with their values under the server's lock.
type procedure struct {
	parameters []string
	needed     int // how many of them, from the first, have no default
	columns    string
	run        func(s *session, a arguments) ([][]any, error)
}

// Procedure runs a system procedure, in the session's database or in the one
// that its name begins with. All that are played here only read.
func (s *session) Procedure(_ context.Context, n tsql.Name, args []tsql.Argument) (*tsql.Relation, error) {
	s.srv.lock()
	defer s.srv.mu.Unlock()
	d, err := s.databaseOf(n)
	if err != nil {
		return nil, err
	}
	defer s.within(d)()
	p, name, err := procedureByName(n)
	if err != nil {
		return nil, err
	}
	values, err := p.bind(name, args)
	if err != nil {
		return nil, inProcedure(name, err)
	}
	ofCapture := strings.HasPrefix(name, "sp_cdc_")
	if ofCapture && !s.db.cdc {
		return nil, inProcedure(name, tsql.Errorf(22901, 16, "The database '%s' is not enabled for Change Data Capture. Ensure that the correct database context is set and retry the operation. To report on the databases enabled for Change Data Capture, query the is_cdc_enabled column in the sys.databases catalog view.", s.db.name))
	}
	if ofCapture {
		if err := s.mayReadVersions(s.db); err != nil {
			return nil, inProcedure(name, err)
		}
	}
	rows, err := p.run(s, values)
	if err != nil {
		return nil, inProcedure(name, err)
	}
	return &tsql.Relation{Columns: columnsOf(p.columns), Rows: func(context.Context) ([][]any, error) { return rows, nil }}, nil
}

// procedureByName finds a system procedure: in sys, or without a schema, where
// names that begin with sp_ are looked for as well.
func procedureByName(n tsql.Name) (procedure, string, error) {
	name := strings.ToLower(n[len(n)-1])
	p, ok := systemProcedure(name)
	if ok && len(n) <= 3 && (len(n) == 1 || n[len(n)-2] == "" || strings.EqualFold(n[len(n)-2], "sys")) {
		return p, name, nil
	}
	if notPlayedProcedures[name] {
		return procedure{}, "", errNotPlayed("procedure " + strings.Join(n, "."))
	}
	e := tsql.Errorf(2812, 16, "Could not find stored procedure '%s'.", strings.Join(n, "."))
	e.State = 62
	return procedure{}, "", e
}

// inProcedure puts the procedure's name into its error.
func inProcedure(name string, err error) error {
	var e *tds.Error
	if errors.As(err, &e) {
		e.Proc = name
	}
	return err
}

// bind orders arguments by the procedure's parameters; a missing one is NULL.
func (p procedure) bind(name string, args []tsql.Argument) (arguments, error) {
	out := make(arguments, len(p.parameters))
	for i := range out {
		out[i].T = tds.NVarChar(128)
	}
	if len(args) > len(p.parameters) {
		return nil, tsql.Errorf(8144, 16, "Procedure or function %s has too many arguments specified.", name)
	}
	given := make([]bool, len(p.parameters))
	named := false
	for i, a := range args {
		at := i
		if a.Name != "" {
			if at = indexFold(p.parameters, a.Name); at < 0 {
				return nil, tsql.Errorf(8145, 16, "%s is not a parameter for procedure %s.", a.Name, name)
			}
		} else if named {
			return nil, tsql.Errorf(119, 15, "Must pass parameter number %d and subsequent parameters as '@name = value'. After the form '@name = value' has been used, all subsequent parameters must be passed in the form '@name = value'.", i+1)
		}
		named = named || a.Name != ""
		if given[at] {
			return nil, tsql.Errorf(8143, 16, "Parameter '%s' was supplied multiple times.", p.parameters[at])
		}
		out[at] = a.Value
		given[at] = true
	}
	for i := range p.needed {
		if !given[i] {
			return nil, tsql.Errorf(201, 16, "Procedure or function '%s' expects parameter '%s', which was not supplied.", name, p.parameters[i])
		}
	}
	return out, nil
}

func indexFold(list []string, s string) int {
	for i, x := range list {
		if strings.EqualFold(x, s) {
			return i
		}
	}
	return -1
}

func systemProcedure(name string) (procedure, bool) {
	switch name {
	case "sp_cdc_help_change_data_capture":
		return procedure{[]string{"@source_schema", "@source_name"}, 0, "source_schema sysname, source_table sysname, capture_instance sysname!, object_id int!, " +
			"source_object_id int!, start_lsn binary(10), end_lsn binary(10), supports_net_changes bit, has_drop_pending bit, role_name sysname, " +
			"index_name sysname, filegroup_name sysname, create_date datetime, index_column_list nvarchar(max), captured_column_list nvarchar(max)", helpCapture}, true
	case "sp_cdc_get_captured_columns":
		// The documentation calls the sixth column ordinal_position; servers call it column_ordinal.
		return procedure{[]string{"@capture_instance"}, 1, "source_schema sysname, source_table sysname, capture_instance sysname!, column_name sysname!, " +
			"column_id int, column_ordinal int!, data_type sysname, character_maximum_length int, numeric_precision tinyint, " +
			"numeric_precision_radix smallint, numeric_scale int, datetime_precision smallint", capturedColumns}, true
	case "sp_cdc_get_ddl_history":
		return procedure{[]string{"@capture_instance"}, 1, "source_schema sysname, source_table sysname, capture_instance sysname!, " +
			"required_column_update bit, ddl_command nvarchar(max), ddl_lsn binary(10)!, ddl_time datetime", ddlHistory}, true
	case "sp_cdc_help_jobs":
		return procedure{nil, 0, "job_id uniqueidentifier, job_type nvarchar(20)!, job_name sysname, maxtrans int, maxscans int, continuous bit, " +
			"pollinginterval bigint, retention bigint, threshold bigint", helpJobs}, true
	case "sp_spaceused":
		return procedure{
			[]string{"@objname", "@updateusage", "@mode", "@oneresultset", "@include_total_xtp_storage"},
			0,
			"name nvarchar(128), rows char(20), reserved varchar(18), data varchar(18), index_size varchar(18), unused varchar(18)", spaceUsed,
		}, true
	}
	return procedure{}, false
}

// notPlayedProcedures exist in SQL Server and not here; most of them write.
var notPlayedProcedures = map[string]bool{
	"sp_cdc_enable_db": true, "sp_cdc_disable_db": true, "sp_cdc_enable_table": true, "sp_cdc_disable_table": true,
	"sp_cdc_add_job": true, "sp_cdc_change_job": true, "sp_cdc_drop_job": true, "sp_cdc_start_job": true, "sp_cdc_stop_job": true,
	"sp_cdc_scan": true, "sp_cdc_cleanup_change_table": true, "sp_cdc_generate_wrapper_function": true,
	"sp_help": true, "sp_helptext": true, "sp_helpdb": true, "sp_who": true, "sp_who2": true, "sp_columns": true, "sp_tables": true,
	"sp_datatype_info": true, "sp_datatype_info_100": true, "sp_describe_first_result_set": true, "sp_getapplock": true, "sp_releaseapplock": true,
	"xp_msver": true,
}

// helpCapture lists the capture instances that the caller may use, of all
// tables or of one.
func helpCapture(s *session, a arguments) ([][]any, error) {
	schema, _ := a.text(0)
	name, _ := a.text(1)
	if (schema == "") != (name == "") {
		return nil, tsql.Errorf(22972, 16, "When calling stored procedure [sys].sp_cdc_help_change_data capture, if either @source_schema or @source_name is non-null and non-empty, the other parameter must also be non-null and non-empty.")
	}
	var only *table
	if name != "" {
		only = s.db.table(schema, name)
		if only == nil || !s.sees(s.db, only) {
			return nil, errNoCapture()
		}
		all := s.db.instancesOf(only)
		if len(all) == 0 {
			return nil, tsql.Errorf(22985, 16, "Change data capture has not been enabled for source table '%s.%s'. Specify the name of a table enabled for Change Data Capture. To report on the tables enabled for Change Data Capture, query the is_tracked_by_cdc column in the sys.tables catalog view.", only.schema, only.name)
		}
	}
	var rows [][]any
	for _, in := range s.db.instances {
		if only != nil && in.table != only || !s.tracks(s.db, in) {
			continue
		}
		rows = append(rows, in.helpRow())
	}
	if only != nil && len(rows) == 0 {
		return nil, errNoCapture()
	}
	return rows, nil
}

func errNoCapture() *tds.Error {
	return tsql.Errorf(22981, 16, "Object does not exist or access is denied.")
}

func (in *instance) helpRow() []any {
	var captured []string
	for _, k := range in.columns {
		captured = append(captured, "["+in.table.columns[k].name+"]")
	}
	return []any{
		in.table.schema, in.table.name, in.name, in.id, in.table.id, lsnOrNil(in.start), nil, in.netChanges, nil, textOrNil(in.role),
		in.indexName(), nil, in.created, textOrNil(keyNames(in.table)), strings.Join(captured, ", "),
	}
}

// instanceFor is the capture instance that a procedure's first argument names:
// 22981 both for an unknown one and for one that the caller may not use.
func (s *session) instanceFor(a arguments) (*instance, error) {
	name, _ := a.text(0)
	in := s.db.instance(name)
	if in == nil || !s.tracks(s.db, in) {
		return nil, errNoCapture()
	}
	return in, nil
}

// ddlHistory lists what has been done to the source table of an instance.
func ddlHistory(s *session, a arguments) ([][]any, error) {
	in, err := s.instanceFor(a)
	if err != nil {
		return nil, err
	}
	var rows [][]any
	for _, r := range s.db.ddl {
		if r.instance == in {
			rows = append(rows, []any{in.table.schema, in.table.name, in.name, r.required, r.command, r.lsn.bytes(), r.at})
		}
	}
	return rows, nil
}

func capturedColumns(s *session, a arguments) ([][]any, error) {
	in, err := s.instanceFor(a)
	if err != nil {
		return nil, err
	}
	var rows [][]any
	for i, k := range in.columns {
		c := in.table.columns[k]
		row := []any{in.table.schema, in.table.name, in.name, c.name, int64(c.id), int64(i + 1), c.typ.baseName()}
		rows = append(rows, append(row, c.typ.shape()...))
	}
	return rows, nil
}

// shape is what INFORMATION_SCHEMA says of a type: character length, numeric
// precision, radix and scale, datetime precision.
func (t dataType) shape() []any {
	var length, precision, radix, scale, fraction any
	switch t.name {
	case "char", "varchar", "nchar", "nvarchar", "binary", "varbinary", "sysname":
		length = int64(t.length)
	case "text", "image":
		length = int64(2147483647)
	case "ntext":
		length = int64(1073741823)
	case "xml":
		length = int64(-1)
	case "tinyint", "smallint", "int", "bigint", "decimal", "numeric", "money", "smallmoney":
		precision, radix, scale = int64(t.precision), int64(10), int64(t.scale)
	case "real", "float":
		precision, radix = int64(t.precision), int64(2)
	case "date", "smalldatetime":
		fraction = int64(0)
	case "time", "datetime", "datetime2", "datetimeoffset":
		fraction = int64(t.scale)
	}
	return []any{length, precision, radix, scale, fraction}
}
