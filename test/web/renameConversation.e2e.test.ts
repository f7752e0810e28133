import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { onlyTerminal } from '../support/chatRecords.ts';
import { connectTo } from '../support/coreClient.ts';
import { installDrawnAgent } from '../support/installDrawnAgent.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 900, height: 600 };

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the field for a conversation’s name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-rename-'));
  const served = new ServedWindow();
  let win: TerminalWindow;
  let program: string;
  const field = () => win.page.getByRole('textbox', { name: strings.conversation.nameField });
  const press = (key: string) => win.page.keyboard.press(key);
  const core = <T>(act: (api: ReturnType<typeof connectTo>['api']) => Promise<T>): Promise<T> => {
    const { api, dispose } = connectTo(served.app.home);
    return act(api).finally(dispose);
  };
  const id = () => onlyTerminal(served.app.home);
  const titles = () => core(async (api) => (await api.chat.list.query({ terminalId: id() })).map(({ title }) => title));
  /** The palette offers only what is possible when it opens, so the conversation must be in view: the core knows it before the window does. */
  const rename = async () => {
    await win.page.locator('[data-chat] h2').waitFor();
    await win.act(strings.conversation.actions.name);
    await field().waitFor();
    await soon(() => field().evaluate((input) => input === document.activeElement)).toBe(true);
  };

  beforeAll(async () => {
    program = installDrawnAgent(folder);
    win = await served.start();
  });

  afterAll(async () => {
    await served.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('stays with its text when the window gets too narrow for the conversation, and Return keeps it', async () => {
    await win.page.setViewportSize(WIDE);
    await win.ready();
    await win.page.keyboard.type(program);
    await press('Enter');
    await soon(() => win.live.innerText()).toContain('Ask Codex to do anything');
    await win.page.keyboard.type('work');
    await press('Enter');
    await soon(titles).toEqual(['work']);
    await rename();
    await win.page.keyboard.type('Light the');
    await win.page.setViewportSize(NARROW);
    await win.page.keyboard.type(' lamp');
    await soon(() => field().inputValue()).toBe('Light the lamp');
    await press('Enter');
    await soon(titles).toEqual(['Light the lamp']);
    await soon(() => field().count()).toBe(0);
  });

  test('works at 900 px, over the terminal and on the Agents page, in both directions of writing', async () => {
    await press('Alt+Shift+C');
    await soon(() => win.page.evaluate(() => document.activeElement?.closest('[data-chat]') !== null)).toBe(true);
    await rename();
    await win.page.keyboard.type('שלום lamp');
    const box = await field().boundingBox();
    expect(box && box.width > 150 && box.x + box.width <= NARROW.width).toBe(true);
    expect(await field().evaluate((input) => getComputedStyle(input).direction)).toBe('rtl');
    await press('Enter');
    await soon(titles).toEqual(['שלום lamp']);
    const title = win.page.locator('[data-chat] h2');
    await soon(() => title.evaluate((one) => getComputedStyle(one).direction)).toBe('rtl');
    await press('Escape');
    await win.page.setViewportSize(WIDE);
    await press('Control+Shift+A');
    const page = win.page.locator('[data-keys="agents"]');
    await page.getByRole('article').first().waitFor();
    await rename();
    await win.page.keyboard.type('On the page');
    await win.page.setViewportSize(NARROW);
    await soon(() => field().inputValue()).toBe('On the page');
    await press('Enter');
    await soon(titles).toEqual(['On the page']);
    await page.getByRole('article').first().waitFor();
    await press('Escape');
    await soon(() => page.count()).toBe(0);
    await win.page.setViewportSize(WIDE);
  });

  test('stays when another conversation begins, and names the one that it was opened for', async () => {
    await rename();
    await win.page.keyboard.type('The old one');
    await core(async (api) => {
      await api.terminal.write.mutate({ id: id(), data: '\x04' });
      await soon(() => api.terminal.submit.mutate({ id: id(), text: program })).toMatchObject({ ok: true });
      await soon(async () => (await api.chat.list.query({ terminalId: id() })).length).toBe(2);
    });
    await soon(() => field().inputValue()).toBe('The old one');
    await press('Enter');
    await soon(titles).toEqual(['', 'The old one']);
    await soon(() => field().count()).toBe(0);
  });
});
