import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from '../runCli.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hansard-commands-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const cli = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCli(['commands', ...args], { home });
  return { code, stdout, stderr };
};
const listed = async () => JSON.parse((await cli('ls', '--json')).stdout).commands as { name: string }[];

test('`commands add` saves a command that `ls` lists and `rm` removes', async () => {
  const added = await cli('add', 'Tail', 'tail -f {{file:app.log}}', '-d', 'Follow a log', '-t', 'logs');
  expect(added).toEqual({ code: 0, stdout: 'Saved "Tail".\n', stderr: '' });
  expect(await listed()).toEqual([
    { name: 'Tail', command: 'tail -f {{file:app.log}}', description: 'Follow a log', tags: ['logs'] },
  ]);
  expect((await cli('ls')).stdout).toContain('Tail  tail -f {{file:app.log}}  logs');
  const again = await cli('add', 'Tail', 'x');
  expect([again.code, again.stderr]).toEqual([
    1,
    'hansard: not saved: A command called "Tail" is saved already. Use another name or --replace.\n',
  ]);
  expect((await cli('add', 'Tail', 'x', '--replace')).stdout).toBe('Replaced "Tail".\n');
  expect((await cli('rm', 'Tail')).stdout).toBe('Removed "Tail": x\n');
  expect((await cli('rm', 'Tail')).code).toBe(66);
});

test('`commands import` takes files and folders of workflows, and says which it refused', async () => {
  const folder = join(home, 'workflows');
  mkdirSync(join(folder, 'deep'), { recursive: true });
  writeFileSync(join(folder, 'a.yaml'), 'name: A\ncommand: ls {{folder}}\n');
  writeFileSync(join(folder, 'deep', 'b.yml'), 'name: B\ncommand: pwd\n');
  writeFileSync(join(folder, 'deep', 'bad.yaml'), 'name: C\n');
  writeFileSync(join(folder, 'readme.md'), '# no workflow');
  const done = await cli('import', folder);
  expect([done.code, done.stdout]).toEqual([65, 'Imported 2 commands.\n']);
  expect(done.stderr).toContain('bad.yaml was not imported. command: ');
  expect((await listed()).map(({ name }) => name)).toEqual(['A', 'B']);
  expect((await cli('import', join(folder, 'a.yaml'))).stdout).toBe('Imported 0 commands.\n1 command saved already.\n');
  expect((await cli('import', join(folder, 'gone.yaml'))).code).toBe(66);
});

test('a list that is damaged is reported and left as it is', async () => {
  writeFileSync(join(home, 'commands.json'), '{');
  for (const args of [['ls'], ['add', 'x', 'y'], ['rm', 'x']]) {
    const { code, stderr } = await cli(...args);
    expect([code, stderr]).toEqual([65, expect.stringContaining('commands.json is not valid JSON')]);
  }
});
