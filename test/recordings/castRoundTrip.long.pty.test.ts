import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Block } from '../../src-main/contract/block.ts';
import type { TerminalMeta } from '../../src-main/contract/terminal.ts';
import { importFile } from '../../src-main/hosts/importFile.ts';
import { spawnNodePty } from '../../src-main/pty/NodePty.ts';
import { exportCast } from '../../src-main/recordings/exportCast.ts';
import { readBlocks } from '../../src-main/store/record/readBlocks.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import type { PtyInstance } from '../../src-main/terminal/PtyInstance.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { runCommand, TestCore } from '../support/TestCore.ts';

const CASTS = ['casts', 'agents'].map((folder) => new URL(`../fixtures/${folder}/`, import.meta.url).pathname);
const files = CASTS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.cast'))
    .map((name) => join(folder, name)),
);

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function metaOf(folder: SessionFolder): TerminalMeta {
  return JSON.parse(readFileSync(folder.meta, 'utf8')) as TerminalMeta;
}

async function castOf(folder: SessionFolder, version: 2 | 3 = 2): Promise<string> {
  const cast = await exportCast({ folder, meta: metaOf(folder), version, title: null, idleLimitS: null });
  let text = '';
  for await (const piece of cast.text) text += piece;
  return text;
}

/** A player's output: the text of all output events. */
function played(cast: string): string {
  const events = cast.trimEnd().split('\n').slice(1);
  const parsed = events
    .filter((line) => line.startsWith('['))
    .map((line) => JSON.parse(line) as [number, string, string]);
  return parsed.map(([, code, data]) => (code === 'o' ? data : '')).join('');
}

function eventsOf(folder: SessionFolder): { type: string; at: number; atMs: number }[] {
  const lines = readFileSync(folder.events, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as { type: string; at: number; atMs: number });
}

