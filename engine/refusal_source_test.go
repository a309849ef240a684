package engine_test

import (
	"strings"

	"cdcseed/engine/verdict"
	"cdcseed/fakeserver"
)

// sourceRefusals are those of the server, the table and its capture instances.
func sourceRefusals() []refusal {
	both := instance("dbo_orders", "0x10", "2026-10-24T11:00:00") + ", " + instance("dbo_orders_v2", "0x20", "2026-10-24T11:30:00")
	more := func(column string) scene {
		return scene{columns: `{"name": "id", "type": "int"}, ` + column}
	}
	return []refusal{
		{
			name: "the server is gone", arrange: func(k *kit) { _ = k.server.Close() },
			code: verdict.SourceUnreachable, exit: 7, says: []string{"server"},
		},
		{
			name: "a wrong password", arrange: func(k *kit) { k.request.Server = strings.Replace(k.request.Server, "s3cret", "guess", 1) },
			code: verdict.LoginFailed, exit: 7, says: []string{"reader", "--password-file"},
		},
		{
			name: "a database off line", arrange: func(k *kit) { k.must(k.server.SetOffline("Sales", true)) },
			code: verdict.LoginFailed, exit: 7, says: []string{"Sales", "on line"},
		},
		{name: "an error that nothing expects", arrange: func(k *kit) {
			k.must(k.server.SetFault(fakeserver.Fault{Match: "fn_cdc_get_max_lsn", Error: &fakeserver.FaultError{Number: 50001, Message: "the moon is full"}}))
		}, code: verdict.Unexpected, exit: 1, says: []string{"the moon is full"}},
		{
			name: "CDC is off", scene: scene{database: `"cdc": false`, instances: none, mapping: none},
			code: verdict.CDCOff, exit: 3, says: []string{`"Sales"`, "sp_cdc_enable_db"},
		},
		{
			name: "no such instance", arrange: func(k *kit) { k.request.Table = "dbo_order" },
			code: verdict.NoInstance, exit: 3, says: []string{`"dbo_order"`, "similar dbo_orders", "cdcseed tables"},
		},
		{
			name: "a name that none can be", arrange: func(k *kit) { k.request.Table = "dbo_\u202eorders" },
			code: verdict.NoInstance, exit: 3, says: []string{"cannot be the name"},
		},
		{
			name: "no access to the table", scene: scene{user: `"select": []`},
			code: verdict.NoInstance, exit: 3, says: []string{"SELECT on its captured columns"},
		},
		{
			name: "no membership in the gating role", scene: scene{instances: instance("dbo_orders", "0x10", "2026-10-24T11:00:00", `"role": "cdc_readers"`)},
			code: verdict.SourceDenied, exit: 3, says: []string{"reader", "gating role"},
		},
		{
			name: "a table with two instances", scene: scene{instances: both},
			code: verdict.InstanceAmbiguous, exit: 3, says: []string{"dbo_orders, dbo_orders_v2", "--table"},
		},
		{
			name: "a reserved name", scene: more(`{"name": "_Operation", "type": "int", "nullable": true}`),
			code: verdict.ColumnReserved, exit: 3, says: []string{`"_Operation"`, "dbo_orders"},
		},
		{
			name: "a type that the stream has none for", scene: more(`{"name": "v", "type": "sql_variant", "nullable": true}`),
			code: verdict.ColumnUnmapped, exit: 3, says: []string{`"v"`, "sql_variant"},
		},
		{
			name: "keys of a table without a unique index", scene: scene{key: none},
			arrange: func(k *kit) { k.request.CountKeys = true },
			code:    verdict.NoKey, exit: 3, says: []string{"dbo_orders", "no unique index", "@index_name", "--check"},
		},
		{
			name: "case 32: new columns that Delta takes only with column mapping", scene: more(`{"name": "Order Date", "type": "date", "nullable": true}, {"name": "x=y", "type": "int", "nullable": true}`),
			arrange: func(k *kit) { k.bronzeTable(nil) },
			code:    verdict.ColumnName, exit: 3, says: []string{`"Order Date", "x=y"`, "'delta.columnMapping.mode' = 'name'"},
		},
	}
}
