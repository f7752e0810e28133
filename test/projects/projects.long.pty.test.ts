import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProjectsView } from '../../src-main/contract/project.ts';
import { readProject } from '../../src-main/projects/readProject.ts';
import { findWorkTree } from '../../src-main/store/record/gitBranch.ts';
import { TestCore } from '../support/TestCore.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-projects-')));
const repo = join(folder, 'harbour');
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: repo, stdio: 'pipe' });

beforeAll(() => {
  mkdirSync(join(repo, 'src'), { recursive: true });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repo, 'a'), 'a');
  git('add', 'a');
  git('commit', '-qm', 'one');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(cwd: string) {
  const tree = await findWorkTree(cwd);
  return tree && readProject(tree, process.env);
}

describe('a folder', () => {
  test('outside of any repository has no work tree', async () => {
    expect(await read('/')).toBeNull();
  });

  test('within a repository has its root, branch and changed files', async () => {
    writeFileSync(join(repo, 'b'), 'b');
    expect(await read(join(repo, 'src'))).toEqual({
      ...{ root: repo, isRepository: true, branch: 'main', ahead: null, behind: null, dirty: 1, unknown: null },
    });
  });

  test('that is gone belongs to the repository around it', async () => {
    expect((await read(join(repo, 'gone', 'deeper')))?.branch).toBe('main');
  });

  test('of a linked work tree has its own branch', async () => {
    git('worktree', 'add', '-q', '-b', 'fix/dst', join(folder, 'linked'));
    expect(await read(join(folder, 'linked'))).toMatchObject({ branch: 'fix/dst', dirty: 0, unknown: null });
  });

  test.each([
    ['core.fsmonitor', 'monitor'],
    ['filter.evil.clean', 'clean'],
    ['diff.evil.textconv', 'textconv'],
  ])('whose config names a program as %s starts no git and has a branch only', async (key) => {
    const ran = join(folder, 'ran');
    const program = join(folder, 'program.sh');
    writeFileSync(program, `#!/bin/sh\ntouch ${ran}\n`);
    chmodSync(program, 0o755);
    writeFileSync(join(repo, '.gitattributes'), '* filter=evil diff=evil');
    git('config', key, program);
    writeFileSync(join(repo, 'a'), 'changed'); // git would run the filter on it
    expect(await read(repo)).toMatchObject({ branch: 'main', dirty: null, unknown: 'unsafe' });
    expect(existsSync(ran)).toBe(false);
    git('config', '--unset', key);
    rmSync(join(repo, '.gitattributes'));
    writeFileSync(join(repo, 'a'), 'a');
  });

  test('with a damaged repository has no counts, least of all those of the repository around it', async () => {
    const broken = join(repo, 'broken');
    mkdirSync(join(broken, '.git'), { recursive: true });
    expect(await read(broken)).toMatchObject({ root: broken, branch: null, dirty: null, unknown: 'failed' });
    rmSync(broken, { recursive: true });
  });
});

test('a window that looks sees the branch change and a port come and go; nothing is read before', {
  timeout: 60_000,
}, async () => {
  const test = await TestCore.start();
  const leaving = new AbortController();
  const views: ProjectsView[] = [];
  try {
    const terminal = await test.open();
    terminal.type(`cd ${repo}\r`);
    const following = (async () => {
      for await (const view of test.core.projects.follow(leaving.signal)) views.push(view);
    })();
    const now = () => views.at(-1);
    const branch = () => now()?.projects.find(({ root }) => root === repo)?.branch;
    const wait = { timeout: 20_000, interval: 50 };
    await expect.poll(branch, wait).toBe('main');
    expect(now()?.rootOf).toEqual({ [terminal.id]: repo });
    git('checkout', '-qb', 'tides');
    await expect.poll(branch, wait).toBe('tides');
    const serve = 'require("net").createServer().listen(0, "127.0.0.1")';
    terminal.type(`${process.execPath} -e '${serve}'\r`);
    await expect.poll(() => now()?.portsOf[terminal.id]?.length, wait).toBe(1);
    terminal.type('\x03');
    await expect.poll(() => now()?.portsOf[terminal.id], wait).toBeUndefined();
    leaving.abort();
    await following;
    const { length } = views;
    git('checkout', '-qb', 'unseen');
    test.core.projects.refresh();
    expect(views).toHaveLength(length);
    expect(test.core.projects.view.projects).toEqual([]);
  } finally {
    leaving.abort();
    git('checkout', '-q', 'main');
    await test.dispose();
  }
});
