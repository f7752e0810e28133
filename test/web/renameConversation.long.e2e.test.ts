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

  test('takes any text as one plain line, and the later of two windows decides', async () => {
    const chat = win.page.locator('[data-chat]');
    await win.page.evaluate(() =>
      navigator.clipboard.writeText('two\r\nlines \u0007\u202e<b>bold</b>\u{1f9d1}\u200d\u{1f680}'),
    );
    await rename();
    await press('Control+v');
    await press('Enter');
    await soon(titles).toEqual(['two lines <b>bold</b>🧑‍🚀', 'The old one']);
    await soon(() => chat.getByText('two lines <b>bold</b>').first().isVisible()).toBe(true);
    expect(await chat.locator('b').count()).toBe(0);
    await rename();
    await win.page.keyboard.insertText('x'.repeat(300));
    await press('Enter');
    await soon(async () => (await titles())[0]?.length).toBeGreaterThan(50);
    expect((await titles())[0]?.length).toBeLessThan(201);
    const elsewhere = async (title: string) => {
      const [conversationId = ''] = await core(async (api) =>
        (await api.chat.list.query({ terminalId: id() })).map((one) => one.id),
      );
      await core((api) => api.chat.name.mutate({ terminalId: id(), conversationId, title }));
    };
    await rename();
    await win.page.keyboard.type('from here');
    await elsewhere('from elsewhere');
    await soon(async () => (await titles())[0]).toBe('from elsewhere');
    expect(await field().inputValue()).toBe('from here');
    await press('Enter');
    await soon(async () => (await titles())[0]).toBe('from here');
    await rename();
    await elsewhere('from elsewhere');
    await press('Enter'); // nothing was typed, so nothing is named
    await soon(() => field().count()).toBe(0);
    expect((await titles())[0]).toBe('from elsewhere');
  });

  test('is not lost while the core is down: the name is kept, or a notice has it', async () => {
    await rename();
    await win.page.keyboard.type('Over the kill');
    await served.app.stop('SIGKILL');
    await press('Enter');
    const notice = win.page.getByText(strings.conversation.notNamed('Over the kill'));
    await served.app.start();
    await soon(async () => (await titles())[0] === 'Over the kill' || (await notice.count()) > 0).toBe(true);
  });

  test('keeps what was typed when its terminal is closed elsewhere', async () => {
    const terminalId = id();
    const ofTerminal = () => core(async (api) => (await api.chat.list.query({ terminalId }))[0]?.title);
    await rename();
    await win.page.keyboard.type('The last word');
    await core((api) => api.terminal.close.mutate({ id: terminalId, force: true }));
    await soon(() => field().count()).toBe(0);
    await soon(ofTerminal).toBe('The last word');
  });
});
