import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readJsonFile, replaceFile } from '../../src-main/store/files/replaceFile.ts';
import { ensurePrivateFolder, resolveDataFolder } from '../../src-main/store/instance/dataFolder.ts';
import { BlockFiles } from '../../src-main/store/record/BlockFiles.ts';
import { countOutLines } from '../../src-main/store/record/countOutLines.ts';
import { readIndex, readOutSlice, readRawSlice, streamOut, streamRaw } from '../../src-main/store/record/readRecord.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { suiteFolder } from './suiteFolder.ts';

const data = suiteFolder('files');
const deps = { log: silentLog, clock: systemClock };

describe('resolveDataFolder', () => {
  test.each<[string, Record<string, string>, NodeJS.Platform, string]>([
    ['HANSARD_HOME before everything', { HANSARD_HOME: '/h', XDG_DATA_HOME: '/x' }, 'linux', '/h'],
    ['a relative HANSARD_HOME from home', { HANSARD_HOME: 'rec' }, 'linux', '/home/u/rec'],
    ['XDG_DATA_HOME', { XDG_DATA_HOME: '/x' }, 'linux', '/x/hansard'],
    ['a relative XDG_DATA_HOME counts as none', { XDG_DATA_HOME: 'x' }, 'linux', '/home/u/.local/share/hansard'],
    ['empty variables count as none', { HANSARD_HOME: '', XDG_DATA_HOME: '' }, 'linux', '/home/u/.local/share/hansard'],
    ['macOS', { XDG_DATA_HOME: '/x' }, 'darwin', '/home/u/Library/Application Support/Hansard'],
    ['Windows', { LOCALAPPDATA: 'C:\\L' }, 'win32', 'C:\\L\\Hansard'],
  ])('%s', (_, env, platform, expected) => {
    expect(resolveDataFolder(env, platform, '/home/u')).toBe(expected);
  });
});

describe('ensurePrivateFolder', () => {
  test('makes it and its parents for us alone, and narrows one that was open to others', () => {
    const path = join(data, 'a/b/c');
    ensurePrivateFolder(path);
    chmodSync(path, 0o755);
    ensurePrivateFolder(path);
    expect(['a', 'a/b', 'a/b/c'].map((name) => statSync(join(data, name)).mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
  });

  test('refuses a link, a dangling link and a file, in words', () => {
    mkdirSync(join(data, 'target'));
    symlinkSync(join(data, 'target'), join(data, 'link'));
    symlinkSync(join(data, 'nowhere'), join(data, 'dangling'));
    writeFileSync(join(data, 'file'), '');
    expect(() => ensurePrivateFolder(join(data, 'link'))).toThrow('is a symbolic link');
    expect(() => ensurePrivateFolder(join(data, 'dangling'))).toThrow('is a symbolic link');
    expect(() => ensurePrivateFolder(join(data, 'file'))).toThrow('is not a folder');
    expect(() => ensurePrivateFolder(join(data, 'file/below'))).toThrow('could not be made');
  });

  test.runIf(process.geteuid?.() === 0)('refuses a folder of another user', () => {
    const path = join(data, 'theirs');
    mkdirSync(path);
    execFileSync('chown', ['65534', path]);
    expect(() => ensurePrivateFolder(path)).toThrow('belongs to another user (uid 65534, we are 0)');
  });
});

describe('SessionFolder', () => {
  test.each(['', '..', '.', 'a/b', '../x', 'a\0', 'a\n', 'ä', 'x'.repeat(65)])('refuses the id %j everywhere', (id) => {
    const folder = new SessionFolder(data, 't1');
    expect(() => new SessionFolder(data, id)).toThrow();
    for (const path of [folder.out, folder.idx, folder.ren]) expect(() => path.call(folder, id)).toThrow();
  });

  test('lists the recorded terminals, not links nor foreign names', () => {
    const own = join(data, 'list');
    expect(SessionFolder.list(own)).toEqual([]);
    for (const id of ['t1', 't-2']) new SessionFolder(own, id).create();
    mkdirSync(join(own, 'terminals/.removing-x'));
    symlinkSync(own, join(own, 'terminals/link'));
    writeFileSync(join(own, 'terminals/file'), '');
    expect(SessionFolder.list(own).sort()).toEqual(['t-2', 't1']);
  });
});

describe('replaceFile and readJsonFile', () => {
  const schema = z.object({ n: z.number() });

  test('many calls for one path end with the last one, and leave nothing else', async () => {
    const own = join(data, 'replace');
    mkdirSync(own);
    const path = join(own, 'x.json');
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => replaceFile(path, JSON.stringify({ n }), { fsync: n % 7 === 0 })),
    );
    expect(await readJsonFile(path, schema)).toEqual({ status: 'ok', value: { n: 49 } });
    expect([readdirSync(own), statSync(path).mode & 0o777]).toEqual([['x.json'], 0o600]);
  });

  test('a refusal rejects with a reason, leaves the old file, and the next call goes on', async () => {
    const path = join(data, 'gone/x.json');
    await expect(replaceFile(path, '1')).rejects.toThrow(
      'x.json could not be written: the folder of the record is gone (ENOENT)',
    );
    mkdirSync(join(data, 'gone'));
    await replaceFile(path, '1');
    expect(readFileSync(path, 'utf8')).toBe('1');
  });

  test.each(['', '{"n":1', '{"n":"1"}', '[]', '\0\0\0\0'])(
    'a file with %j is kept under another name',
    async (content) => {
      const path = join(data, 'bad.json');
      writeFileSync(path, content);
      const read = await readJsonFile(path, schema);
      if (read.status !== 'bad') throw new Error(read.status);
      expect([readFileSync(read.keptAs, 'utf8'), await readJsonFile(path, schema)]).toEqual([
        content,
        { status: 'missing' },
      ]);
    },
  );

  test('a BOM is no damage', async () => {
    const path = join(data, 'bom.json');
    writeFileSync(path, '\ufeff{"n":1}');
    expect(await readJsonFile(path, schema)).toEqual({ status: 'ok', value: { n: 1 } });
  });
});

