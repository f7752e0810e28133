import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Completion } from '../../src-main/completion/Completion.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { specFolder, writeTree } from './specFolder.ts';

const root = mkdtempSync(join(tmpdir(), 'hansard-hostile-'));
const mark = join(root, 'hacked');
let specsDir = '';
let completion: Completion;

beforeAll(async () => {
  specsDir = await specFolder();
  // Programs in the folder with the names that a careless completion would run.
  const program = `#!/bin/sh\ntouch '${mark}'\n`;
  const repository = join(root, 'repository');
  execFileSync('git', ['init', '-q', '-b', 'main', repository]);
  for (const name of ['git', 'docker', 'make', 'npm', 'ps', 'hook']) {
    writeFileSync(join(repository, name), program);
    chmodSync(join(repository, name), 0o755);
  }
  const config = [
    'core.fsmonitor',
    'core.hooksPath',
    'core.pager',
    'core.sshCommand',
    'filter.x.clean',
    'diff.external',
  ];
  for (const key of config) execFileSync('git', ['-C', repository, 'config', key, join(repository, 'hook')]);
  execFileSync('git', ['-C', repository, 'config', 'alias.co', `!${join(repository, 'hook')}`]);
  writeTree(repository, {
    '.gitattributes': '* filter=x\n',
    Makefile: `X := $(shell touch '${mark}')\nall:\n`,
    'package.json': '{"scripts":{"build":"x"}}',
  });
  completion = new Completion({
    env: { PATH: `.:${repository.slice(1)}::${join(root, 'empty')}` },
    home: root,
    clock: new FakeClock(),
    files: { specsDir },
    history: { startingWith: () => [] },
  });
});
afterAll(() => {
  rmSync(root, { recursive: true });
  rmSync(specsDir, { recursive: true });
});

async function labels(folder: string, text: string): Promise<string[]> {
  const terminal = { shell: 'bash', cwd: join(root, folder), isOwnPrompt: true, words: null, names: null };
  return (await completion.line(terminal, text, text.length)).choices.map(({ label }) => label);
}

test('nothing of a hostile repository runs', async () => {
  const lines = [
    'git ',
    'git checkout ',
    'git add ',
    'git push ',
    'git diff ',
    'git co ',
    'make ',
    'npm run ',
    'docker rm ',
  ];
  for (const text of [...lines, 'docker run ', 'kill ', 'ssh ', 'g', './', '$(git checkout ', 'git -C . add ']) {
    await labels('repository', text);
  }
  expect(existsSync(mark)).toBe(false);
  expect(await labels('repository', 'make ')).toContain('all');
});

test('a FIFO, a device and a file of 2 GB in the place of package.json are left alone', async () => {
  writeTree(root, { 'fifo/x': '', 'device/x': '', 'large/package.json': '' });
  execFileSync('mkfifo', [join(root, 'fifo/package.json')]);
  symlinkSync('/dev/zero', join(root, 'device/package.json'));
  truncateSync(join(root, 'large/package.json'), 2 * 1024 ** 3);
  for (const folder of ['fifo', 'device', 'large']) {
    expect(await labels(folder, 'npm run b')).not.toContain('build');
  }
});

test('a package.json of another form offers nothing', async () => {
  writeTree(root, { 'odd/package.json': '{"scripts":[1,{"a":null}],"dependencies":"x"}', 'null/package.json': 'null' });
  for (const folder of ['odd', 'null']) expect(await labels(folder, 'npm run b')).not.toContain('build');
});

test('a folder with very many files is read in part, and again only when it has changed', async () => {
  writeTree(root, { 'many/': '' });
  for (let at = 0; at < 25_000; at++) writeFileSync(join(root, 'many', `file-${at}`), '');
  // A busy machine may need several tries within the time limit.
  await vi.waitFor(async () => expect(await labels('many', 'cat file-1')).toHaveLength(100), 20_000);
  writeTree(root, { 'many/sub/': '' });
  expect((await labels('many', 'cd ')).length).toBeLessThanOrEqual(100);
});