describe('a real terminal, exported and imported', () => {
  const imports = suiteFolder('cast-imports');
  let test_: TestCore;
  let terminal: PtyInstance;
  let folder: SessionFolder;
  let blocks: Block[];
  let cast = '';

  beforeAll(async () => {
    test_ = await TestCore.start();
    terminal = await test_.open();
    folder = new SessionFolder(test_.dataFolder, terminal.id);
    await runCommand(terminal, 'echo one; sleep 0.2; printf "gr\\303\\274n \\342\\202\\254\\n"');
    terminal.resize({ cols: 90, rows: 30 });
    await runCommand(terminal, 'seq 1 30000');
    await runCommand(terminal, 'printf "\\033]52;c;c2VjcmV0\\007\\033[3;1Hthere\\n"; false');
    ({ blocks } = await terminal.book.page({ limit: 10 }));
    await test_.stop();
    cast = await castOf(folder);
  });

  afterAll(() => test_.dispose());

  async function imported(version: 2 | 3): Promise<SessionFolder> {
    const path = join(imports, `version-${version}.cast`);
    writeFileSync(path, await castOf(folder, version));
    const { id } = await importFile(imports, path, {});
    return new SessionFolder(imports, id);
  }

  test('holds the record byte for byte but for the clipboard, the commands as markers, and the resize', () => {
    const raw = readFileSync(folder.raw, 'utf8');
    expect(raw).toContain('\x1b]52;');
    expect(played(cast)).toBe(raw.replace(/\x1b\]52;[^\x07]*\x07/, ''));
    const lines = cast.split('\n').slice(1, -1);
    const told = lines.map((line) => JSON.parse(line) as [number, string, string]).filter(([, code]) => code !== 'o');
    expect(told.map(([, code, data]) => [code, data])).toEqual([
      ['m', blocks[0]?.cmd],
      ['r', '90x30'],
      ['m', blocks[1]?.cmd],
      ['m', blocks[2]?.cmd],
    ]);
    expect(cast).not.toMatch(/Zj[0-9a-f]{32}/);
  });

  test('shows output when it came: the second line of the first command 0.2 s after the first', () => {
    const times = cast
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line) as [number, string, string]);
    const at = (text: string): number => times.find(([, code, data]) => code === 'o' && data.includes(text))?.[0] ?? 0;
    const waited = at('grün €\r\n') - at('one\r\n');
    expect(waited).toBeGreaterThan(0.17);
    expect(waited).toBeLessThan(2);
  });

  test.each([2, 3] as const)('version %i comes back with the same bytes, times, cards and text', async (version) => {
    const copy = await imported(version);
    const raw = readFileSync(folder.raw, 'utf8').replace(/\x1b\]52;[^\x07]*\x07/, '');
    expect(sha256(readFileSync(copy.raw))).toBe(sha256(Buffer.from(raw)));
    expect(await castOf(copy)).toBe(cast);
    const back = (await readBlocks(copy, { limit: 10 })).blocks;
    const same = ({ cmd, exitCode, outputLines, status }: Block) => ({ cmd, exitCode, outputLines, status });
    expect(back.map(same)).toEqual(blocks.map(same));
    expect(back.every(({ trusted }) => !trusted)).toBe(true);
    const text = (of: SessionFolder, at: number): string =>
      readFileSync(of.out((of === copy ? back : blocks)[at]?.id ?? ''), 'utf8');
    expect([0, 1].map((at) => text(copy, at))).toEqual([0, 1].map((at) => text(folder, at)));
    expect(eventsOf(copy).find(({ type }) => type === 'resize')?.atMs).toBeCloseTo(
      eventsOf(folder).find(({ type }) => type === 'resize')?.atMs ?? 0,
      -1,
    );
  });

  test('one block alone has its own bytes, size and exit code', async () => {
    const [, block] = blocks;
    if (!block) throw new Error('no block');
    const source = await exportCast({
      folder,
      meta: metaOf(folder),
      version: 3,
      title: block.cmd,
      idleLimitS: 1,
      part: block,
    });
    let text = '';
    for await (const piece of source.text) text += piece;
    const [head = ''] = text.split('\n');
    expect(JSON.parse(head)).toMatchObject({ term: { cols: 90, rows: 30 }, title: 'seq 1 30000', idle_time_limit: 1 });
    expect(played(text)).toBe(
      readFileSync(folder.raw)
        .subarray(block.rawStart, block.rawEnd ?? 0)
        .toString(),
    );
    expect(text.trimEnd().split('\n').at(-1)).toMatch(/^\[[0-9.]+, "x", "0"\]$/);
  });

  test.each([
    [0, 100, 200],
    [50, 50, 200],
    [150, 0, 150],
    [299, 0, 1],
    [300, 0, 0],
  ])('from byte %i, what is missing from 100 to 300 is said and not filled in', async (from, before, missing) => {
    const path = join(imports, `gap-${from}`);
    execFileSync('cp', ['-r', `${folder.dataFolder}/.`, path]);
    const holed = new SessionFolder(path, folder.id);
    const gap = { v: 1, type: 'gap', fromOffset: 100, toOffset: 300, atMs: Date.now() };
    writeFileSync(holed.events, `${readFileSync(holed.events, 'utf8')}${JSON.stringify(gap)}\n`);
    const part = { rawStart: from, rawEnd: 400, exitCode: null, startedMs: null };
    const source = await exportCast({
      folder: holed,
      meta: metaOf(holed),
      version: 2,
      title: null,
      idleLimitS: null,
      part,
    });
    let text = '';
    for await (const piece of source.text) text += piece;
    const raw = readFileSync(holed.raw);
    expect(played(text)).toBe(raw.toString('utf8', from, from + before) + raw.toString('utf8', 300, 400));
    const told = text.includes(`${missing} bytes of output were not recorded`);
    expect(told).toBe(missing > 0);
  });

  test('without its times a record still exports, and says so', async () => {
    const old = new SessionFolder(suiteFolderOf(folder), folder.id);
    const cast2 = await exportCast({ folder: old, meta: metaOf(folder), version: 2, title: null, idleLimitS: null });
    let text = '';
    for await (const piece of cast2.text) text += piece;
    expect(cast2.hasTimes).toBe(false);
    expect(played(text)).toBe(played(cast));
    const first = blocks[0]?.startedMs ?? 0;
    const line = text.split('\n').find((one) => one.includes('"one\\r\\n'));
    const head = JSON.parse(text.split('\n')[0] ?? '') as { timestamp: number };
    expect(JSON.parse(line ?? '[0]')[0] * 1000 + head.timestamp * 1000).toBeCloseTo(first, -1);
  });

  /** A copy of the record without output.times, as an older version left it. */
  function suiteFolderOf(of: SessionFolder): string {
    const path = join(imports, 'old');
    execFileSync('cp', ['-r', `${of.dataFolder}/.`, path]);
    execFileSync('rm', [new SessionFolder(path, of.id).times]);
    return path;
  }

  test.skipIf(!existsSync('/usr/bin/asciinema')).each([['cat'], ['play', '-i', '0.01', '-s', '50']])(
    'asciinema %s prints exactly the recorded output',
    async (...command) => {
      const path = join(imports, 'played.cast');
      writeFileSync(path, cast);
      const spec = { cwd: imports, env: { LANG: 'C.UTF-8', HOME: imports, PATH: '/usr/bin' }, cols: 90, rows: 30 };
      const pty = spawnNodePty({ file: '/usr/bin/asciinema', argv: [...command, path], ...spec });
      const pieces: Uint8Array[] = [];
      pty.onBytes((bytes) => pieces.push(Uint8Array.from(bytes)));
      await new Promise((resolve) => pty.onExit(resolve));
      pty.dispose();
      expect(sha256(Buffer.concat(pieces))).toBe(sha256(Buffer.from(played(cast))));
    },
  );
});

describe('recordings of others', () => {
  const home = suiteFolder('cast-others');

  test.each(files)('%s is imported whole, and played from the record again', async (path) => {
    const { id, blocks, rawBytes } = await importFile(home, path, {});
    const folder = new SessionFolder(home, id);
    const text = played(readFileSync(path, 'utf8'));
    expect(sha256(readFileSync(folder.raw))).toBe(sha256(Buffer.from(text)));
    expect({ blocks, rawBytes }).toEqual({ blocks: 1, rawBytes: Buffer.byteLength(text) });
    expect(metaOf(folder)).toMatchObject({ origin: 'import' });
    expect(existsSync(folder.snapshot)).toBe(true);
    expect(readdirSync(home)).toEqual(['terminals']);
  });
});
