import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { AuditLine } from '../../../src-main/contract/mcp/audit.ts';
import { ClientAudit } from '../../../src-main/mcp/audit/ClientAudit.ts';
import { Notices } from '../../../src-main/notices/Notices.ts';
import { readAuditPage } from '../../../src-main/store/audit/auditFiles.ts';
import { checkAudit } from '../../../src-main/store/audit/verifyAudit.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { filesAtRest } from '../../support/filesAtRest.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

const KEEP_MS = 5_000;

/** Successive cores on one data folder. */
class Cores {
  readonly folder = mkdtempSync(join(tmpdir(), 'hansard-kept-'));
  readonly path = join(this.folder, 'audit.jsonl');
  readonly counts = join(this.folder, 'audit.counts.json');
  clock = new FakeClock();
  audit = this.#make();

  #make(): ClientAudit {
    return new ClientAudit({
      ...{ dataFolder: this.folder, clock: this.clock, notices: new Notices(), log: silentLog },
      isTerminal: () => false,
    });
  }

  async start(): Promise<void> {
    this.clock = new FakeClock(this.clock.nowMs());
    this.audit = this.#make();
    await this.audit.open();
  }

  look(what: string, tool = 'blocks_read'): void {
    const caller = { name: 'cli', terminalId: null, account: 'one' };
    this.audit.hasRead({ caller, terminalId: null, tool, what, end: 'answered', bytes: 10 });
  }

  /** Advances the clock, then waits until the writes that this causes are in the file. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await filesAtRest();
  }

  /** Abandons the core as a kill does. The next core has its own clock, so the old one's timers never run. */
  async kill(): Promise<void> {
    await this.start();
  }

  async lines(): Promise<readonly AuditLine[]> {
    return (await readAuditPage(this.path, { limit: 1_000 })).lines.toReversed();
  }

  async told(): Promise<string[]> {
    return (await this.lines()).map(({ tool, what }) => `${tool}: ${what}`);
  }

  async end(): Promise<void> {
    await this.audit.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function cores(): Promise<Cores> {
  const all = new Cores();
  onTestFinished(() => all.end());
  await all.start();
  return all;
}

test('what was only counted when a kill came is told at the next start, once', async () => {
  const all = await cores();
  for (let n = 0; n < 5; n++) all.look('block t1.1');
  all.look('block t1.2');
  all.look('', 'pty_list');
  await all.pass(KEEP_MS);
  await all.kill();
  const expected = [
    'blocks_read: block t1.1',
    'pty_list: ',
    'blocks_read: 5 more before Hansard was killed: block t1.1 (4 times); block t1.2',
  ];
  expect(await all.told()).toEqual(expected);
  expect((await all.lines()).at(-1)).toMatchObject({ client: 'cli', reads: 5, bytes: 50, rule: 'observe' });
  await all.kill();
  expect(await all.told()).toEqual(expected);
  expect(await checkAudit(all.path)).toMatchObject({ verdict: { ok: true, entries: 3 } });
});

test('a kill between the line of a count and the file that keeps it tells nothing twice', async () => {
  const all = await cores();
  for (let n = 0; n < 3; n++) all.look('block t1.1');
  await all.pass(KEEP_MS);
  const kept = readFileSync(all.counts, 'utf8');
  await all.pass(60_000);
  writeFileSync(all.counts, kept);
  await all.kill();
  expect(await all.told()).toEqual(['blocks_read: block t1.1', 'blocks_read: 2 more within a minute: block t1.1']);
});

test('a core that ends as it should leaves nothing to tell', async () => {
  const all = await cores();
  for (let n = 0; n < 3; n++) all.look('block t1.1');
  await all.pass(KEEP_MS);
  expect(statSync(all.counts).mode & 0o777).toBe(0o600);
  await all.audit.close();
  await all.start();
  expect(await all.told()).toEqual(['blocks_read: block t1.1', 'blocks_read: 2 more within a minute: block t1.1']);
});

test.each([
  ['half a file', '{"version":1,"n":3,"entr'],
  ['an entry of no shape', '{"version":1,"n":3,"entries":[{"client":7}]}'],
])('%s is put aside, and the core starts', async (_, text) => {
  const all = await cores();
  all.look('block t1.1');
  writeFileSync(all.counts, text);
  await all.kill();
  expect(await all.told()).toEqual(['blocks_read: block t1.1']);
});

test('law: whenever kills come, each read is told once, but those of the last five seconds before a kill', async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ looks: fc.integer({ min: 1, max: 4 }), tool: fc.constantFrom('a', 'b') }) },
    { weight: 4, arbitrary: fc.record({ ms: fc.constantFrom(1_000, KEEP_MS, 60_000, 700_000) }) },
    { weight: 2, arbitrary: fc.constant('kill' as const) },
    { weight: 1, arbitrary: fc.constant('look' as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const all = new Cores();
      try {
        await all.start();
        let looks = 0;
        let unsure = 0;
        let sinceKept = 0;
        for (const each of steps) {
          if (each === 'kill') {
            unsure += sinceKept;
            sinceKept = 0;
            await all.kill();
          } else if (each === 'look') await all.audit.page({ limit: 1 });
          else if ('ms' in each) {
            await all.pass(each.ms);
            if (each.ms >= KEEP_MS) sinceKept = 0;
          } else {
            for (let n = 0; n < each.looks; n++) all.look('x', each.tool);
            looks += each.looks;
            sinceKept += each.looks;
          }
        }
        await all.audit.close();
        const told = (await all.lines()).reduce((sum, { reads }) => sum + (reads ?? 0), 0);
        expect(told).toBeLessThanOrEqual(looks);
        expect(told).toBeGreaterThanOrEqual(looks - unsure);
      } finally {
        await all.end();
      }
    }),
    fuzzRuns(40),
  );
});
