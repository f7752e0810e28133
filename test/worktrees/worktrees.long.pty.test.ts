import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Opening, type OpeningDeps } from '../../src-main/core/Opening.ts';
import { addWorktree, parseWorktrees, readRepository, removeWorktree } from '../../src-main/worktrees/worktrees.ts';

let folder: string;
let repository: string;
const env = () => ({ PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' });
const treeOf = (branch: string) => join(folder, 'repo-worktrees', branch);

const remove = (path: string, ignored: string[] = []) => removeWorktree({ path, ignored }, env());

function git(cwd: string, ...args: string[]): string {
  const own = ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args];
  return execFileSync('git', own, { cwd, env: env(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hansard-worktrees-'));
  repository = join(folder, 'repo');
  mkdirSync(repository);
  git(repository, 'init', '--quiet', '--initial-branch', 'main');
  writeFileSync(join(repository, 'a.txt'), 'a\n');
  git(repository, 'add', '.');
  git(repository, 'commit', '--quiet', '--message', 'a');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a work tree for an agent', () => {
  test('is made on a new branch, is listed, and goes with its branch when nothing is lost', async () => {
    const made = await addWorktree(repository, { branch: 'fix/one', from: 'main' }, env());
    expect(made).toEqual({ ok: true, path: treeOf('fix-one') });
    expect(await readRepository(join(repository), env())).toMatchObject({
      ok: true,
      current: 'main',
      branches: expect.arrayContaining(['main', 'fix/one']),
      worktrees: [
        { path: repository, branch: 'main', isMain: true },
        { path: treeOf('fix-one'), branch: 'fix/one', isMain: false, isClean: true, isMerged: true },
      ],
    });
    expect(await remove(treeOf('fix-one'))).toEqual({ ok: true });
    expect(existsSync(treeOf('fix-one'))).toBe(false);
    expect(git(repository, 'branch', '--format=%(refname:short)')).toBe('main\n');
  });

  test.each(['--assume-unchanged', '--skip-worktree'])('stays while %s hides an edit from git status', async (mark) => {
    await addWorktree(repository, { branch: 'one', from: 'main' }, env());
    const file = join(treeOf('one'), 'a.txt');
    git(treeOf('one'), 'update-index', mark, 'a.txt');
    writeFileSync(file, 'edited\n');
    expect(git(treeOf('one'), 'status', '--porcelain')).toBe('');
    expect(await remove(treeOf('one'))).toMatchObject({ ok: false, reason: 'dirty' });
    rmSync(file);
    symlinkSync('elsewhere', file);
    expect(await remove(treeOf('one'))).toMatchObject({ ok: false, reason: 'dirty' });
    rmSync(file);
    writeFileSync(file, 'a\n');
    expect(await remove(treeOf('one'))).toEqual({ ok: true });
  });

  test('goes with a sparse checkout, whose files are not on the disk', async () => {
    await addWorktree(repository, { branch: 'one', from: 'main' }, env());
    git(treeOf('one'), 'update-index', '--skip-worktree', 'a.txt');
    rmSync(join(treeOf('one'), 'a.txt'));
    expect(await remove(treeOf('one'))).toEqual({ ok: true });
  });

  test('stays while it has a changed or untracked file, or a commit of its own', async () => {
    await addWorktree(repository, { branch: 'one', from: 'main' }, env());
    writeFileSync(join(treeOf('one'), 'new.txt'), 'n\n');
    expect(await remove(treeOf('one'))).toMatchObject({ ok: false, reason: 'dirty' });
    git(treeOf('one'), 'add', '.');
    git(treeOf('one'), 'commit', '--quiet', '--message', 'own');
    expect(await remove(treeOf('one'))).toMatchObject({ ok: false, reason: 'unmerged' });
    git(repository, 'merge', '--quiet', 'one');
    expect(await remove(treeOf('one'))).toEqual({ ok: true });
  });

  test('stays while it has an ignored file that the person was not shown', async () => {
    writeFileSync(join(repository, '.gitignore'), '.env\nlogs/\n');
    git(repository, 'add', '.');
    git(repository, 'commit', '--quiet', '--message', 'ignore');
    await addWorktree(repository, one, env());
    mkdirSync(join(treeOf('one'), 'logs'));
    writeFileSync(join(treeOf('one'), 'logs', 'a'), 'a');
    writeFileSync(join(treeOf('one'), '.env'), 'KEY=1');
    const ignored = ['.env', 'logs/'];
    const found = await readRepository(repository, env());
    expect(found.ok && found.worktrees[1]).toMatchObject({ isClean: true, ignored });
    expect(await remove(treeOf('one'), ['logs/'])).toEqual({ ok: false, reason: 'ignored', detail: '.env' });
    expect(existsSync(join(treeOf('one'), '.env'))).toBe(true);
    expect(await remove(treeOf('one'), ignored)).toEqual({ ok: true });
  });

  test('that somebody else made loses its folder and keeps its branch', async () => {
    git(repository, 'worktree', 'add', '--quiet', '-b', 'release', join(folder, 'release'));
    expect(await remove(join(folder, 'release'))).toEqual({ ok: true });
    expect(existsSync(join(folder, 'release'))).toBe(false);
    expect(git(repository, 'branch', '--format=%(refname:short)')).toContain('release\n');
  });

  test('whose branch git keeps, as its commits are not pushed, is said to be removed', async () => {
    git(folder, 'init', '--quiet', '--bare', 'far.git');
    git(repository, 'remote', 'add', 'origin', join(folder, 'far.git'));
    await addWorktree(repository, one, env());
    git(treeOf('one'), 'push', '--quiet', '--set-upstream', 'origin', 'one');
    git(treeOf('one'), 'commit', '--quiet', '--allow-empty', '--message', 'not pushed');
    git(repository, 'merge', '--quiet', 'one');
    expect(await remove(treeOf('one'))).toMatchObject({ ok: false, reason: 'branch' });
    expect(existsSync(treeOf('one'))).toBe(false);
    expect(git(repository, 'branch', '--format=%(refname:short)')).toContain('one\n');
  });

  test.each(['', 'a', '../alias'])('stays while a terminal is open in it (%j)', async (within) => {
    await addWorktree(repository, one, env());
    symlinkSync(treeOf('one'), join(folder, 'repo-worktrees', 'alias'));
    mkdirSync(join(treeOf('one'), 'a'));
    const path = treeOf('one');
    const deps = { env: async () => env(), folders: () => [join(path, within)] };
    const opening = new Opening(deps as unknown as OpeningDeps);
    expect(await opening.removeWorktree({ path, ignored: [] })).toEqual({ ok: false, reason: 'open', detail: path });
    expect(existsSync(path)).toBe(true);
  });

  test('the repository itself is never removed', async () => {
    expect(await remove(repository)).toMatchObject({ ok: false, reason: 'main' });
    expect(existsSync(join(repository, 'a.txt'))).toBe(true);
  });

  test.each([
    ['a folder that is not there', 'no-folder', () => addWorktree(join(folder, 'none'), one, env())],
    ['a folder in no repository', 'no-repository', () => addWorktree(folder, one, env())],
    ['a name that git does not take', 'name', () => addWorktree(repository, { ...one, branch: 'a..b' }, env())],
    ['a name that is an option', 'name', () => addWorktree(repository, { ...one, branch: '--force' }, env())],
    ['a branch that is there', 'exists', () => addWorktree(repository, { ...one, branch: 'main' }, env())],
    ['a base that is not there', 'base', () => addWorktree(repository, { ...one, from: 'nowhere' }, env())],
  ])('%s is refused as "%s"', async (_, reason, add) => {
    expect(await add()).toMatchObject({ ok: false, reason });
    expect(existsSync(join(folder, 'repo-worktrees'))).toBe(false);
  });

  test('a folder that exists is refused with its path, and stays as it is', async () => {
    mkdirSync(treeOf('one'), { recursive: true });
    expect(await addWorktree(repository, one, env())).toEqual({ ok: false, reason: 'folder', detail: treeOf('one') });
  });

  test('no program runs that the repository names: hooks are off, and a config with programs keeps git from starting', async () => {
    const ran = join(folder, 'ran');
    const hook = join(repository, '.git', 'hooks', 'post-checkout');
    mkdirSync(join(repository, '.git', 'hooks'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    expect(await addWorktree(repository, one, env())).toMatchObject({ ok: true });
    appendFileSync(join(repository, '.git', 'config'), `[filter "x"]\n\tsmudge = touch ${ran}\n`);
    expect(await addWorktree(repository, { ...one, branch: 'two' }, env())).toMatchObject({ reason: 'unsafe' });
    expect(await readRepository(repository, env())).toEqual({ ok: false, reason: 'unsafe' });
    expect(await remove(treeOf('one'))).toMatchObject({ reason: 'unsafe' });
    expect(existsSync(ran)).toBe(false);
  });
});

const one = { branch: 'one', from: 'main' };

test('a list of work trees leaves out bare repositories and folders that are gone', () => {
  const text = [
    'worktree /a\0bare',
    'worktree /b\nc\0HEAD 12\0branch refs/heads/x/y',
    'worktree /d\0HEAD 12\0detached',
    'worktree /e\0HEAD 12\0branch refs/heads/e\0prunable gitdir file points to non-existent location',
  ].join('\0\0');
  expect(parseWorktrees(`${text}\0\0`)).toEqual([
    { path: '/b\nc', branch: 'x/y' },
    { path: '/d', branch: null },
  ]);
});