describe('BlockFiles', () => {
  const folder = new SessionFolder(data, 'blocks');
  folder.create();

  test('a block without output has no file; one with text alone has only that', async () => {
    await BlockFiles.open(folder, 'none', deps).close();
    const files = BlockFiles.open(folder, 'text', deps);
    files.appendText(Buffer.from('hello\n'));
    files.appendIndex([]);
    await files.close();
    expect(readdirSync(folder.blocksDir)).toEqual(['text.out']);
    expect([await readOutSlice(folder, 'none', 0, 10), await readIndex(folder, 'none')]).toEqual([
      new Uint8Array(0),
      { source: 'raw', entries: [] },
    ]);
  });

  test('text, rendered lines and index come back as they were written', async () => {
    const entries = [1, 2, 3].map((n) => ({
      line: n * 1024,
      out: n * 5000,
      src: n * 7000,
      sgr: n === 2 ? '\x1b[31m' : '',
    }));
    const files = BlockFiles.open(folder, 'all', { ...deps, source: 'ren' });
    files.appendText(Buffer.from('text'));
    files.appendRendered(Buffer.from('rendered'));
    for (const entry of entries) files.appendIndex([entry]);
    expect(Buffer.from(await readOutSlice(folder, 'all', 1, 2)).toString()).toBe('ex');
    await files.close();
    expect(readFileSync(folder.ren('all'), 'utf8')).toBe('rendered');
    expect(await readIndex(folder, 'all')).toEqual({ source: 'ren', entries });
    expect(readFileSync(folder.idx('all'), 'utf8').split('\n')[0]).toBe('{"version":1,"source":"ren"}');
  });

  test('a short rendered block says in its index that it is rendered', async () => {
    const files = BlockFiles.open(folder, 'short', { ...deps, source: 'ren' });
    files.appendRendered(Buffer.from('x'));
    await files.close();
    expect(await readIndex(folder, 'short')).toEqual({ source: 'ren', entries: [] });
  });

  test('streams come in pieces of at most 256 KiB that make up the whole', async () => {
    const content = Buffer.from(Array.from({ length: 700_000 }, (_, at) => at % 256));
    writeFileSync(folder.raw, content);
    const pieces: Uint8Array[] = [];
    for await (const piece of streamRaw(folder, 10, 600_000)) pieces.push(piece);
    expect(pieces.every(({ length }) => length <= 256 * 1024)).toBe(true);
    expect(Buffer.concat(pieces).equals(content.subarray(10, 600_000))).toBe(true);
    expect(Buffer.from(await readRawSlice(folder, 699_990, 800_000)).equals(content.subarray(699_990))).toBe(true);
    await expect(readRawSlice(folder, 0, 2 ** 40)).rejects.toThrow(RangeError);
    for await (const piece of streamOut(folder, 'none')) throw new Error(`${piece.length} bytes of nothing`);
  });

  test.each<[string, number]>([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['\n\n', 2],
  ])('%j has %i lines, counted with and without an index', async (tail, expected) => {
    const head = 'line\n'.repeat(2048);
    for (const [id, hasIndex] of [
      ['plain', false],
      ['indexed', true],
    ] as const) {
      writeFileSync(folder.out(id), head + tail);
      const index = [1024, 2048]
        .map((line) => `${JSON.stringify({ line, out: line * 5, src: line * 5, sgr: '' })}\n`)
        .join('');
      if (hasIndex) writeFileSync(folder.idx(id), `{"version":1,"source":"raw"}\n${index}`);
      expect(await countOutLines(folder, id)).toBe(2048 + expected);
    }
  });
});

describe('privacy', () => {
  test('every file and folder is ours alone under umask 000, also one that was not', async () => {
    const own = join(data, 'umask');
    const script = join(import.meta.dirname, 'writeRecord.ts');
    execFileSync('sh', ['-c', 'umask 000; exec "$0" "$@"', process.execPath, script, own]);
    const modes = readdirSync(own, { recursive: true, withFileTypes: true }).map((entry) => {
      const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
      return `${entry.name} ${mode.toString(8)}`;
    });
    expect(modes.sort()).toEqual([
      'b1.idx 600',
      'b1.out 600',
      'b1.ren 600',
      'blocks 700',
      'blocks.jsonl 600',
      'blocks.jsonl.torn-1 600',
      'core.lock 600',
      'events.jsonl 600',
      'meta.json 600',
      'output.raw 600',
      't1 700',
      'terminals 700',
    ]);
  });
});
