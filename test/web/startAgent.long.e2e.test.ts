import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { axeFaults } from '../support/axe.ts';
import { installDrawnAgent } from '../support/installDrawnAgent.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const words = strings.agents.start;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the form that starts an agent', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-startAgent-')));
  const repository = join(folder, 'quay');
  const app = new ServedApp({ env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}` } });
  const browser = new TestBrowser();
  let win: TerminalWindow;
  const form = () => win.page.getByRole('dialog');
  const field = (name: string) => form().getByLabel(name, { exact: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: repository });
  const open = async () => {
    await win.page.keyboard.press('Control+Shift+N');
    await form().waitFor();
    await soon(() => field(words.agent).inputValue()).not.toBe('');
  };

  beforeAll(async () => {
    installDrawnAgent(folder);
    mkdirSync(repository);
    git('init', '-q', '-b', 'main');
    writeFileSync(join(repository, 'a'), 'a');
    git('add', 'a');
    git('commit', '-qm', 'one');
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('says how an agent is installed that is not, and starts none', async () => {
    await win.ready();
    await win.run(`cd ${repository}`);
    await open();
    await soon(() => field(words.folder).inputValue()).toBe(repository);
    await field(words.agent).selectOption('qwen');
    await form().getByText('npm install -g @qwen-code/qwen-code').waitFor();
    expect(await form().getByRole('button', { name: words.confirm }).isDisabled()).toBe(true);
  });

  test('has no faults that axe finds, in both themes', async () => {
    await field(words.agent).selectOption('codex');
    await field(words.ownWorktree).check();
    for (const colorScheme of ['dark', 'light'] as const) {
      await win.page.emulateMedia({ colorScheme });
      expect(await axeFaults(win.page, '[role="dialog"]')).toEqual([]);
    }
  });

  test('says why no work tree can be made, and keeps what was written', async () => {
    await field(words.branch).fill('main');
    await field(words.prompt).fill('write a note');
    await form().getByRole('button', { name: words.confirm }).click();
    await form().getByText(words.refusals.exists('main')).waitFor();
    expect(await field(words.prompt).inputValue()).toBe('write a note');
  });

  test('starts the agent in a new work tree and sends its first prompt once it takes input', async () => {
    await field(words.branch).fill('codex-one');
    await field(words.prompt).press('Control+Enter');
    await form().waitFor({ state: 'detached' });
    await soon(() => win.live.innerText()).toContain('write a note');
    expect(existsSync(join(folder, 'quay-worktrees', 'codex-one', 'a'))).toBe(true);
    expect(git('branch', '--format=%(refname:short)').toString()).toBe('codex-one\nmain\n');
  });

  test('gives the same prompt to another agent beside the first, with a work tree of its own', async () => {
    await win.page.keyboard.press('Control+Shift+A');
    await win.page.getByRole('button', { name: words.again }).click();
    await form().waitFor();
    await soon(() => field(words.prompt).inputValue()).toBe('write a note');
    await field(words.agent).selectOption('codex');
    await soon(() => field(words.ownWorktree).isChecked()).toBe(true);
    const branch = await field(words.branch).inputValue();
    await form().getByRole('button', { name: words.confirm }).click();
    await form().waitFor({ state: 'detached' });
    await soon(() => win.page.locator('[data-pane-of]').count()).toBe(2);
    await soon(() => existsSync(join(folder, 'quay-worktrees', branch, 'a'))).toBe(true);
  });

  test('offers the folder of the agent that is shown, and not that of its shell', async () => {
    await win.page.keyboard.press('Control+Shift+T');
    await soon(() => win.page.locator('[data-pane-of]').count()).toBe(1);
    await win.ready();
    await win.start(`(cd ${folder} && exec ${join(folder, 'bin', 'codex')} /dev/null)`);
    await soon(() => win.page.locator('[data-chat]').innerText()).toContain('Codex');
    await open();
    await soon(() => field(words.folder).inputValue()).toBe(folder);
    await win.page.keyboard.press('Escape');
  });
});
