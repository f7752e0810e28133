import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { suiteFolder } from '../store/suiteFolder.ts';
import { recordTerminal } from './recordFolder.ts';
import { runCli } from './runCli.ts';

const home = join(suiteFolder('damaged'), 'home');
const isRoot = process.geteuid?.() === 0;

/** Files to damage. Each case has a terminal with one file that is damaged in one way; another terminal is sound. */
const FILES = {
  'meta.json': (folder: SessionFolder) => folder.meta,
  'blocks.jsonl': (folder: SessionFolder) => folder.blocksJsonl,
  'chat.jsonl': (folder: SessionFolder) => folder.chatJsonl,
  'output.raw': (folder: SessionFolder) => folder.raw,
  'a text': (folder: SessionFolder) => folder.out('b1-x'),
  'the texts': (folder: SessionFolder) => folder.blocksDir,
  'the folder': (folder: SessionFolder) => folder.root,
} as const;
type File = keyof typeof FILES;

const DAMAGES = {
  empty: (path: string) => truncateSync(path, 0),
  truncated: (path: string) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  garbage: (path: string) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x0a, 0x7b, 0x0a, 0x00, 0x80, 0x0a])),
  'a folder in its place': (path: string) => {
    rmSync(path);
    mkdirSync(path);
  },
  'a file in its place': (path: string) => {
    rmSync(path, { recursive: true });
    writeFileSync(path, 'x');
  },
  'a pipe in its place': (path: string) => {
    rmSync(path);
    execFileSync('mkfifo', [path]);
  },
  'a dangling link': (path: string) => {
    rmSync(path, { recursive: true });
    symlinkSync('nowhere', path);
  },
  'no permission': (path: string) => chmodSync(path, 0),
} as const;
type Damage = keyof typeof DAMAGES;

const IN_FILES: readonly Damage[] = [
  'empty',
  'truncated',
  'garbage',
  'a folder in its place',
  'a pipe in its place',
  'a dangling link',
];
const IN_FOLDERS: readonly Damage[] = ['a file in its place', 'a dangling link'];

interface Case {
  file: File;
  damage: Damage;
  id: string;
  path: string;
}

const cases: Case[] = [];
for (const file of Object.keys(FILES) as File[]) {
  const isFolder = file === 'the folder' || file === 'the texts';
  // Root can read everything, so a missing permission is no damage for root.
  const damages = [...(isFolder ? IN_FOLDERS : IN_FILES), ...(isRoot ? [] : (['no permission'] as const))];
  for (const damage of damages) {
    const id = `t${cases.length}`;
    cases.push({ file, damage, id, path: FILES[file](new SessionFolder(home, id)) });
  }
}

const MESSAGE = { id: 'm1', conversationId: 'c1', order: 1, kind: 'user', text: 'a question' };

beforeAll(async () => {
  const text = 'soundword\n';
  const raw = text.replaceAll('\n', '\r\n');
  await recordTerminal(home, 'tsound', [{ id: 'b1-sound', raw, text, cmd: 'echo soundword', outputLines: 1 }]);
  for (const { id, path, damage } of cases) {
    const folder = await recordTerminal(home, id, [
      { id: 'b1-x', raw, text, outputLines: 1 },
      { id: `b2-${id}`, raw, text, outputLines: 1 },
    ]);
    writeFileSync(folder.chatJsonl, `${JSON.stringify({ ...MESSAGE, terminalId: id })}\n`, { mode: 0o600 });
    DAMAGES[damage](path);
  }
});

/** Whether the damage makes a file unreadable. */
const isClosed = ({ damage }: Case): boolean => !['empty', 'truncated', 'garbage'].includes(damage);
/** Cases in which `file` is unreadable. */
const named = (file: File) => cases.filter((one) => one.file === file && isClosed(one));

describe('damage stays in its folder', () => {
  const meta = cases.filter(({ file }) => file === 'meta.json');
  const garbled = cases.filter(({ file, damage }) => file === 'blocks.jsonl' && damage === 'garbage');
  const gone = [...named('a text'), ...cases.filter(({ file, damage }) => file === 'a text' && damage === 'empty')];
  test.each<[string[], string, Case[]]>([
    [['ls', '--all'], 'tsound', [...meta, ...named('the folder')]],
    [['blocks', '-n', '1000'], 'echo soundword', [...named('blocks.jsonl'), ...garbled]],
    [['block', 'b1-sound'], 'soundword', named('blocks.jsonl')],
    [['block', 'b1', '-t', 'tsound'], 'soundword', []],
    [
      ['search', 'soundword', '-n', '500'],
      'echo soundword',
      [...named('blocks.jsonl'), ...garbled, ...named('a text')],
    ],
    [['search', '--exact', 'soundword', '-n', '500'], 'echo soundword', [...named('chat.jsonl'), ...gone]],
    [['chats'], '', named('chat.jsonl')],
    [['prune', '--dry-run', '--bytes', '1'], 'tsound', named('blocks.jsonl')],
  ])('%j gives the others, names each faulty file and exits with 65', async (args, given, faulty) => {
    const { code, stdout, stderr } = await runCli(args, { home });
    expect(stdout, stderr).toContain(given);
    for (const { path } of faulty) expect(stderr).toContain(path);
    if (faulty.length > 0) expect([code, stderr]).toEqual([65, expect.stringContaining('hansard doctor')]);
    expect(stderr).not.toContain('this is a bug');
    expect([0, 65]).toContain(code);
  });

  test('prune never moves a terminal that it cannot read', async () => {
    const { stdout } = await runCli(['prune', '--dry-run', '--bytes', '1', '--json'], { home });
    const going = JSON.parse(stdout).removed.map(({ id }: { id: string }) => id);
    expect(going).toContain('tsound');
    for (const { id } of [...named('blocks.jsonl'), ...named('the folder')]) expect(going).not.toContain(id);
  });

  test('doctor names each file that cannot be read, and examines the others', async () => {
    const { code, stdout } = await runCli(['doctor', '--no-probe', '--json'], { home });
    expect(code).toBe(1);
    const { checks } = JSON.parse(stdout);
    const texts = checks.map(({ text }: { text: string }) => text).join('\n');
    const empties = cases.filter(({ file, damage }) => file === 'meta.json' && damage === 'empty');
    const garbage = cases.filter(
      ({ file, damage }) => ['chat.jsonl', 'blocks.jsonl'].includes(file) && damage === 'garbage',
    );
    const closed = cases.filter((one) => isClosed(one) && one.file !== 'the texts');
    for (const { path } of [...closed, ...empties, ...garbage]) expect(texts).toContain(path);
    for (const { id, status, fix } of checks)
      if (id === 'record.file' && status === 'bad') expect(fix).toEqual(expect.any(String));
    expect(checks.map(({ id }: { id: string }) => id)).not.toContain('record.examined');
  });

  test.each(cases.filter(isClosed).map((one) => [one.file, one.damage, one] as const))(
    'a command for one terminal whose %s is %s says what it is, and is no bug',
    async (_file, _damage, { id }) => {
      for (const args of [
        ['block', `b2-${id}`, '-t', id],
        ['export', id],
      ]) {
        const { code, stderr } = await runCli(args, { home });
        expect([0, 65, 66], stderr).toContain(code);
        expect(stderr).not.toContain('this is a bug');
      }
    },
  );
});
