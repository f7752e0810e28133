import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { opencodeDatabase } from '../../../src-main/conversations/extraction/extractors/agents/opencode/ownDatabase.ts';
import type { OwnSession, Query } from '../../../src-main/conversations/extraction/reconcile/OwnDatabase.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

const SESSION = 'ses_1';
const SINCE_MS = 5_000;

/** OpenCode's tables and indexes, with a session that works on and a count of the rows that queries return. */
class Writing {
  readonly #db = new DatabaseSync(':memory:');
  rows = 0;

  constructor() {
    const times = 'time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL';
    this.#db.exec(`
      CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, title TEXT, agent TEXT, time_created INTEGER);
      CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, ${times});
      CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL, ${times});
      CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
      CREATE INDEX part_message_id_id_idx ON part (message_id, id);
      CREATE INDEX part_session_idx ON part (session_id);
      INSERT INTO session VALUES ('${SESSION}', NULL, 'Top', 'build', 1);
      INSERT INTO session VALUES ('ses_2', '${SESSION}', 'Child (@explore subagent)', 'explore', 2);`);
  }

  readonly query: Query = (sql, ...values) => {
    const rows = this.#db.prepare(sql).all(...values);
    this.rows += rows.length;
    return rows;
  };

  message(n: number, atMs: number, { completed = null as number | null, output = n } = {}): void {
    const role = n % 2 === 0 ? 'user' : 'assistant';
    const tokens = role === 'user' ? {} : { tokens: { input: n, output, cache: { read: 0, write: 0 } } };
    const time = { created: atMs, ...(completed !== null && { completed }) };
    const data = JSON.stringify({ role, ...tokens, time });
    this.#put('message', [idOf('msg', n), SESSION, atMs, completed ?? atMs, data]);
  }

  text(n: number, text: string, part = 0): void {
    this.#part(n, part, { type: 'text', text });
  }

  call(n: number, status: string): void {
    const state = {
      status,
      input: { description: 'Look' },
      metadata: { sessionId: 'ses_2' },
      time: { start: n, end: n },
    };
    this.#part(n, 7, { type: 'tool', tool: 'task', state });
  }

  output(n: number): void {
    this.#part(n, 8, { type: 'tool', tool: 'bash', state: { output: 'x'.repeat(5_000) } });
  }

  touch(n: number, updatedMs: number): void {
    this.#db.prepare('UPDATE message SET time_updated = ? WHERE id = ?').run(updatedMs, idOf('msg', n));
  }

  undo(n: number): void {
    this.#db.prepare('DELETE FROM part WHERE message_id >= ?').run(idOf('msg', n));
    this.#db.prepare('DELETE FROM message WHERE id >= ?').run(idOf('msg', n));
  }

  /** A prompt, and an answer with the output of a tool. */
  turn(n: number): void {
    this.message(2 * n, 10_000 + 20 * n);
    this.text(2 * n, `prompt ${n}`);
    this.message(2 * n + 1, 10_010 + 20 * n, { completed: 10_019 + 20 * n });
    this.output(2 * n + 1);
    this.text(2 * n + 1, `answer ${n}`);
  }

  #part(n: number, part: number, data: object): void {
    this.#put('part', [`${idOf('prt', n)}_${part}`, idOf('msg', n), SESSION, n, n, JSON.stringify(data)]);
  }

  #put(table: string, values: (string | number)[]): void {
    const places = values.map(() => '?').join(', ');
    this.#db.prepare(`INSERT OR REPLACE INTO ${table} VALUES (${places})`).run(...values);
  }
}

const idOf = (kind: string, n: number): string => `${kind}_${String(n).padStart(6, '0')}`;

/** The rows that a read returns after one more turn of a session with `turns`. */
function rowsOfNewTurn(turns: number): number {
  const writing = new Writing();
  for (let n = 0; n < turns; n += 1) writing.turn(n);
  writing.call(1, 'running');
  const session = opencodeDatabase.open(SESSION);
  session.read(writing.query, SINCE_MS);
  writing.turn(turns);
  writing.rows = 0;
  const { talk } = session.read(writing.query, SINCE_MS);
  expect(talk.messages.map(({ text }) => text).slice(-2)).toEqual([`prompt ${turns}`, `answer ${turns}`]);
  expect(talk.usage).toHaveLength(turns + 1);
  return writing.rows;
}

describe('a session in OpenCode’s database', () => {
  test('costs as many rows per read with 4,000 messages as with 100', () => {
    const rows = rowsOfNewTurn(50);
    expect(rows).toBeLessThan(30);
    expect(rowsOfNewTurn(2_000)).toBe(rows);
  });

  test('reads as for the first time after whatever OpenCode wrote (law)', () => {
    const step = fc.record({
      kind: fc.constantFrom('turn', 'begin', 'complete', 'text', 'call', 'touch', 'undo', 'again'),
      back: fc.integer({ min: 0, max: 6 }),
      ms: fc.integer({ min: 0, max: 40 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), fc.integer({ min: 0, max: 3 }), (steps, skipped) => {
        const writing = new Writing();
        const session: OwnSession = opencodeDatabase.open(SESSION);
        let [count, atMs] = [0, 10_000];
        for (const [at, { kind, back, ms }] of steps.entries()) {
          atMs += ms - 5; // a clock may step back
          const last = Math.max(0, count - 1 - back);
          if (kind === 'turn') {
            writing.message(count, atMs, { completed: count % 2 === 0 ? null : atMs + 1 });
            writing.text(count, `text ${at}`);
            count += 1;
          } else if (kind === 'begin') writing.message(count++, atMs);
          else if (kind === 'complete') writing.message(Math.max(0, count - 1), atMs, { completed: atMs, output: at });
          else if (kind === 'text') writing.text(Math.max(0, count - 1), `more ${at}`, 1);
          else if (kind === 'call') writing.call(Math.max(0, count - 1), at % 2 === 0 ? 'running' : 'completed');
          else if (kind === 'touch') writing.touch(last, atMs);
          else if (kind === 'undo') {
            writing.undo(last);
            count = Math.min(count, last);
          }
          if (at % (skipped + 1) > 0) continue;
          expect(session.read(writing.query, SINCE_MS)).toEqual(
            opencodeDatabase.open(SESSION).read(writing.query, SINCE_MS),
          );
        }
      }),
      fuzzRuns(300),
    );
  });
});
