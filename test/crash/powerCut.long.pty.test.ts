import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockText } from '../../src-main/blocks/BlockText.ts';
import { Block } from '../../src-main/contract/block.ts';
import { readAuditHead } from '../../src-main/store/audit/auditHead.ts';
import { AuditLog } from '../../src-main/store/audit/auditLog.ts';
import { SYNC_WITHIN_MS } from '../../src-main/store/files/SyncTimer.ts';
import { readGaps } from '../../src-main/store/record/readGaps.ts';
import { recoverTerminal } from '../../src-main/store/record/recover.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { FakeClock } from '../store/FakeClock.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { type Happening, RecordedRun } from './RecordedRun.ts';
import { streamBytes } from './streamBytes.ts';

const data = suiteFolder('power-cut');
let runs = 0;
function newFolder(): string {
  runs += 1;
  const folder = join(data, String(runs));
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** Events that write every stream of the record; the first test fails when a stream is missing. */
const EVERYTHING: Happening[] = [
  { type: 'command' },
  { type: 'output', bytes: 100_000 },
  { type: 'wait', ms: 300 },
  { type: 'resize' },
  { type: 'chat' },
  { type: 'screen' },
  { type: 'audit' },
  { type: 'command' },
];

const STREAMS = [
  'audit.head.json',
  'audit.jsonl',
  'terminals/t1/blocks.jsonl',
  expect.stringMatching(/^terminals\/t1\/blocks\/.+\.idx$/),
  expect.stringMatching(/^terminals\/t1\/blocks\/.+\.out$/),
  'terminals/t1/chat.jsonl',
  'terminals/t1/events.jsonl',
  'terminals/t1/output.raw',
  'terminals/t1/output.times',
  'terminals/t1/screen.jsonl',
];

test('every stream of the record is synced within five seconds of a write, and when it is closed', async () => {
  const root = newFolder();
  const run = await RecordedRun.start(root);
  for (const what of EVERYTHING) await run.happens(what);
  expect(run.disk.paths.map((path) => relative(root, path)).sort()).toEqual(STREAMS);
  await run.happens({ type: 'wait', ms: SYNC_WITHIN_MS });
  await run.happens({ type: 'wait', ms: 1 });
  expect(run.disk.unsynced).toEqual([]);
  for (const what of EVERYTHING) await run.happens(what);
  await run.close();
  expect(run.disk.unsynced).toEqual([]);
});

/** Shares of the unsynced bytes that survive, one per file in turn: all, half or none, also different for different files. */
const SHARES = [[0], [1], [0.5], [0, 1], [1, 0], [1, 1, 0], [0, 0, 1]];

test('a power cut after each call of a life costs nothing that was synced', async () => {
  const root = newFolder();
  const run = await RecordedRun.start(root);
  for (const what of EVERYTHING) await run.happens(what);
  await run.close();
  expect(run.disk.at).toBeGreaterThan(30);
  for (let at = 0; at <= run.disk.at; at += 1) for (const shares of SHARES) await verifyCut({ root, run, at, shares });
}, 60_000);

test('a power cut after any call costs nothing that was synced, and nothing half is taken for whole (law)', async () => {
  const happening: fc.Arbitrary<Happening> = fc.oneof(
    fc.record({
      type: fc.constant('output' as const),
      bytes: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 90_000 })),
    }),
    fc.record({
      type: fc.constantFrom(
        'command' as const,
        'command' as const,
        'chat' as const,
        'screen' as const,
        'audit' as const,
        'resize' as const,
      ),
    }),
    fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(10, 300, 1_000, 6_000) }),
  );
  const cuts = fc.array(
    fc.record({
      place: fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000),
      shares: fc.array(fc.constantFrom(0, 0.03, 0.5, 0.97, 1), { minLength: 1, maxLength: 10 }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 40 }), cuts, async (happenings, places) => {
      const root = newFolder();
      const run = await RecordedRun.start(root);
      for (const what of happenings) await run.happens(what);
      await run.close();
      for (const { place, shares } of places)
        await verifyCut({ root, run, at: Math.round(place * run.disk.at), shares });
      rmSync(root, { recursive: true });
    }),
    fuzzRuns(60),
  );
}, 120_000);

interface Cut {
  root: string;
  run: RecordedRun;
  at: number;
  shares: readonly number[];
}

async function verifyCut({ root, run, at, shares }: Cut): Promise<void> {
  const target = newFolder();
  const shareOf = (path: string): number => shares[run.disk.paths.indexOf(path) % shares.length] ?? 0;
  run.disk.cut(at, { target, share: shareOf });
  const moved = (path: string): string => join(target, relative(root, path));
  const folder = new SessionFolder(target, 't1');
  folder.create();
  const { rawSize, textLost } = await recoverTerminal(folder, { nowMs: 1, log: silentLog });
  const lost = await verifyRaw(run, folder, at);
  expect(rawSize).toBe(sizeOf(folder.raw));
  for (const path of [run.folder.blocksJsonl, run.folder.events, run.folder.chatJsonl, run.folder.screenJsonl])
    verifyLines({ run, at, path, recovered: moved(path) });
  verifyTimes({ run, at, path: run.folder.times, recovered: folder.times, rawSize: Math.min(rawSize, lost) });
  await verifyBlocks(folder, { rawSize, textLost });
  await verifyAudit({ run, at, path: run.auditPath, recovered: moved(run.auditPath) });
  rmSync(target, { recursive: true });
}

