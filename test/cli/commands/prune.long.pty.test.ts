import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Block } from '../../../src-main/contract/block.ts';
import { spawnNodePty } from '../../../src-main/pty/NodePty.ts';
import { SearchIndexer } from '../../../src-main/search/SearchIndexer.ts';
import { restedPath } from '../../../src-main/store/files/openRecordFile.ts';
import { processStart } from '../../../src-main/store/files/processIdentity.ts';
import { weigh } from '../../../src-main/store/files/weigh.ts';
import { IndexFile, indexPath } from '../../../src-main/store/index/IndexFile.ts';
import { isWhole } from '../../../src-main/store/index/isWhole.ts';
import { DayLedger, ledgerPath } from '../../../src-main/store/record/dayLedger.ts';
import type { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { trashItems } from '../../../src-main/store/record/trash.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { CLI } from '../../support/builtProgram.ts';
import { ROOT } from '../../support/sourceFiles.ts';
import { eventually, Installation } from '../Installation.ts';
import { recordTerminal, writeTabs } from '../recordFolder.ts';
import { cliEnv, runCli } from '../runCli.ts';

const root = suiteFolder('cli-prune');
let round = 0;
let home = '';
const run = (...args: string[]) => runCli(['prune', ...args], { home });
const DAY_MS = 24 * 3600_000;
/** The current day of use in these tests. */
const TODAY = 1_000;
const TEXT = 'all work and no play\n'.repeat(10_000);

/** Records a terminal that is unused for `daysAgo` days, in the ledger and in its file times. */
async function record(id: string, daysAgo: number, more: Partial<Block> = {}): Promise<SessionFolder> {
  const raw = TEXT.replaceAll('\n', '\r\n');
  const folder = await recordTerminal(home, id, [{ id: `b1-${id}`, raw, text: TEXT, ...more }], { name: `n-${id}` });
  const atS = (Date.now() - daysAgo * DAY_MS) / 1000;
  for (const entry of readdirSync(folder.root, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(folder.root, entry), atS, atS);
  const { lastUsedMs } = await weigh(folder.root);
  const path = ledgerPath(home);
  const ledger = DayLedger.parse(
    existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { day: TODAY, dates: ['-'] },
  );
  ledger.used[id] = { changedMs: lastUsedMs, day: TODAY - daysAgo };
  writeFileSync(path, JSON.stringify(ledger));
  return folder;
}

beforeEach(() => {
  round += 1;
  home = join(root, String(round));
  mkdirSync(home, { mode: 0o700 });
});

function limitDays(days: number): void {
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ 'retention.days': days, 'retention.daysChosen': true }));
}

