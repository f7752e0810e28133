import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AuditEntry, AuditLog, canonicalJson, readAudit, verifyAudit } from '../../src-main/store/auditLog.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hansard-audit-'));
  path = join(folder, 'audit.jsonl');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(): Promise<{ log: AuditLog; torn: number }> {
  return AuditLog.open(path, { clock: systemClock, log: silentLog, clean: (text) => text });
}

function entry(what: string): AuditEntry {
  return {
    client: 'cli',
    callerPty: null,
    pty: 't1',
    tool: 'pty_exec',
    what,
    args: { cmd: what },
    decision: 'allowed',
    rule: 'allow[0]',
    bytes: what.length + 1,
  };
}

async function write(...whats: string[]): Promise<void> {
  const { log } = await open();
  for (const what of whats) await log.write(entry(what));
  await log.close();
}

describe('the audit', () => {
  test('goes on with its chain after a restart', async () => {
    await write('a', 'b');
    await write('c');
    expect(await verifyAudit(path)).toEqual({ ok: true, lines: 3 });
    expect((await readAudit(path, { limit: 2 })).map(({ n, what }) => [n, what])).toEqual([
      [2, 'b'],
      [3, 'c'],
    ]);
    expect((await readAudit(path, { limit: 9, beforeN: 2 })).map(({ what }) => what)).toEqual(['a']);
  });

  test('cuts a torn last line, keeps it beside, says so, and goes on', async () => {
    await write('a');
    appendFileSync(path, '{"n":2,"ts":17');
    expect(await verifyAudit(path)).toEqual({ ok: false, line: 2, reason: 'the line is not whole' });
    const { log, torn } = await open();
    await log.write(entry('b'));
    await log.close();
    expect(torn).toBe(14);
    expect(readdirSync(folder).some((name) => name.includes('.torn-'))).toBe(true);
    expect(await verifyAudit(path)).toEqual({ ok: true, lines: 2 });
  });

  test('that is not there is whole', async () => {
    expect(await verifyAudit(path)).toEqual({ ok: true, lines: 0 });
  });

  test.each([
    [
      'changed',
      (lines: string[]) => lines.map((line, at) => (at === 1 ? line.replace('"what":"b"', '"what":"x"') : line)),
      2,
    ],
    ['taken out', (lines: string[]) => lines.filter((_, at) => at !== 1), 2],
    ['put in', (lines: string[]) => [...lines.slice(0, 1), lines[0] ?? '', ...lines.slice(1)], 2],
    ['put elsewhere', (lines: string[]) => [lines[1] ?? '', lines[0] ?? '', lines[2] ?? ''], 1],
    ['taken off at the start', (lines: string[]) => lines.slice(1), 1],
  ])('shows a line that was %s', async (_, change, line) => {
    await write('a', 'b', 'c');
    writeFileSync(path, `${change(readFileSync(path, 'utf8').trimEnd().split('\n')).join('\n')}\n`);
    expect(await verifyAudit(path)).toMatchObject({ ok: false, line });
  });

  test('law: no byte can be changed unseen', async () => {
    await write('a', 'b');
    const good = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const bad = Buffer.from(good);
        bad[at] = ((bad[at] ?? 0) + by) % 256;
        writeFileSync(path, bad);
        expect((await verifyAudit(path)).ok).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});

test('equal arguments have equal digests, whatever the order of their keys', () => {
  expect(canonicalJson({ b: [1, { d: 2, c: 3 }], a: null })).toBe(canonicalJson({ a: null, b: [1, { c: 3, d: 2 }] }));
  expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ a: 2 }));
});
