// npm tedious. Usage: node tedious_client.mjs HOST PORT SECURE_PORT CERTIFICATE CASES
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Checks } from './checks.mjs';

const { Connection, Request, TYPES, ISOLATION_LEVEL } = createRequire(`${process.env.NODE_ROOT}/`)('tedious');
const [host, port, secure, certificate, folder] = process.argv.slice(2);
const c = new Checks('tedious', folder);
const ca = readFileSync(certificate, 'utf8');

function connect({ user = 'judge', password = 'p@ss;1 é}', database = 'Shop', server = host, at = port, ...options } = {}) {
  const connection = new Connection({
    server,
    authentication: { type: 'default', options: { userName: user, password } },
    options: { port: Number(at), database, encrypt: false, useColumnNames: false, maxRetriesOnTransientErrors: 0, requestTimeout: 60000, ...options },
  });
  return new Promise((resolve, reject) => connection.connect((e) => (e ? reject(e) : resolve(connection))));
}

// run sends a request by one of the connection's methods and gathers its rows and results.
function run(db, sql, { how = 'execSql', params = [], prepared, values } = {}) {
  return new Promise((resolve, reject) => {
    const rows = [], outs = {};
    const request = prepared ?? new Request(sql, () => {});
    request.removeAllListeners('row').on('row', (r) => rows.push(r.map((col) => col.value)));
    request.userCallback = (e) => (e ? reject(e) : resolve(Object.assign(rows, { outs })));
    for (const [name, type, value, options] of params) request.addParameter(name, type, value, options);
    db[how](request, values);
  });
}

const types = {
  tinyint: [TYPES.TinyInt], smallint: [TYPES.SmallInt], int: [TYPES.Int], bigint: [TYPES.BigInt], bit: [TYPES.Bit],
  decimal: [TYPES.Decimal, { precision: 20, scale: 4 }], float: [TYPES.Float], date: [TYPES.Date], time: [TYPES.Time, { scale: 3 }],
  datetime: [TYPES.DateTime], datetimeoffset: [TYPES.DateTimeOffset, { scale: 3 }], text: [TYPES.NVarChar], binary: [TYPES.VarBinary], guid: [TYPES.UniqueIdentifier],
};
const told = (e) => [e.number, e.class, e.state, e.lineNumber];

for (const [name, options] of Object.entries({
  off: { encrypt: false },
  on: { encrypt: true, trustServerCertificate: true, server: 'localhost' },
  'on, this authority': { encrypt: true, cryptoCredentialsDetails: { ca }, server: 'localhost' },
  strict: { encrypt: 'strict', cryptoCredentialsDetails: { ca }, server: 'localhost' },
})) {
  const db = await connect({ at: secure, ...options });
  c.equal(`encryption ${name}`, [...await run(db, 'SELECT SUSER_SNAME()')], [['judge']]);
  db.close();
}
await c.fails('encryption on, certificate not known', () => connect({ encrypt: true, at: secure, server: 'localhost' }), true, (e) => /self-signed/.test(e.message));
await c.fails('login failure', () => connect({ password: 'wrong' }), true, (e) => /Login failed for user 'judge'/.test(e.message) && e.code === 'ELOGIN');
await c.fails('wrong database', () => connect({ database: 'Nope' }), true, (e) => /Cannot open database|Login failed/.test(e.message) && e.code === 'ELOGIN');

const db = await connect();
const query = (sql) => run(db, sql);
await c.values(query, { c_decimal: ['-1234567890123456700000000000', '0.0000000001'] }); // computed in doubles
await c.changes(query);
await c.errors((sql) => run(db, sql, { how: 'execSqlBatch' }), told);
await c.parameters((kind, value, asked) => run(db, `SELECT ${asked.replaceAll('{p}', '@p')}, @p`, { params: [['p', types[kind][0], value, types[kind][1]]] }).then((r) => r[0]));

const prepared = new Request('SELECT Name FROM dbo.Orders WHERE Id = @id', () => {});
prepared.addParameter('id', TYPES.Int);
await new Promise((resolve, reject) => { prepared.on('prepared', resolve); prepared.userCallback = (e) => e && reject(e); db.prepare(prepared); });
const names = [];
for (const id of [1, 3]) names.push((await run(db, '', { how: 'execute', prepared, values: { id } }))[0][0]);
await new Promise((resolve, reject) => { prepared.userCallback = (e) => (e ? reject(e) : resolve()); db.unprepare(prepared); });
c.equal('prepare, execute', names, ['ONE', 'three']);
await c.fails('execute after unprepare', () => run(db, '', { how: 'execute', prepared, values: { id: 1 } }), 8179, (e) => e.number);

const help = await run(db, 'sys.sp_cdc_help_change_data_capture', { how: 'callProcedure', params: [['source_schema', TYPES.NVarChar, 'dbo'], ['source_name', TYPES.NVarChar, 'Orders']] });
c.equal('callProcedure', help.map((r) => r.slice(0, 3)), [['dbo', 'Orders', 'dbo_Orders']]);
await c.fails('callProcedure refused', () => run(db, 'sys.sp_cdc_get_captured_columns', { how: 'callProcedure', params: [['capture_instance', TYPES.NVarChar, 'nope']] }), 22981, (e) => e.number);

const waiting = run(db, "WAITFOR DELAY '00:05:00'");
setTimeout(() => db.cancel(), 200);
await c.fails('cancel', () => waiting, 'ECANCEL', (e) => e.code);
c.equal('usable after it', [...await query('SELECT 7')], [[7]]);

const step = (how, ...args) => new Promise((resolve, reject) => db[how]((e) => (e ? reject(e) : resolve()), ...args));
const open = async () => (await query('SELECT @@TRANCOUNT'))[0][0];
await step('beginTransaction', 'outer', ISOLATION_LEVEL.READ_COMMITTED);
await step('saveTransaction', 'Łódź');
const counts = [await open()];
await step('rollbackTransaction', 'Łódź');
counts.push(await open());
await step('commitTransaction');
counts.push(await open());
await step('beginTransaction');
await step('rollbackTransaction');
counts.push(await open());
c.equal('begin, save, roll back, commit', counts, [1, 1, 0, 0]);

await run(db, 'SET LOCK_TIMEOUT 1234', { how: 'execSqlBatch' });
const set = (await query('SELECT @@LOCK_TIMEOUT'))[0][0];
await new Promise((resolve, reject) => db.reset((e) => (e ? reject(e) : resolve())));
c.equal('reset', [set, (await query('SELECT @@LOCK_TIMEOUT'))[0][0]], [1234, -1]);
db.close();
c.end();