describe('hansard prune', () => {
  test('--dry-run tells what would go and why, and removes nothing', async () => {
    const old = await record('told', 40);
    await record('tnew', 1);
    const { code, stdout, stderr } = await run('--dry-run', '--days', '30');
    expect([code, existsSync(old.root)]).toEqual([0, true]);
    expect(stdout).toMatch(
      /^TERMINAL +UNUSED +SIZE +WHY +TITLE\ntold +40 days +4\d\d KiB +unused for too long +n-told\n$/,
    );
    expect(stderr).toMatch(
      /^hansard: 1 terminal \(4\d\d KiB\) would move to the trash, 1 terminal \(4\d\d KiB\) stays\. Nothing was moved\.\n$/,
    );
  });

  test('removes nothing without --yes where nobody can be asked, and says so', async () => {
    const old = await record('told', 40);
    const { code, stdout, stderr } = await run('--days', '30');
    expect([code, stdout, existsSync(old.root)]).toEqual([1, '', true]);
    expect(stderr).toContain('Nothing was moved; --yes moves them.');
  });

  test('--yes removes what is old; tabs and bookmarked ones stay; --days is a limit of its own', async () => {
    const folders = [await record('told', 40), await record('tnew', 2), await record('ttab', 40)];
    folders.push(await record('tmark', 40, { bookmarked: true }));
    writeTabs(home, ['ttab']);
    limitDays(30);
    const { code, stdout } = await run('--yes', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      dryRun: false,
      limits: { days: 30, bytes: 10 * 1024 ** 3 },
      removed: [expect.objectContaining({ id: 'told', title: 'n-told', why: 'age' })],
      failed: [],
      waiting: 0,
      kept: { terminals: 3, bytes: expect.any(Number) },
      trash: { terminals: 1, bytes: expect.any(Number) },
      compressed: null,
    });
    expect(folders.map(({ root: path }) => existsSync(path))).toEqual([false, true, true, true]);
    const sooner = JSON.parse((await run('--yes', '--json', '--days', '1')).stdout);
    expect(sooner.removed.map(({ id }: { id: string }) => id)).toEqual(['tnew']);
  });

  test('takes the words of what it removes out of the index, and leaves those of what stays', async () => {
    await record('told', 40, { cmd: 'echo quarantineflag' });
    await record('tnew', 1, { cmd: 'echo harbourlight' });
    const keeper = new SearchIndexer(home, silentLog);
    keeper.look();
    await keeper.settled();
    await keeper.close();
    const holds = (word: string) => readFileSync(indexPath(home)).includes(word);
    expect([holds('quarantineflag'), holds('harbourlight')]).toEqual([true, true]);
    expect((await run('--yes', '--days', '30')).code).toBe(0);
    expect([holds('quarantineflag'), holds('harbourlight')]).toEqual([false, true]);
    const index = IndexFile.openToRead(home);
    expect(await isWhole(home, index)).toBe(true);
    index.close();
  });

  test('an index that is damaged goes with what it removes', async () => {
    await record('told', 40);
    writeFileSync(indexPath(home), 'no database at all');
    expect((await run('--yes', '--days', '30')).code).toBe(0);
    expect(readFileSync(indexPath(home)).includes('no database')).toBe(false);
  });

  test('has no age limit by default and ignores the former default of 30 days', async () => {
    await record('told', 400);
    const listed = async () => JSON.parse((await run('--dry-run', '--json')).stdout);
    expect(await listed()).toMatchObject({ removed: [], limits: { days: 0 } });
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ 'retention.days': 30 }));
    expect(await listed()).toMatchObject({ removed: [], limits: { days: 0 } });
    for (const days of [7, 30]) {
      limitDays(days);
      expect(await listed()).toMatchObject({ removed: [{ id: 'told', why: 'age' }], limits: { days } });
    }
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ 'retention.days': 0, 'retention.bytes': 1000 }));
    expect(await listed()).toMatchObject({ removed: [{ id: 'told', why: 'size' }] });
  });

  test('keeps terminals whose files are dated 1970 and terminals that the ledger does not know', async () => {
    await record('told', 0);
    await recordTerminal(home, 'unknown', []);
    for (const id of ['told', 'unknown']) {
      const folder = join(home, 'terminals', id);
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
        utimesSync(join(folder, name), 1, 1);
    }
    expect(JSON.parse((await run('--yes', '--json', '--days', '1')).stdout).removed).toEqual([]);
  });

  test('--yes moves at most 5 % of the closed terminals and says how many wait; --all moves the rest', async () => {
    for (let at = 0; at < 41; at += 1) await record(`t${at}`, 100 + at);
    const first = await run('--yes', '--days', '30');
    expect(first.stderr).toContain('39 more beyond the limits: a run moves at most 5 % of the closed terminals');
    expect(
      trashItems(home)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['t39', 't40']);
    const { stdout } = await run('--yes', '--all', '--days', '30', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ waiting: 0, kept: { terminals: 0 }, trash: { terminals: 41 } });
  });

  test('lists the trash, restores one terminal or all of them, and finds their words again', async () => {
    const told = await record('told', 40, { cmd: 'echo quarantineflag' });
    const other = await record('tother', 41);
    const before = readFileSync(told.raw);
    await run('--yes', '--all', '--days', '30');
    const { stdout } = await run('--list-trash', '--json');
    expect(JSON.parse(stdout).trash).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: 'told', title: 'n-told', daysLeft: 7 })]),
    );
    expect((await run('--list-trash')).stdout).toMatch(/^TERMINAL +DAYS OF USE LEFT +SIZE +TITLE\n/);
    const missing = await run('--restore', 'nobody');
    expect([missing.code, missing.stderr]).toEqual([66, expect.stringContaining('--list-trash')]);
    expect((await run('--restore', 'told')).stdout).toBe('told\n');
    expect([existsSync(told.root), existsSync(other.root)]).toEqual([true, false]);
    expect(readFileSync(told.raw).equals(before)).toBe(true);
    expect((await runCli(['search', 'quarantineflag'], { home })).stdout).toContain('quarantineflag');
    expect(JSON.parse((await run('--dry-run', '--json', '--days', '30')).stdout).removed).toEqual([]);
    expect((await run('--restore')).stdout).toBe('tother\n');
    expect((await run('--restore')).stderr).toContain('the trash is empty');
  });

  test('--empty-trash deletes only with --yes where nobody can be asked', async () => {
    await record('told', 40);
    await run('--yes', '--days', '30');
    const asked = await run('--empty-trash');
    expect([asked.code, asked.stderr, trashItems(home).length]).toEqual([
      1,
      expect.stringContaining('Nothing was deleted; --yes deletes them.'),
      1,
    ]);
    expect((await run('--empty-trash', '--yes')).stderr).toContain('1 terminal (4');
    expect(readdirSync(join(home, 'trash'))).toEqual([]);
  });

  test.each([
    ['a plain Return is a no', '\r', 1, true],
    ['an n is a no', 'n\r', 1, true],
    ['the end of input is a no', '\x04', 1, true],
    ['a y removes what was listed', 'y\r', 0, false],
  ])('at a terminal it asks: %s', async (_, answer, expectedCode, isThere) => {
    const old = await record('told', 40);
    const pty = spawnNodePty({
      file: process.execPath,
      argv: [CLI, 'prune', '--days', '30'],
      cwd: ROOT,
      env: { ...cliEnv({ home }), TERM: 'xterm-256color' },
      cols: 100,
      rows: 24,
    });
    let text = '';
    pty.onBytes((bytes) => {
      const hadAsked = text.includes('[y/N]');
      text += Buffer.from(bytes).toString();
      if (!hadAsked && text.includes('[y/N]')) pty.write(answer);
    });
    const { exitCode } = await new Promise<{ exitCode: number | null }>((resolve) => pty.onExit(resolve));
    pty.dispose();
    expect(text).toContain('n-told');
    expect([exitCode, existsSync(old.root)], text).toEqual([expectedCode, isThere]);
  });

  test('--compress makes closed terminals small; blocks, raw bytes, the list and doctor read them as before', async () => {
    const folder = await record('trest', 2);
    const tab = await record('ttab', 2);
    writeTabs(home, ['ttab']);
    const cli = (...args: string[]) => runCli(args, { home });
    const reads = [
      ['block', 'b1-trest'],
      ['block', 'b1-trest', '--raw'],
      ['block', 'b1-trest', '--json'],
      ['blocks', '-t', 'trest', '--json'],
      ['ls', '--all', '--json'],
    ];
    const before = await Promise.all(reads.map((args) => cli(...args)));
    const { code, stderr } = await run('--compress');
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/\n.*2 files compressed: 4\d\d KiB are 1\d\d bytes now\.\n$/),
    ]);
    expect([folder, tab].map(({ raw }) => [existsSync(raw), existsSync(restedPath(raw))])).toEqual([
      [false, true],
      [true, false],
    ]);
    expect(await Promise.all(reads.map((args) => cli(...args)))).toEqual(before);
    expect(before[0]?.stdout).toBe(TEXT);
    const doctor = await cli('doctor', '--no-probe', '--json');
    expect(doctor.stdout).not.toContain('shorter than its blocks say');
  });

  test('nothing recorded is nothing to do', async () => {
    const { code, stdout, stderr } = await run('--yes', '--compress');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('nothing is beyond the limits');
    expect(existsSync(join(home, 'core.lock'))).toBe(false);
  });

  test('a Hansard that does not answer is left alone', async () => {
    const old = await record('told', 40);
    const lock = { pid: process.pid, start: processStart(process.pid), startedMs: Date.now(), info: {} };
    writeFileSync(join(home, 'core.lock'), JSON.stringify(lock));
    const { code, stderr } = await run('--yes', '--days', '30');
    expect([code, existsSync(old.root)]).toEqual([69, true]);
    expect(stderr).toContain(`Hansard runs (process ${process.pid})`);
  });
});

describe('where Hansard runs', () => {
  test('it removes and compresses by itself when asked, and tells what it did', async () => {
    const old = await record('told', 40);
    const rests = await record('trest', 2);
    const installation = new Installation({ isBuilt: true });
    const served = installation.start(['serve', '--no-open'], { home });
    try {
      await served.url();
      const { code, stdout, stderr } = await run('--yes', '--days', '30', '--compress', '--json');
      expect([code, stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout)).toMatchObject({ removed: [{ id: 'told' }], failed: [], compressed: 'started' });
      expect(existsSync(old.root)).toBe(false);
      await eventually('the compression', async () => existsSync(restedPath(rests.raw)) && !existsSync(rests.raw));
      const log = readFileSync(join(home, 'core.log'), 'utf8');
      expect(log).toMatch(/"event":"terminal_removed","terminalId":"told","title":"n-told"/);
      expect((await run('--restore', 'told')).stdout).toBe('told\n');
      expect(existsSync(old.root)).toBe(true);
    } finally {
      await served.end('SIGTERM');
      installation.dispose();
    }
  });
});
