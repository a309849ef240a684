// npm mssql, over tedious, with its pool. Usage: node mssql_client.mjs HOST PORT SECURE_PORT CERTIFICATE CASES
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Checks } from './checks.mjs';

const sql = createRequire(`${process.env.NODE_ROOT}/`)('mssql');
const [host, port, secure, certificate, folder] = process.argv.slice(2);
const c = new Checks('mssql', folder);
const ca = readFileSync(certificate, 'utf8');

const connect = ({ user = 'judge', password = 'p@ss;1 é}', database = 'Shop', server = host, at = port, ...options } = {}) =>
  new sql.ConnectionPool({ server, port: Number(at), user, password, database, requestTimeout: 60000, arrayRowMode: true, options: { encrypt: false, maxRetriesOnTransientErrors: 0, ...options } }).connect();

const types = {
  tinyint: sql.TinyInt, smallint: sql.SmallInt, int: sql.Int, bigint: sql.BigInt, bit: sql.Bit, decimal: sql.Decimal(20, 4), float: sql.Float, date: sql.Date,
  time: sql.Time(3), datetime: sql.DateTime, datetimeoffset: sql.DateTimeOffset(3), text: sql.NVarChar(sql.MAX), binary: sql.VarBinary(60), guid: sql.UniqueIdentifier,
};
const told = (e) => [e.number, e.class, e.state, e.lineNumber];

for (const [name, options] of Object.entries({
  on: { encrypt: true, trustServerCertificate: true },
  'on, this authority': { encrypt: true, cryptoCredentialsDetails: { ca } },
  strict: { encrypt: 'strict', cryptoCredentialsDetails: { ca } },
})) {
  const pool = await connect({ at: secure, server: 'localhost', ...options });
  c.equal(`encryption ${name}`, (await pool.query('SELECT SUSER_SNAME()')).recordset[0], ['judge']);
  await pool.close();
}
await c.fails('login failure', () => connect({ password: 'wrong' }), 'ELOGIN', (e) => e.code);
await c.fails('wrong database', () => connect({ database: 'Nope' }), 'ELOGIN', (e) => e.code);

const pool = await connect();
const rows = async (text) => (await pool.request().query(text)).recordset;
await c.values(rows, { c_decimal: ['-1234567890123456700000000000', '0.0000000001'] }); // computed in doubles
await c.changes(rows);
await c.errors((text) => pool.request().batch(text), told);
await c.parameters(async (kind, value, asked) => (await pool.request().input('p', types[kind], value).query(`SELECT ${asked.replaceAll('{p}', '@p')}, @p`)).recordset[0]);

const prepared = new sql.PreparedStatement(pool);
prepared.input('id', sql.Int);
await prepared.prepare('SELECT Name FROM dbo.Orders WHERE Id = @id');
const names = [];
for (const id of [1, 3]) names.push((await prepared.execute({ id })).recordset[0].Name);
await prepared.unprepare();
c.equal('prepare, execute, unprepare', names, ['ONE', 'three']);

const help = await pool.request().input('source_schema', sql.NVarChar, 'dbo').input('source_name', sql.NVarChar, 'Orders').execute('sys.sp_cdc_help_change_data_capture');
c.equal('execute a procedure', [help.recordset[0].slice(0, 3), help.returnValue], [['dbo', 'Orders', 'dbo_Orders'], 0]);
c.equal('two results', (await pool.request().query('SELECT 1; SELECT 2')).recordsets.map((r) => r[0][0]), [1, 2]);

const waiting = pool.request();
setTimeout(() => waiting.cancel(), 200);
await c.fails('cancel', () => waiting.query("WAITFOR DELAY '00:05:00'"), 'ECANCEL', (e) => e.code);

for (const end of ['commit', 'rollback']) {
  const transaction = new sql.Transaction(pool);
  await transaction.begin(sql.ISOLATION_LEVEL.READ_COMMITTED);
  const open = (await transaction.request().query('SELECT @@TRANCOUNT')).recordset[0][0];
  await transaction[end]();
  c.equal(`transaction, ${end}`, [open, (await rows('SELECT @@TRANCOUNT'))[0][0]], [1, 0]);
}
const many = await Promise.all(Array.from({ length: 10 }, (_, i) => rows(`SELECT ${i}`)));
c.equal('ten at once', many.map((r) => r[0][0]), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
await pool.close();
c.end();
