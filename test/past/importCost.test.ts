import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { importPast } from '../../src-main/past/importPast.ts';
import { pastPath } from '../../src-main/store/past/PastFile.ts';
import { PastHome } from './support/PastHome.ts';
import { LINE_FORMS, type Session, sessionId, writeDatabase, writeSession } from './support/syntheticLogs.ts';

const KINDS = [...LINE_FORMS.map(({ agent }) => agent), 'opencode'];
const SESSIONS = 120;
/** What this thread has read and written; only on Linux. */
const IO = '/proc/thread-self/io';

function write(home: string, agent: string, turnsEach = 1): void {
  const all = Array.from({ length: SESSIONS }, (_, n): Session => {
    const turns = Array.from({ length: turnsEach }, () => ({ prompt: `Question ${n}`, answer: `Answer ${n}` }));
    return { id: sessionId(agent, n), cwd: '/work', atMs: Date.UTC(2026, 0, 1) + n * 600_000, turns };
  });
  const form = LINE_FORMS.find((one) => one.agent === agent);
  if (!form) writeDatabase(home, all);
  else for (const one of all) writeSession(home, form, one);
}

/** Imports; returns the number of statements, full table scans of those that ran more than twice, and the characters of all parameters. */
function watched(place: PastHome): { statements: number; scans: string[]; chars: number } {
  return place.open((file) => {
    const ran = new Map<string, number>();
    let chars = 0;
    for (const name of ['get', 'all', 'run'] as const) {
      const spied = vi.spyOn(file, name);
      onTestFinished(() => spied.mockRestore());
    }
    for (const _ of importPast(file, { home: place.home, env: {}, keepsText: true }));
    const calls = [file.get, file.all, file.run].flatMap(
      (one) => vi.mocked(one).mock.calls as [string, ...unknown[]][],
    );
    for (const [sql, ...values] of calls) {
      ran.set(sql, (ran.get(sql) ?? 0) + 1);
      for (const value of values) if (typeof value === 'string') chars += value.length;
    }
    const scans = [...ran].flatMap(([sql, times]) =>
      times <= 2
        ? []
        : file
            .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
            .flatMap(({ detail }) => (/^SCAN (?!CONSTANT ROW)/.test(detail) ? [`${detail}: ${sql}`] : [])),
    );
    return { statements: calls.length, scans, chars };
  });
}

function writtenBytes(): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(IO, 'utf8'))?.[1]);
}

describe.each(KINDS)('the import of %s', (agent) => {
  test('reads no whole table for each conversation, and writes no list of all of them', () => {
    using place = new PastHome();
    write(place.home, agent);
    const { statements, scans, chars } = watched(place);
    expect(statements).toBeGreaterThan(SESSIONS);
    expect(scans).toEqual([]);
    expect(chars / SESSIONS).toBeLessThan(2_000);
  });

  test.runIf(existsSync(IO))('writes little more than the log of changes and the file', () => {
    using place = new PastHome();
    write(place.home, agent, 8);
    vi.useFakeTimers({ toFake: ['performance'] }); // on a slow machine too, the import is one transaction
    onTestFinished(() => void vi.useRealTimers());
    const before = writtenBytes();
    place.import();
    expect((writtenBytes() - before) / statSync(pastPath(place.dataFolder)).size).toBeLessThan(5);
  });

  test('asks once for each file when nothing is new', () => {
    using place = new PastHome();
    write(place.home, agent);
    place.import();
    expect(watched(place).statements).toBeLessThanOrEqual(SESSIONS + 1);
  });

  test('adds nothing twice when it was stopped in the middle', () => {
    using place = new PastHome();
    write(place.home, agent);
    place.open((file) => {
      let reports = 0;
      for (const _ of importPast(file, { home: place.home, env: {}, keepsText: true })) if (++reports > 50) break;
    });
    expect(place.counts().conversations).toBeLessThan(SESSIONS);
    place.import();
    expect({ ...place.counts(), usage: 0 }).toEqual({ conversations: SESSIONS, messages: 2 * SESSIONS, usage: 0 });
  });
});
