import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { axeFaults } from '../support/axe.ts';
import { cutOff, ZOOMED_SIZES } from '../support/cutOff.ts';
import { installDrawnAgent } from '../support/installDrawnAgent.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

const words = strings.changes;
const PANEL = '[data-chat]';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('what an agent changed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-changes-'));
  const work = join(folder, 'work');
  const log = join(folder, 'answers');
  const served = new ServedWindow();
  let win: TerminalWindow;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: work, stdio: 'pipe' });
  const press = (key: string) => win.page.keyboard.press(key);
  const panel = () => win.page.locator(PANEL);
  const rows = () => panel().locator('[data-row]');
  const row = (name: string) => rows().filter({ hasText: name });
  const part = (name: string) => panel().getByRole('navigation', { name: words.parts }).getByRole('button', { name });
  const say = async (text: string) => {
    await win.page.keyboard.type(text);
    await press('Enter');
  };

  async function start(cwd: string): Promise<void> {
    await say(`cd ${cwd}; ${join(folder, 'bin', 'codex')} ${log}`);
    await soon(() => win.live.last().innerText()).toContain('Ask Codex to do anything');
  }

  /** The agent edits once the window shows that its turn began. */
  async function edit(prompt: string, turn: number): Promise<void> {
    await win.live.last().click();
    await say(prompt);
    await panel()
      .getByRole('region', { name: words.turn(turn) })
      .getByText(words.running)
      .waitFor();
    writeFileSync(`${log}.go`, '');
    await soon(() => panel().getByText(words.running).count()).toBe(0);
  }

  beforeAll(async () => {
    installDrawnAgent(folder);
    mkdirSync(work);
    git('init', '-q', '-b', 'main');
    writeFileSync(join(work, 'a.ts'), 'const one = 1;\nconst two = 2;\n');
    git('add', '-A');
    git('commit', '-qm', 'one');
    win = await served.start();
  });

  afterAll(async () => {
    await served.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('says before the first prompt when it will be known', async () => {
    await win.ready();
    await start(work);
    await press('Control+Shift+G');
    await panel().getByText(words.empty).waitFor();
  });

  test('is listed by turn, the newest first, while the agent works and after', async () => {
    await edit('edit a.ts const one = 10;', 1);
    await soon(() => rows().allInnerTexts()).toHaveLength(1);
    await edit('edit b.ts export {};', 2);
    await soon(() => rows().count()).toBe(2);
    await soon(() => rows().first().innerText()).toContain('b.ts');
    await soon(() => part(strings.conversation.parts.changes).innerText()).toContain('2');
  });

  test('is walked by keys, and a file shows its lines with signs', async () => {
    await rows().first().focus();
    await press('ArrowDown');
    await soon(() => row('a.ts').evaluate((element) => element === document.activeElement)).toBe(true);
    await press('Enter');
    const diff = panel().getByRole('figure', { name: words.diff('a.ts') });
    await soon(() => diff.innerText()).toContain('− const two = 2;');
    await soon(() => diff.innerText()).toContain('+ const one = 10;');
  });

  test('is reached at 200 %, and with forced colours its lines differ by their signs', async () => {
    const { page } = win;
    const wide = page.viewportSize() ?? { width: 1440, height: 900 };
    const added = panel().locator('.diff-added');
    await added.waitFor();
    await page.emulateMedia({ forcedColors: 'active' });
    for (const size of ZOOMED_SIZES) {
      await page.setViewportSize(size);
      await soon(() => cutOff(page)).toEqual([]);
      if (!(await panel().isVisible())) await press('Control+Shift+G');
      await row('a.ts').focus();
      await added.waitFor(); // still open, though the panel is drawn again, over the terminal
      for (const part of [...(await rows().all()), added]) {
        await part.scrollIntoViewIfNeeded();
        const box = await part.boundingBox();
        expect(box?.x).toBeGreaterThanOrEqual(0);
        expect((box?.x ?? 0) + (box?.width ?? size.width)).toBeLessThanOrEqual(size.width);
        expect((box?.y ?? 0) + (box?.height ?? size.height)).toBeLessThanOrEqual(size.height);
      }
      expect(await added.innerText()).toContain('+ const one = 10;');
      const { HANSARD_TEST_LOOKS: folder } = process.env;
      if (folder) await page.screenshot({ path: `${folder}/changes-${size.width}.png` });
    }
    await page.emulateMedia({ forcedColors: 'none' });
    await page.setViewportSize(wide);
    await panel().waitFor();
  });

  test('has no faults that axe finds, in both themes, by turn and in all', async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await win.page.emulateMedia({ colorScheme });
      expect(await axeFaults(win.page, PANEL)).toEqual([]);
    }
    await panel().getByText(words.all, { exact: true }).click();
    await soon(() => rows().count()).toBe(2);
    expect(await axeFaults(win.page, PANEL)).toEqual([]);
    await panel().getByText(words.byTurn, { exact: true }).click();
  });

  test('is copied as a patch that git takes', async () => {
    await win.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await row('a.ts').focus();
    await press('c');
    await soon(() => win.page.evaluate(() => navigator.clipboard.readText())).toContain('diff --git a/a.ts b/a.ts');
    const patch = join(folder, 'patch');
    writeFileSync(patch, await win.page.evaluate(() => navigator.clipboard.readText()));
    git('apply', '-R', '--check', patch);
  });

  test('is taken back for one file, after a question and not before', async () => {
    await row('a.ts').focus();
    await press('r');
    await win.dialog.getByText(words.restore.title('a.ts')).waitFor();
    await win.dialog.getByRole('button', { name: strings.app.cancel }).click();
    expect(readFileSync(join(work, 'a.ts'), 'utf8')).toBe('const one = 10;\n');
    await row('a.ts').focus();
    await press('r');
    await win.dialog.getByRole('button', { name: words.restore.confirm }).click();
    await soon(() => readFileSync(join(work, 'a.ts'), 'utf8')).toBe('const one = 1;\nconst two = 2;\n');
  });

  test('is on the page of all agents too, with the number of files', async () => {
    await press('Control+Shift+A');
    await soon(() => win.page.getByRole('article').innerText()).toContain(strings.agents.files(2));
    await part(strings.conversation.parts.messages).click();
    await soon(() => panel().innerText()).toContain('Edited b.ts');
    await part(strings.conversation.parts.changes).click();
    await row('b.ts').waitFor();
    await press('Escape');
    await press('Escape');
  });

  test('is shown beside the changes of the agent in another pane, by mouse and by palette', async () => {
    await win.act(strings.panes.actions.splitRight);
    await win.ready();
    await win.act(words.compare.action);
    await win.page.getByText(words.compare.tooFew).waitFor();
    const other = join(folder, 'other');
    git('worktree', 'add', '-q', '-b', 'other', other);
    await start(other);
    await panel().getByText(words.empty).waitFor();
    await edit('edit c.ts export const other = 1;', 1);
    await panel().getByRole('button', { name: words.compare.button }).click();
    const columns = win.dialog.getByRole('region', { name: /^Changes by Codex in .*\/(work|other)$/ });
    await soon(() => columns.count()).toBe(2);
    const files = (at: number) => columns.nth(at).locator('[data-row]').allInnerTexts();
    await soon(() => files(0)).toEqual(['a.ts', 'b.ts'].map((name) => expect.stringContaining(name)));
    await soon(() => files(1)).toEqual([expect.stringContaining('c.ts')]);
    expect(await axeFaults(win.page, '[role="dialog"]')).toEqual([]);
    await columns.nth(1).locator('[data-row]').focus();
    await press('Enter');
    await soon(() => columns.nth(1).innerText()).toContain('+ export const other = 1;');
    await press('Escape');
    await soon(() => win.dialog.count()).toBe(0);
    await win.act(words.compare.action);
    await soon(() => columns.count()).toBe(2);
    await press('Escape');
  });

  test('compares the panes of the chosen agent on the page of all agents, whatever tab is below it', async () => {
    await press('Control+Shift+T');
    await win.ready();
    await press('Control+Shift+A');
    await win.page.getByRole('article').filter({ hasText: 'edit a.ts' }).getByRole('button').first().click();
    await panel().getByRole('button', { name: words.compare.button }).click();
    await soon(() => win.dialog.getByRole('region', { name: /^Changes by Codex in / }).count()).toBe(2);
    await press('Escape');
    await soon(() => win.dialog.count()).toBe(0);
    await press('Control+Shift+A');
  });

  test('is not known outside of git, and the panel says why', async () => {
    await press('Control+Shift+T');
    await win.ready();
    mkdirSync(join(folder, 'plain'));
    await start(join(folder, 'plain'));
    await say('edit c.txt words');
    await panel().getByText(words.noSnapshot).waitFor();
    await soon(() => panel().innerText()).toContain(join(folder, 'plain'));
    writeFileSync(`${log}.go`, '');
  });
});
