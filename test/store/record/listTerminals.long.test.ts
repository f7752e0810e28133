import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { usedMs } from '../../../src-main/store/files/readAsIs.ts';
import { livingWriter, markWriter } from '../../../src-main/store/instance/writerMark.ts';
import { catalogPath, listTerminals } from '../../../src-main/store/record/listTerminals.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { suiteFolder } from '../suiteFolder.ts';

/** A time after every change of the tests, so that all folders count as settled. */
const LATER_MS = Date.now() + 3_600_000;
/** Enough terminals for a catalogue to be written. */
const MANY = 80;

async function walk(dataFolder: string) {
  const found = SessionFolder.list(dataFolder).map(async (id) => {
    const folder = new SessionFolder(dataFolder, id);
    return { id, usedMs: await usedMs(folder), isRecording: livingWriter(folder) !== null };
  });
  return (await Promise.all(found)).sort(byId);
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}

function closed(dataFolder: string, n: number, atS: number): SessionFolder {
  const folder = new SessionFolder(dataFolder, `t${n}-aa`);
  mkdirSync(folder.blocksDir, { recursive: true });
  writeFileSync(folder.meta, '{}');
  writeFileSync(folder.blocksJsonl, '');
  for (const path of [folder.meta, folder.blocksJsonl]) utimesSync(path, atS, atS);
  return folder;
}

const Step = fc.record({
  act: fc.constantFrom('create', 'reopen', 'record', 'kill', 'prune', 'bring back', 'compress', 'spoil', 'forget'),
  n: fc.nat(MANY + 4),
  atS: fc.integer({ min: 1_700_000_000, max: 1_790_000_000 }),
});

test('lists what a walk through the folders finds, whatever is done to them in between', async () => {
  const run = fc.asyncProperty(fc.array(Step, { maxLength: 12 }), async (steps) => {
    const home = suiteFolder('catalog');
    for (let n = 0; n < MANY; n += 1) closed(home, n, 1_700_000_000 + n);
    const open = new Set<string>();
    const marks = new Map<string, { dispose(): void }>();
    for (const step of [null, ...steps]) {
      if (step) perform(home, step, { open, marks });
      const { terminals } = listTerminals(home, (id) => open.has(id), LATER_MS);
      expect(terminals.sort(byId)).toEqual(await walk(home));
    }
    for (const mark of marks.values()) mark.dispose();
  });
  await fc.assert(run);
});

function perform(
  home: string,
  { act, n, atS }: { act: string; n: number; atS: number },
  { open, marks }: { open: Set<string>; marks: Map<string, { dispose(): void }> },
): void {
  const folder = new SessionFolder(home, `t${n}-aa`);
  const trash = join(home, `${folder.id}@1`);
  const isThere = SessionFolder.list(home).includes(folder.id);
  if (act === 'create' && !isThere) closed(home, n, atS);
  else if (act === 'spoil')
    writeFileSync(catalogPath(home), n % 2 === 0 ? '{"version":1,"terminals":[["t1-aa",1],7]}' : '\0{');
  else if (act === 'forget') rmSync(catalogPath(home), { force: true });
  else if (act === 'bring back' && !isThere) renameIfThere(trash, folder.root);
  if (!isThere) return;
  if (act === 'reopen') reopen(folder, open, atS);
  else if (act === 'record' && !marks.has(folder.id)) {
    marks.set(folder.id, markWriter(folder));
    write(folder, atS);
  } else if (act === 'kill') {
    open.delete(folder.id); // a core was killed, and the next one has not restored the tab
    marks.get(folder.id)?.dispose();
    marks.delete(folder.id);
  } else if (act === 'prune' && !marks.has(folder.id)) renameIfThere(folder.root, trash);
  else if (act === 'compress') {
    writeFileSync(`${folder.raw}.zst`, 'z');
    utimesSync(`${folder.raw}.zst`, atS, atS);
  }
}

/** Reopens a terminal as a core does: writes in place and adds no file. */
function reopen(folder: SessionFolder, open: Set<string>, atS: number): void {
  folder.touch();
  open.add(folder.id);
  write(folder, atS);
}

function write(folder: SessionFolder, atS: number): void {
  appendFileSync(folder.blocksJsonl, '\n');
  utimesSync(folder.blocksJsonl, atS, atS);
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // The source does not exist, or the target already does.
  }
}

test('looks into no folder that the catalogue has, and writes none for a few', () => {
  const home = suiteFolder('catalog-few');
  for (let n = 0; n < 3; n += 1) closed(home, n, 1_700_000_000);
  listTerminals(home, () => false, LATER_MS);
  expect(() => readFileSync(catalogPath(home))).toThrow('ENOENT');
  for (let n = 3; n < MANY; n += 1) closed(home, n, 1_700_000_000);
  listTerminals(home, () => false, LATER_MS);
  write(new SessionFolder(home, 't5-aa'), 1_780_000_000); // a write without `touch`, which breaks the rule
  const { terminals } = listTerminals(home, () => false, LATER_MS);
  expect(terminals.find(({ id }) => id === 't5-aa')?.usedMs).toBe(1_700_000_000_000);
});

test('puts nothing into the catalogue that changed just now', () => {
  const home = suiteFolder('catalog-fresh');
  for (let n = 0; n < MANY; n += 1) closed(home, n, 1_700_000_000);
  listTerminals(home, () => false, Date.now());
  expect(() => readFileSync(catalogPath(home))).toThrow('ENOENT');
});
