import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { strings } from '../../src-renderer/app/strings.ts';
import { connectTo } from '../support/coreClient.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, CLI, ServedApp, TestBrowser } from '../support/WebApp.ts';

const MACHINE = join(ROOT, 'test/machines/rig/forgingMachine.mjs');
/** The most characters of a title, with room for the words around it. */
const MAX_NAME_CHARS = 3_000;
/** Elements that forged text could create. The editor itself puts images without a source around its placeholder. */
const DANGEROUS =
  'img:not(.cm-widgetBuffer:not([src])), script:not([src]), iframe, object, embed, a[href^="javascript"], base';

/** A real core whose messages are forged on their way: see forgingMachine.mjs. */
describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('a machine that forges its messages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-forge-'));
  const calls = join(folder, 'calls');
  const far = new ServedApp();
  const app = new ServedApp({ env: { PATH: `${folder}${delimiter}${process.env.PATH}` } });
  const browser = new TestBrowser();
  const happened: string[] = [];
  let requests: string[] = [];
  let win: TerminalWindow;
  let core: CoreConnection;
  let farId = '';
  let key = '';

  beforeAll(async () => {
    const variables = { HANSARD_HOME: far.home, FAR_CLI: CLI, FAR_CALLS: calls };
    const set = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
    const script = `#!/bin/sh\n${set.join('')}exec '${process.execPath}' '${MACHINE}' "$@"\n`;
    writeFileSync(join(folder, 'ssh'), script, { mode: 0o755 });
    await far.start();
    const there = connectTo(far.home);
    ({ id: farId } = await there.api.terminal.open.mutate({ cols: 80, rows: 24, shell: 'bash' }));
    there.dispose();
    await app.start();
    core = connectTo(app.home);
    const { page, context } = await browser.open('about:blank');
    page.on('dialog', (dialog) => {
      happened.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on('page', (opened) => happened.push(`opened: ${opened.url()}`));
    context.on('request', (request) => requests.push(request.url()));
    await page.goto(app.url);
    win = new TerminalWindow(page);
  });

  afterAll(async () => {
    core.dispose();
    await browser.dispose();
    await app.dispose();
    await far.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const there = () => win.page.locator('[data-tab^="on-"]');
  const dangerous = () => win.page.locator('body').locator(DANGEROUS).count();
  /** A forged list may take a tab away just then. */
  const choose = (tab: Locator) => tab.click({ timeout: 5_000 }).catch(() => undefined);
  /** The terminal of this machine, which must work whatever the other one sends. */
  const runsHere = async (word: string) => {
    await win.page.locator('[data-tab]:not([data-tab^="on-"])').first().click();
    await win.ready();
    await win.submit(`echo ${word}`);
    // The cards of a pane that was just shown may still be on their way, so the card is found by its command.
    await soon(() => win.lines(win.card(`echo ${word}`))).toEqual([word]);
  };

  test('thousands of terminals with changing names are bounded, and leave the window to the person', async () => {
    await win.ready();
    await win.run('true'); // everything that the page itself loads is loaded
    requests = [];
    const verdict = await core.api.machine.connect.mutate({ name: 'ada@far' });
    if (verdict.ok) ({ key } = verdict);
    await soon(() => there().count()).toBeGreaterThan(100);
    await runsHere('during');
    expect(await there().count()).toBeLessThanOrEqual(301);
    await soon(() => win.page.locator('[data-machine] .head').getAttribute('aria-label')).toContain(
      strings.machines.cut.long,
    );
    const names = await there().evaluateAll((tabs) => tabs.map((tab) => tab.querySelector('button')?.ariaLabel ?? ''));
    expect(Math.max(...names.map(({ length }) => length))).toBeLessThan(MAX_NAME_CHARS);
    expect(names.join('')).toContain('<img src=x onerror=alert(1)>');
    expect(names.join('')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(await dangerous()).toBe(0);
  });

  test('its terminal, cards, conversations, agents and search show words only', async () => {
    await choose(win.page.locator(`[data-tab$="${farId}"]`));
    const id = `on-${key}-${farId}`;
    for (let n = 0; n < 20; n += 1)
      await core.api.terminal.submit.mutate({ id, text: `echo ${n}; printf '\\e]0;${n}\\a'` }).catch(() => undefined);
    expect(await dangerous()).toBe(0);
    const shown = await there().count();
    for (const at of [0, shown >> 1, shown - 1]) await choose(there().nth(at));
    expect(await dangerous()).toBe(0);
    await runsHere('after-tabs');
    for (const action of [strings.agents.action, strings.history.action]) {
      await win.act(action);
      await win.page.waitForLoadState();
      expect(await dangerous()).toBe(0);
      await win.page.keyboard.press('Escape');
    }
    await runsHere('after-pages');
  });

  test('nothing was opened, run or asked for on this machine', async () => {
    const { origin } = new URL(app.url);
    expect(requests.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([]);
    expect(happened).toEqual([]);
    expect(existsSync(calls)).toBe(false); // no other use of ssh
    const { blocks } = await core.api.block.page.query({ terminalId: await ownId(), limit: 100 });
    expect([...new Set(blocks.map(({ cmd }) => cmd))]).toEqual([
      'true',
      'echo during',
      'echo after-tabs',
      'echo after-pages',
    ]);
  });

  async function ownId(): Promise<string> {
    return (await win.page.locator('[data-tab]:not([data-tab^="on-"])').first().getAttribute('data-tab')) ?? '';
  }
});