/** Every byte is the printed one or is in a recorded gap. Returns the start of the first gap. */
async function verifyRaw(run: RecordedRun, folder: SessionFolder, at: number): Promise<number> {
  const raw = existsSync(folder.raw) ? readFileSync(folder.raw) : Buffer.alloc(0);
  const gaps = await readGaps(folder);
  const expected = Buffer.from(streamBytes(0, raw.length));
  for (const { fromOffset, toOffset } of gaps) expected.fill(0, fromOffset, toOffset);
  expect(raw.equals(expected)).toBe(true);
  const firstGap = Math.min(Number.POSITIVE_INFINITY, ...gaps.map(({ fromOffset }) => fromOffset));
  expect(Math.min(raw.length, firstGap)).toBeGreaterThanOrEqual(
    run.disk.syncedContent(run.folder.raw, at)?.length ?? 0,
  );
  return firstGap;
}

/** The file starts with whole lines as written, at least the synced ones; lines of the recovery follow. */
function verifyLines({ run, at, path, recovered }: Omit<Cut, 'root' | 'shares'> & { path: string; recovered: string }) {
  const written = linesIn(run.disk.contentAt(path, at));
  const synced = linesIn(run.disk.syncedContent(path, at));
  const content = existsSync(recovered) ? readFileSync(recovered) : Buffer.alloc(0);
  expect(content.at(-1) ?? 0x0a).toBe(0x0a);
  const found = linesIn(content);
  const kept = found.findIndex((line, index) => line !== written[index]);
  const old = kept < 0 ? found : found.slice(0, kept);
  expect(old.length).toBeGreaterThanOrEqual(synced.length);
  for (const line of found.slice(old.length)) expect(isOfRecovery(line), line).toBe(true);
}

function isOfRecovery(line: string): boolean {
  const { type, status } = JSON.parse(line) as { type?: string; status?: string };
  return ['torn', 'gap', 'interrupted', 'recovery'].includes(type ?? '') || status === 'interrupted';
}

function verifyTimes({
  run,
  at,
  path,
  recovered,
  rawSize,
}: Omit<Cut, 'root' | 'shares'> & { path: string; recovered: string; rawSize: number }) {
  const written = linesIn(run.disk.contentAt(path, at));
  const needed = linesIn(run.disk.syncedContent(path, at)).filter((line) => Number.parseInt(line, 10) < rawSize);
  const found = linesIn(existsSync(recovered) ? readFileSync(recovered) : null);
  expect(found).toEqual(written.slice(0, found.length));
  expect(found.length).toBeGreaterThanOrEqual(needed.length);
}

/** Every block has ended, within output.raw. A completed block has its whole text or is listed in `textLost`. */
async function verifyBlocks(
  folder: SessionFolder,
  { rawSize, textLost }: { rawSize: number; textLost: readonly Block[] },
): Promise<void> {
  const lines = linesIn(existsSync(folder.blocksJsonl) ? readFileSync(folder.blocksJsonl) : null);
  const latest = new Map(lines.map((line) => Block.parse(JSON.parse(line))).map((block) => [block.id, block]));
  for (const block of latest.values()) {
    expect(block.status).not.toBe('running');
    expect(block.rawEnd).toBeLessThanOrEqual(rawSize);
    if (block.status !== 'completed' || textLost.some(({ id }) => id === block.id)) continue;
    const text = existsSync(folder.out(block.id)) ? readFileSync(folder.out(block.id)) : Buffer.alloc(0);
    expect(text.equals(textOf(block))).toBe(true);
  }
}

/** The audit head never counts a lost entry as synced. */
async function verifyAudit({
  run,
  at,
  path,
  recovered,
}: Omit<Cut, 'root' | 'shares'> & { path: string; recovered: string }) {
  const head = await readAuditHead(recovered);
  const { log } = await AuditLog.open(recovered, { clock: new FakeClock(), log: silentLog, clean: (text) => text });
  const found = linesIn(readFileSync(recovered));
  expect(found).toEqual(linesIn(run.disk.contentAt(path, at)).slice(0, found.length));
  expect(found.length).toBeGreaterThanOrEqual(linesIn(run.disk.syncedContent(path, at)).length);
  if (typeof head !== 'string') expect(found.length).toBeGreaterThanOrEqual(head.synced);
  await log.close();
}

/** The text that BlockText derives from the printed bytes. */
function textOf({ rawStart, rawEnd, cols }: Block): Buffer {
  const text = new BlockText(rawStart, cols);
  const printed = text.feed(streamBytes(rawStart, (rawEnd ?? rawStart) - rawStart));
  return Buffer.concat([printed.text, text.end().text]);
}

function linesIn(content: Buffer | null): string[] {
  return content?.toString('latin1').split('\n').slice(0, -1) ?? [];
}

function sizeOf(path: string): number {
  return existsSync(path) ? readFileSync(path).length : 0;
}
