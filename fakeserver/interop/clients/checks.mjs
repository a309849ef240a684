// What the JavaScript clients share: the kept cases, and a count of what held and what did not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

// Checks has the cases of a folder and what a client made of them. A failure is told at once and does not stop the rest.
export class Checks {
  held = 0;
  failed = 0;

  constructor(client, folder) {
    this.client = client;
    this.folder = folder;
  }

  cases(name) {
    const lines = readFileSync(join(this.folder, name), 'utf8').split('\n').filter((l) => l !== '' && !l.startsWith('#'));
    return lines.map((l) => l.split('\t').map((f) => f.replaceAll('\\e', '').replaceAll('\\n', '\n')));
  }

  true(what, holds, told) {
    if (holds) this.held++;
    else this.failed++;
    console.log(`${holds ? 'ok' : 'not ok'} ${this.client}: ${what}${holds ? '' : `: ${told}`}`);
  }

  equal(what, got, want) {
    this.true(what, isDeepStrictEqual(got, want), `${JSON.stringify(got)}, and not ${JSON.stringify(want)}`);
  }

  // fails: run must be refused with an error whose told(error) is want.
  async fails(what, run, want, told) {
    try {
      this.true(what, false, `no error but ${JSON.stringify(await run())}`);
    } catch (e) {
      this.equal(what, told(e), want);
    }
  }

  // values compares every column type, with values and NULL. own has what this client reads in a way of its own.
  async values(query, own = {}) {
    const cases = this.cases('values.tsv');
    const rows = await query(`SELECT ${cases.map((c) => c[0]).join(', ')} FROM dbo.Types ORDER BY n`);
    cases.forEach(([column, kind, ...kept], i) => {
      const got = rows.map((r) => text(kind, r[i]));
      const wanted = [...(own[column] ?? kept), 'NULL'];
      this.true(`values ${column}`, got.length === 3 && got.every((g, n) => same(kind, g, wanted[n])), `${got}, and not ${wanted}`);
    });
  }

  async changes(query) {
    for (const [what, sql, want] of this.cases('cdc.tsv')) {
      const rows = await query(sql);
      this.equal(`cdc ${what}`, rows.map((r) => r.map((v) => text('', v)).join('|')).join(';'), want);
    }
  }

  // errors: told gives number, class, state and line of what the client was refused with.
  async errors(run, told) {
    for (const [number, cls, state, line, sql] of this.cases('errors.tsv')) {
      await this.fails(`error ${number}`, () => run(sql), [number, cls, state, line].map(Number), told);
    }
  }

  // parameters: ask(kind, value, asked) sends a parameter, and gets what the server read and the parameter itself.
  async parameters(ask, own = {}) {
    for (const [kind, want, asked] of this.cases('parameters.tsv')) {
      const wanted = own[kind] ?? want;
      const got = await ask(kind, native(kind, want), asked).then((r) => r.map((v) => text(kind, v)), (e) => [String(e)]);
      this.true(`parameter ${kind}`, got.length === 2 && got.every((g) => same(kind, g, wanted)), `${got}, and not ${wanted}`);
      const nothing = await ask(kind, null, asked).catch((e) => [String(e)]);
      this.equal(`parameter ${kind}, NULL`, nothing, [null, null]);
    }
    for (const size of [4000, 4001, 100000]) {
      const long = 'éàü'.repeat(size).slice(0, size);
      const got = await ask('text', long, 'DATALENGTH({p})');
      this.true(`parameter text of ${size}`, Number(got[0]) === 2 * size && got[1] === long, `${got[0]} bytes`);
    }
  }

  end() {
    console.log(`${this.client}: ${this.held} held, ${this.failed} failed`);
    process.exitCode = this.failed ? 1 : 0;
  }
}

// native is a parameter's value as JavaScript has it.
function native(kind, value) {
  switch (kind) {
    case 'tinyint': case 'smallint': case 'int': case 'decimal': case 'float': return Number(value);
    case 'bit': return value === '1';
    case 'date': return new Date(`${value}T00:00:00Z`);
    case 'time': return new Date(`1970-01-01T${value}Z`);
    case 'datetime': return new Date(`${value.replace(' ', 'T')}Z`);
    case 'datetimeoffset': return new Date(value.replace(' ', 'T').replace(' ', ''));
    case 'binary': return Buffer.from(value.slice(2), 'hex');
  }
  return value;
}

// text is a value as the kept cases write it. A Date has milliseconds, and what is left of a second beside them.
export function text(kind, v) {
  if (v === null) return 'NULL';
  if (typeof v === 'boolean') return v ? '1' : '0';
  if (Buffer.isBuffer(v)) return `0x${v.toString('hex').toUpperCase()}`;
  if (v instanceof Date) return dateText(kind, v);
  return String(v);
}

function dateText(kind, v) {
  const iso = v.toISOString().replace(/^\+0*/, '');
  const [day, time] = iso.slice(0, -1).split('T');
  const clock = time + String(Math.round((v.nanosecondsDelta ?? 0) * 1e7)).padStart(4, '0');
  if (kind === 'date') return day;
  return kind === 'time' ? clock : `${day} ${clock}`;
}

// same says whether two texts of a kind are one value, as far as a JavaScript number, or a Date, can tell.
function same(kind, got, want) {
  if (got === 'NULL' || want === 'NULL') return got === want;
  if (['float', 'decimal', 'money'].includes(kind)) return Number(got) === Number(want);
  if (kind === 'datetimeoffset') return instant(got) === instant(want);
  if (['time', 'datetime'].includes(kind)) return trimmed(got) === trimmed(want);
  return got === want;
}

function trimmed(t) {
  return t.includes('.') ? t.replace(/\.?0+$/, '') : t;
}

// instant is a datetimeoffset in UTC: a Date keeps no offset.
function instant(t) {
  const [, day, clock, fraction = '', sign, hours, minutes] = /^(\S+) ([0-9:]+)(\.\d+)?(?: ([+-])(\d\d):(\d\d))?$/.exec(t);
  const east = sign ? (sign === '-' ? -1 : 1) * (60 * Number(hours) + Number(minutes)) : 0;
  return `${Date.parse(`${day}T${clock}Z`) - 60000 * east} ${trimmed(fraction)}`;
}
