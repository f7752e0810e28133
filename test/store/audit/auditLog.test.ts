import { appendFileSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuditBreak } from '../../../src-main/contract/mcp/audit.ts';
import { canonicalJson } from '../../../src-main/store/audit/auditChain.ts';
import { passes, readAuditPage } from '../../../src-main/store/audit/auditFiles.ts';
import { verifyAudit } from '../../../src-main/store/audit/verifyAudit.ts';
import { type Disk, nodeDisk } from '../../../src-main/store/files/Disk.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { AuditFolder, anEntry } from '../auditFolder.ts';
import { errno } from '../FaultyDisk.ts';

let audit: AuditFolder;

beforeEach(() => {
  audit = new AuditFolder();
});
afterEach(() => audit.dispose());

/** A file size of three or four entries. */
const SMALL = { maxFileBytes: 1200 };
const letters = (count: number): string[] => Array.from({ length: count }, (_, at) => `run ${at + 1}`);

/** A disk that refuses to write the heads that match. */
function withHeads(isRefused: (head: string) => boolean): Disk {
  const write: Disk['write'] = (fd, bytes, position) => {
    const isHead = position === 0 && bytes.length === 512;
    if (isHead && isRefused(Buffer.from(bytes).toString())) throw errno('EIO');
    return nodeDisk.write(fd, bytes, position);
  };
  return { ...nodeDisk, write };
}

async function breaks(): Promise<Pick<AuditBreak, 'kind' | 'line' | 'n'>[]> {
  const verdict = await verifyAudit(audit.path);
  expect(verdict.ok).toBe(verdict.breakCount === 0);
  return verdict.breaks.map(({ kind, line, n }) => ({ kind, line, n }));
}

