import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

/** Git runs outside of Hansard, as an editor or an agent would run it; so only what the core watches changes the header. */
describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the header of a repository', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-facts-')));
  const [remote, repo, other] = ['remote.git', 'harbour', 'other'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const served = new ServedWindow();
  let win: TerminalWindow;
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd,
      stdio: 'pipe',
    }).toString();
  const commit = (cwd: string, name: string): string => git(cwd, 'commit', '-q', '--allow-empty', '-m', name);
  const head = () => win.page.locator(`[data-project="${repo}"]`);
  const facts = (): Promise<string> => head().locator('.facts').innerText();

  beforeAll(async () => {
    mkdirSync(repo);
    git(folder, 'init', '-q', '--bare', '-b', 'main', remote);
    git(repo, 'init', '-q', '-b', 'main');
    commit(repo, 'one');
    git(repo, 'remote', 'add', 'origin', remote);
    win = await served.start();
  });

  afterAll(async () => {
    await served.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('has the branch alone without an upstream, and counts of commits from the first push', async () => {
    await win.ready();
    await win.run(`cd ${repo}`);
    await soon(facts).toBe('main');
    commit(repo, 'two');
    git(repo, 'push', '-q', '-u', 'origin', 'main');
    commit(repo, 'three');
    await soon(facts).toBe('main ↑1');
    expect(await head().getAttribute('aria-label')).toBe('harbour main ↑1, Branch main, 1 ahead of the upstream');
    commit(repo, 'four');
    await soon(facts).toBe('main ↑2');
    git(repo, 'push', '-q');
    await soon(facts).toBe('main');
  });

  test('counts what others have pushed once it is fetched, and both ways when the branches diverge', async () => {
    git(folder, 'clone', '-q', remote, other);
    commit(other, 'theirs');
    git(other, 'push', '-q');
    git(repo, 'fetch', '-q');
    await soon(facts).toBe('main ↓1');
    commit(repo, 'ours');
    await soon(facts).toBe('main ↑1 ↓1');
    await head().hover();
    await soon(() => win.page.locator('.tip').innerText()).toContain('1 ahead of the upstream\n1 behind the upstream');
    await win.page.mouse.move(800, 300);
    git(repo, 'reset', '-q', '--hard', 'origin/main');
    await soon(facts).toBe('main');
  });

  test('counts changed files when a command has ended, and loses them with a commit', async () => {
    await win.run('echo low > tide; echo high > moon');
    await soon(facts).toBe('main ±2');
    git(repo, 'add', '-A');
    git(repo, 'commit', '-q', '-m', 'tide');
    await soon(facts).toBe('main ↑1');
    git(repo, 'push', '-q');
    await soon(facts).toBe('main');
  });

  test('follows a branch in a folder of branches', async () => {
    git(repo, 'checkout', '-q', '-b', 'fix/dst');
    await soon(facts).toBe('fix/dst');
    git(repo, 'push', '-q', '-u', 'origin', 'fix/dst');
    commit(repo, 'dst');
    await soon(facts).toBe('fix/dst ↑1');
    git(repo, 'push', '-q');
    await soon(facts).toBe('fix/dst');
    git(repo, 'branch', '--unset-upstream');
    commit(repo, 'later');
    git(repo, 'branch', '--set-upstream-to', 'origin/fix/dst');
    await soon(facts).toBe('fix/dst ↑1');
  });

  test('of a detached head has the short hash and no arrows', async () => {
    const hash = git(repo, 'rev-parse', '--short=7', 'HEAD').trim();
    writeFileSync(join(repo, 'new'), '');
    git(repo, 'checkout', '-q', '--detach');
    await soon(facts).toBe(`${hash} ±1`);
    git(repo, 'checkout', '-q', 'main');
    await soon(facts).toBe('main ±1');
  });
});
