import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { LINE_FORMS, type Session, sessionId, writeSession } from '../past/support/syntheticLogs.ts';
import { axeFaults } from '../support/axe.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const PAGE = '[data-keys="history"]';
const words = strings.history;
const SESSIONS = 70;
/** The import is offered some seconds after the start. */
const OFFER_MS = 30_000;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('History', () => {
  const home = mkdtempSync(join(tmpdir(), 'hansard-history-'));
  const bin = join(home, 'bin');
  const app = new ServedApp({ env: { HOME: home, PATH: `${bin}:${process.env.PATH}` } });
  const browser = new TestBrowser();
  let win: TerminalWindow;
  const page = () => win.page.locator(PAGE);
  const rows = () => page().getByRole('list', { name: words.list }).locator('> li');
  const press = (key: string) => win.page.keyboard.press(key);

  beforeAll(async () => {
    mkdirSync(bin, { recursive: true });
    mkdirSync(join(home, 'quay'), { recursive: true });
    for (const form of LINE_FORMS.slice(0, 2))
      for (let n = 0; n < SESSIONS / 2; n += 1) writeSession(home, form, session(form.agent, n));
    writeFileSync(join(bin, 'codex'), '#!/bin/sh\necho "went on with $*"\nsleep 60\n');
    chmodSync(join(bin, 'codex'), 0o755);
    for (const rc of ['.bashrc', '.bash_profile', '.profile']) writeFileSync(join(home, rc), `PATH=${bin}:$PATH\n`);
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  function session(agent: string, n: number): Session {
    const answer = `# Found\n\n- the **tide** at \`${n}\`\n\n\`\`\`ts\nconst berth = ${n};\n\`\`\``;
    const turns = [{ prompt: `Why is lantern ${n} of ${agent} dark?`, answer, tool: 'ok' }];
    return { id: sessionId(agent, n), cwd: join(home, 'quay'), atMs: Date.now() - (n + 1) * 3_600_000, turns };
  }

  test('offers what agents kept, and adds it when asked to', { timeout: 60_000 }, async () => {
    await win.ready();
    await win.page.getByText(words.offer(SESSIONS)).waitFor({ timeout: OFFER_MS });
    await win.page.getByRole('button', { name: words.add, exact: true }).click();
    await win.page.getByText(words.offer(SESSIONS)).waitFor({ state: 'detached' });
  });

  test('lists conversations as they are scrolled to, newest first, and reads the chosen one by keys', async () => {
    await opened();
    await soon(() => rows().count()).toBe(50);
    await soon(() => rows().first().innerText()).toContain('lantern 0');
    await press('End');
    for (let n = 0; n < 60; n += 1) await press('j');
    await soon(() => rows().count()).toBe(SESSIONS);
    await page().getByRole('article').getByRole('heading', { level: 4, name: 'Found' }).waitFor();
    expect(await axeFaults(win.page, PAGE)).toEqual([]);
  });

  /** Opens the page if the previous test closed it. */
  async function opened(): Promise<void> {
    if ((await page().count()) === 0) await press('Control+Shift+Y');
    await page().waitFor();
  }

  test('finds by full text and by agent', async () => {
    await press('/');
    await win.page.keyboard.type('"lantern 7"');
    await soon(() => rows().count()).toBe(2);
    await page().getByRole('combobox', { name: words.agent }).selectOption('codex');
    await soon(() => rows().count()).toBe(1);
    await soon(() => rows().first().innerText()).toContain('lantern 7 of codex');
  });

  test('shows usage with how many conversations it is known of', async () => {
    await page().getByRole('button', { name: words.usage.show }).click();
    await soon(() => page().locator('tfoot').innerText()).toContain(words.usage.knownOf(SESSIONS, SESSIONS));
    expect(await axeFaults(win.page, PAGE)).toEqual([]);
    await page().getByRole('button', { name: words.usage.list, exact: true }).click();
  });

  test('stays readable at 900 px in the light theme', async () => {
    await win.page.setViewportSize({ width: 900, height: 700 });
    await win.page.emulateMedia({ colorScheme: 'light' });
    await rows().first().getByRole('button').click();
    await page().getByRole('article').getByRole('button', { name: words.continue }).waitFor();
    expect(await axeFaults(win.page, PAGE)).toEqual([]);
    await press('Escape');
    await soon(() => rows().first().isVisible()).toBe(true);
  });

  test('continues a conversation in its folder in a new tab, and says why another cannot', async () => {
    await opened();
    await rows().first().getByRole('button').focus();
    await press('c');
    await soon(() => win.live.innerText()).toContain(`went on with resume ${sessionId('codex', 7)}`);
    await soon(() => win.page.locator(PAGE).count()).toBe(0);
    await press('Control+Shift+Y');
    await page().getByRole('combobox', { name: words.agent }).selectOption('claude');
    await soon(() => rows().first().innerText()).toContain('of claude');
    await rows().first().getByRole('button').focus();
    await press('c');
    await win.page.getByText(/on the PATH of your login shell/).waitFor();
  });
});