describe('the audit', () => {
  test('goes on with its chain after a restart', async () => {
    await audit.write(['a', 'b']);
    await audit.write(['c']);
    expect(await verifyAudit(audit.path)).toMatchObject({ ok: true, entries: 3, first: 1, last: 3, files: 1 });
    const page = await readAuditPage(audit.path, { limit: 2 });
    expect(page.lines.map(({ n, what }) => [n, what])).toEqual([
      [3, 'c'],
      [2, 'b'],
    ]);
  });

  test('cuts a torn last line, keeps it beside, says so, and goes on', async () => {
    await audit.write(['a']);
    appendFileSync(audit.path, '{"n":2,"ts":17');
    expect(await breaks()).toEqual([]); // a kill leaves a torn line, which is no break
    const { torn } = await audit.write(['b']);
    expect(torn).toBe(14);
    expect(readdirSync(audit.folder).some((name) => name.includes('.torn-'))).toBe(true);
    expect(await verifyAudit(audit.path)).toMatchObject({ ok: true, entries: 2 });
  });

  test('that is not there is whole', async () => {
    expect(await verifyAudit(audit.path)).toMatchObject({ ok: true, entries: 0, first: 0, last: 0 });
  });

  test('is for its owner only, the head and what is full too', async () => {
    await audit.write(letters(9), SMALL);
    for (const name of audit.names)
      expect([name, statSync(join(audit.folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  test('goes on over files: a full one is named by its last entry, and the chain does not end with it', async () => {
    await audit.write(letters(5), SMALL);
    await audit.write(letters(5), SMALL);
    const full = audit.names.filter((name) => name.startsWith('audit-'));
    expect(full.length).toBeGreaterThan(1);
    const last = JSON.parse(audit.lines(full[0]).at(-1) ?? '');
    const next = JSON.parse(audit.lines(full[1])[0] ?? '');
    expect(full[0]).toBe(`audit-${String(last.n).padStart(9, '0')}.jsonl`);
    expect(next).toMatchObject({ n: last.n + 1, prev: last.sha256 });
    expect(await verifyAudit(audit.path)).toMatchObject({ ok: true, entries: 10, files: full.length + 1 });
  });

  test('lets the oldest full files go when there are too many, and stays whole without them', async () => {
    await audit.write(letters(30), { ...SMALL, keptFiles: 2 });
    const verdict = await verifyAudit(audit.path);
    expect(verdict).toMatchObject({ ok: true, files: 3, last: 30 });
    expect(verdict.first).toBeGreaterThan(15);
    expect(verdict.entries).toBe(30 - verdict.first + 1);
    rmSync(join(audit.folder, audit.names[0] ?? ''));
    expect(await breaks()).toEqual([{ kind: 'missing', line: 1, n: verdict.first }]);
  });

  test('keeps an old file while the disk does not take the head that says it goes', async () => {
    await audit.write(letters(12), SMALL);
    const [oldest = '', ...rest] = audit.names;
    const kept = { ...SMALL, keptFiles: rest.length };
    const disk = withHeads((head) => JSON.parse(head).first.n > 1);
    await audit.write(letters(12), { ...kept, disk });
    expect(audit.names).toContain(oldest);
    expect(await breaks()).toEqual([]);
    await audit.write(['next'], kept);
    expect(audit.names).not.toContain(oldest);
    expect(await breaks()).toEqual([]);
  });

  test('says that the disk does not take what vouches for it, and when it does again', async () => {
    const told: (string | null)[] = [];
    let isRefusing = false;
    const { log } = await audit.open({ disk: withHeads(() => isRefusing), onFault: (reason) => told.push(reason) });
    await log.write(anEntry());
    isRefusing = true;
    for (const what of letters(3)) await log.write(anEntry({ what }));
    expect(told).toEqual([expect.stringContaining('input/output error')]);
    isRefusing = false;
    await log.write(anEntry());
    expect(told.slice(1)).toEqual([null]);
    await log.close();
    expect(await breaks()).toEqual([]);
  });

  test('keeps an old file that is not whole: it shows what was done to it', async () => {
    await audit.write(letters(12), SMALL);
    const [oldest = ''] = audit.names;
    audit.put(oldest, audit.bytes(oldest).toString().replace('"run 2"', '"run X"'));
    await audit.write(letters(12), { ...SMALL, keptFiles: 1 });
    expect(audit.names).toContain(oldest);
    expect(await breaks()).toEqual([{ kind: 'changed', line: 2, n: 2 }]);
  });
});

describe('what was done to it shows', () => {
  test.each([
    ['changed', (lines: string[]) => lines.map((line) => line.replace('"what":"b"', '"what":"x"')), 'changed', 2],
    ['taken out', (lines: string[]) => lines.filter((_, at) => at !== 1), 'missing', 2],
    ['put in', (lines: string[]) => [...lines.slice(0, 1), lines[0] ?? '', ...lines.slice(1)], 'order', 2],
    ['put elsewhere', (lines: string[]) => [lines[1] ?? '', lines[0] ?? '', lines[2] ?? ''], 'missing', 1],
    ['taken off at the start', (lines: string[]) => lines.slice(1), 'missing', 1],
    ['emptied', (lines: string[]) => lines.map((line, at) => (at === 1 ? '' : line)), 'unreadable', 2],
  ])('a line that was %s', async (_, change, kind, line) => {
    await audit.write(['a', 'b', 'c']);
    audit.put('audit.jsonl', `${change(audit.lines()).join('\n')}\n`);
    expect((await breaks())[0]).toMatchObject({ kind, line });
  });

  test('entries that were cut off at the end, by their number; and for ever, though more is written', async () => {
    await audit.write(letters(5));
    const [first = '', second = ''] = audit.lines();
    truncateSync(audit.path, first.length + second.length + 2);
    expect(await verifyAudit(audit.path)).toMatchObject({
      breaks: [{ kind: 'missing-end', n: 3, reason: '3 entries are missing at the end' }],
    });
    const { missing } = await audit.write(['later']);
    expect(missing).toBe(3);
    expect(await verifyAudit(audit.path)).toMatchObject({
      breaks: [{ kind: 'missing', line: 3, n: 3, reason: 'entries 3 to 5 are missing before it' }],
    });
  });

  test('a log that is gone while its head is there', async () => {
    await audit.write(letters(2));
    rmSync(audit.path);
    expect(await breaks()).toEqual([{ kind: 'missing-end', line: null, n: 1 }]);
  });

  test('a last entry that is another than the one the head knows', async () => {
    const other = new AuditFolder();
    try {
      await audit.write(['a', 'b']);
      await other.write(['a', 'x']);
      audit.put('audit.jsonl', other.bytes('audit.jsonl'));
      expect(await breaks()).toMatchObject([{ kind: 'order', line: 2, n: 2 }]);
    } finally {
      other.dispose();
    }
  });

  test('entries that were put behind the end; a head of an earlier day is the same', async () => {
    await audit.write(['a']);
    const head = audit.bytes('audit.head.json');
    await audit.write(['b', 'c']);
    audit.put('audit.head.json', head);
    expect(await breaks()).toEqual([{ kind: 'added-end', line: null, n: 2 }]);
    await audit.write(['d']);
    expect(await verifyAudit(audit.path)).toMatchObject({ ok: true, trustedTo: 3 });
  });

  test('a head that is gone, which is made anew and says from where it vouches', async () => {
    await audit.write(['a', 'b']);
    rmSync(join(audit.folder, 'audit.head.json'));
    expect(await breaks()).toEqual([{ kind: 'head', line: null, n: null }]);
    await audit.write(['c']);
    expect(await verifyAudit(audit.path)).toMatchObject({ ok: true, trustedTo: 2 });
  });

  test('law: a byte that was changed, in any file', async () => {
    await audit.write(letters(8), SMALL);
    const good = audit.save();
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), async (file, where, by) => {
        const name = audit.names[file % good.size] ?? '';
        const bad = Buffer.from(good.get(name) ?? '');
        const at = where % bad.length;
        bad[at] = ((bad[at] ?? 0) + by) % 256;
        audit.put(name, bad);
        const { ok } = await verifyAudit(audit.path);
        audit.put(name, good.get(name) ?? '');
        expect(ok, `byte ${at} of ${name}`).toBe(false);
      }),
      fuzzRuns(150),
    );
  });

  test('law: a cut anywhere, of any file', async () => {
    await audit.write(letters(8), SMALL);
    const good = audit.save();
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), async (file, where) => {
        const name = audit.names[file % good.size] ?? '';
        const whole = good.get(name) ?? Buffer.alloc(0);
        audit.put(name, whole.subarray(0, where % whole.length));
        const { ok } = await verifyAudit(audit.path);
        audit.put(name, whole);
        expect(ok, `${name} cut at ${where % whole.length}`).toBe(false);
      }),
      fuzzRuns(100),
    );
  });

  test('law: lines that were taken out, told twice or exchanged, and files too', async () => {
    await audit.write(letters(14), SMALL);
    const good = audit.save();
    const files = audit.names.filter((name) => name.endsWith('.jsonl'));
    const all = files.flatMap((name) => audit.lines(name));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('out', 'twice', 'exchange', 'file out', 'files exchange'),
        fc.nat(),
        fc.nat(),
        async (how, a, b) => {
          const lines = [...all];
          const [one, other] = [a % lines.length, b % lines.length];
          const [file = '', second = ''] = [files[a % files.length], files[b % files.length]];
          fc.pre(how === 'exchange' ? one !== other : how === 'files exchange' ? file !== second : true);
          if (how === 'file out') rmSync(join(audit.folder, file));
          else if (how === 'files exchange') {
            audit.put(file, good.get(second) ?? '');
            audit.put(second, good.get(file) ?? '');
          } else {
            if (how === 'out') lines.splice(one, 1);
            if (how === 'twice') lines.splice(other, 0, lines[one] ?? '');
            if (how === 'exchange') [lines[one], lines[other]] = [lines[other] ?? '', lines[one] ?? ''];
            let from = 0;
            for (const name of files) {
              const count = name === files.at(-1) ? lines.length : audit.lines(name).length;
              audit.put(name, `${lines.slice(from, from + count).join('\n')}\n`);
              from += count;
            }
          }
          const { ok } = await verifyAudit(audit.path);
          audit.restore(good);
          expect(ok, how).toBe(false);
        },
      ),
      fuzzRuns(100),
    );
  });

  test('a full file that got another name', async () => {
    await audit.write(letters(8), SMALL);
    renameSync(join(audit.folder, audit.names[0] ?? ''), join(audit.folder, 'audit-000000002.jsonl'));
    expect((await verifyAudit(audit.path)).ok).toBe(false);
  });
});

