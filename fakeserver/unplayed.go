package fakeserver

import "strings"

// The lists below are of names that SQL Server documents and that are not
// played here: they are no mistakes, so they are not answered as mistakes.

const unplayedViews = " all_columns all_objects all_parameters all_sql_modules all_views allocation_units assemblies assembly_modules asymmetric_keys " +
	"availability_databases_cluster availability_group_listeners availability_groups availability_read_only_routing_lists availability_replicas " +
	"backup_devices certificates check_constraints column_store_row_groups configurations credentials database_audit_specifications " +
	"database_files database_mirroring database_permissions database_principals database_recovery_status database_role_members " +
	"database_scoped_configurations database_service_objectives default_constraints dm_db_index_usage_stats " +
	"dm_db_log_space_usage dm_db_missing_index_details dm_db_session_space_usage dm_db_task_space_usage dm_exec_cached_plans " +
	"dm_exec_connections dm_exec_query_stats dm_exec_requests dm_exec_sessions dm_hadr_availability_replica_states " +
	"dm_hadr_database_replica_states dm_io_virtual_file_stats dm_os_host_info dm_os_performance_counters dm_os_sys_info dm_os_sys_memory " +
	"dm_os_wait_stats dm_os_windows_info dm_tran_active_transactions dm_tran_database_transactions dm_tran_locks dm_tran_session_transactions " +
	"dm_tran_version_store_space_usage endpoints event_notifications events extended_procedures extended_properties external_data_sources " +
	"external_tables filegroups foreign_key_columns foreign_keys fulltext_indexes function_order_columns hash_indexes internal_tables " +
	"linked_logins login_token masked_columns master_files numbered_procedure_parameters numbered_procedures openkeys parameters " +
	"partition_functions partition_range_values partition_schemes periods procedures query_store_plan query_store_query security_policies " +
	"selective_xml_index_paths sequences server_permissions server_principals server_role_members servers service_queues spatial_indexes " +
	"sql_dependencies sql_expression_dependencies sql_logins sql_modules stats stats_columns symmetric_keys synonyms syscolumns " +
	"sysdatabases sysindexes syslogins sysobjects sysprocesses system_columns system_objects system_sql_modules system_views systypes sysusers " +
	"table_types trigger_event_types trigger_events triggers user_token views xml_indexes xml_schema_collections "

const unplayedInformation = " check_constraints column_domain_usage column_privileges constraint_column_usage constraint_table_usage domain_constraints " +
	"domains key_column_usage parameters referential_constraints routines routine_columns schemata sequences table_constraints table_privileges " +
	"view_column_usage view_table_usage views "

const unplayedServerProperties = " buildclrversion collationid comparisonstyle editionid errorlogfilename filestreamconfiguredlevel filestreameffectivelevel " +
	"filestreamsharename hadrmanagerstatus instancedefaultbackuppath instancedefaultdatapath instancedefaultlogpath " +
	"isadvancedanalyticsinstalled isbigdatacluster isexternalauthenticationonly isexternalgovernanceenabled isfulltextinstalled " +
	"islocaldb ispolybaseinstalled isserversuspendedforsnapshotbackup issingleuser istempdbmetadatamemoryoptimized isxtpsupported lcid " +
	"licensetype numlicenses pathseparator processid productbuildtype productupdatelevel productupdatereference productupdatetype " +
	"resourcelastupdatedatetime resourceversion sqlcharset sqlcharsetname sqlsortorder sqlsortordername suspendeddatabasecount "

const unplayedDatabaseProperties = " comparisonstyle edition isansinulldefault isansinullsenabled isansipaddingenabled isansiwarningsenabled " +
	"isarithmeticabortenabled isautoclose isautocreatestatistics isautocreatestatisticsincremental isautoshrink isautoupdatestatistics isclone " +
	"isclosecursorsoncommitenabled isdatabasesuspendedforsnapshotbackup isfulltextenabled isinstandby islocalcursorsdefault " +
	"ismemoryoptimizedelevatetosnapshotenabled ismergepublished isnullconcat isnumericroundabortenabled isparameterizationforced " +
	"isquotedidentifiersenabled ispublished isrecursivetriggersenabled issubscribed issyncwithbackup istornpagedetectionenabled " +
	"isverifiedclone isxtpsupported lastgoodcheckdbtime lcid maxsizeinbytes recovery serviceobjective serviceobjectiveid sqlsortorder " +
	"useraccess version "

// listed tells whether one of the lists has name, in any case.
func listed(list, name string) bool {
	return name != "" && !strings.Contains(name, " ") && strings.Contains(list, " "+strings.ToLower(name)+" ")
}

// unplayedObject is an error for a documented view that is not played, or nil.
func unplayedObject(p place) error {
	list := ""
	switch strings.ToLower(p.schema) {
	case "sys":
		list = unplayedViews
	case "information_schema":
		list = unplayedInformation
	}
	if listed(list, p.name) {
		return errNotPlayed("view " + p.written)
	}
	return nil
}