test('law: pages, one after the other, are all entries that pass, newest first', async () => {
  const { log } = await audit.open({ ...SMALL, keptFiles: 99 });
  const decisions = ['allowed', 'approved', 'denied', 'expired', 'refused', 'cancelled'] as const;
  for (let at = 0; at < 40; at++)
    await log.write(
      anEntry({
        client: `c${at % 3}`,
        pty: at % 5 ? `t${at % 4}` : null,
        decision: decisions[at % 6] ?? 'allowed',
        reads: at % 4 === 1 ? at : null,
      }),
    );
  const { lines } = await log.page({ limit: 500 });
  expect(lines.map(({ n }) => n)).toEqual(Array.from({ length: 40 }, (_, at) => 40 - at));
  const filters = fc.record(
    {
      client: fc.constantFrom('c0', 'c2', 'nobody'),
      pty: fc.constantFrom('t1', 't3'),
      decisions: fc.uniqueArray(fc.constantFrom(...decisions)),
      reads: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9 }), filters, async (limit, filter) => {
      const found: number[] = [];
      let page = await log.page({ limit, filter });
      for (;;) {
        found.push(...page.lines.map(({ n }) => n));
        if (!page.next) break;
        page = await log.page({ limit, filter, before: page.next });
      }
      expect(found).toEqual(lines.filter((line) => passes(line, filter)).map(({ n }) => n));
    }),
    fuzzRuns(60),
  );
  await log.close();
});

test('equal arguments have equal digests, whatever the order of their keys', () => {
  expect(canonicalJson({ b: [1, { d: 2, c: 3 }], a: null })).toBe(canonicalJson({ a: null, b: [1, { c: 3, d: 2 }] }));
  expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ a: 2 }));
});
