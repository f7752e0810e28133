import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { writeCastPlayer } from '../support/castPlayer.ts';
import { ChatWriter, onlyTerminal, writeChat } from '../support/chatRecords.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const HOSTILE =
  '<img src=x onerror="window.broken=1"><script>window.broken=2</script> [go](javascript:window.broken=3)';
const QUESTION = 'Edit file\nsrc/berths.ts\n 15 - old\n 15 + new\nDo you want to make this edit?\n1. Yes\n2. No';

/** A recorded session of a real agent and its answers; the window only draws the visible ones. */
const CAST = join(ROOT, 'test/fixtures/agents/codex-0.169.0-noalt-100x30.cast');
/** A recording of an agent that waits for its person: it asks at 11.5 s, and the answer comes 3 s later. */
const WAITING = join(ROOT, 'test/fixtures/agents/codex/0.169.0-left-waiting/session.cast');
const ASKED_S = 11.5;
const ANSWERS = /I am ready to help|I will read the file first|Running the command now|I wrote note/;

/** Two conversations of one terminal. The newer one is in the given card and had an open question when its core ended. */
function twoConversations(terminalId: string, blockId: string) {
  const old = new ChatWriter(terminalId, 'c-old', { atMs: Date.now() - 86_400_000 });
  old.event('cli:newSession', { agent: 'generic' });
  old.say('user', 'An older question');
  old.say('model', 'An older answer');
  old.event('cli:exit');
  const now = new ChatWriter(terminalId, 'c-now', { firstOrder: 100 });
  now.event('cli:newSession', { agent: 'generic', blockId });
  now.say('user', 'Why does the **berth** test fail?');
  now.say(
    'model',
    'At *mean* water it passes:\n\n1. one\n2. two\n\n```ts\nconst depth = 7; // low tide\n```\n\n… lines not drawn\n\n| tide | depth |\n|---|---|\n| low | 5.6 |',
  );
  now.say('toolCall', 'Run(npm test)', { tool: { name: 'Run', input: 'npm test', status: 'failed' } });
  now.say('toolResult', 'FAIL berths\nlow tide expected');
  now.say('user', HOSTILE);
  now.say('model', HOSTILE, { log: { text: `${HOSTILE} and something else` }, verified: false });
  now.event('cli:compact');
  now.say('permission', QUESTION, { final: false });
  now.event('stateChanged', {
    state: 'needs_approval',
    evidence: { by: 'screen', rule: 'dialog', line: 'Do you want to make this edit?' },
  });
  return [...old.lines, ...now.lines];
}

/** Leaves two cards in the record. */
async function runTwo(page: Page): Promise<void> {
  for (const command of ['echo a card with an agent', 'echo a later card']) {
    await page.getByRole('textbox', { name: 'Command', exact: true }).fill(command);
    await page.keyboard.press('Enter');
    await page.locator('li.card.ok').getByRole('heading', { name: command }).waitFor();
  }
}

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the conversation beside the terminal', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let page: Page;
  let win: TerminalWindow;
  const side = () => page.locator('[data-chat]');
  const turns = () => side().locator('li.said');
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const isInChat = () => page.evaluate(() => document.activeElement?.closest('[data-chat]') !== null);

  beforeAll(async () => {
    await app.start();
    await runTwo((await browser.open(app.url)).page);
    await app.stop();
    const id = onlyTerminal(app.home);
    const blocks = readFileSync(`${app.home}/terminals/${id}/blocks.jsonl`, 'utf8').trim().split('\n');
    const card = blocks.map((line) => JSON.parse(line)).find(({ cmd }) => cmd === 'echo a card with an agent');
    writeChat(app.home, id, twoConversations(id, card.id));
    await app.start();
    const opened = await browser.open(app.url, { permissions: ['clipboard-read', 'clipboard-write'] });
    page = opened.page;
    win = new TerminalWindow(page);
    await turns().nth(5).waitFor();
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  beforeEach(async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('Escape');
  });

  test('says who speaks, in words, italics and Markdown, with dividers and the missing lines marked', async () => {
    expect(await side().getByRole('heading', { level: 2 }).innerText()).toContain('Why does the **berth** test fail?');
    expect(await side().getByRole('heading', { level: 3 }).allInnerTexts()).toHaveLength(4);
    const typed = turns().first().locator('.words');
    expect([await typed.innerText(), await typed.evaluate((words) => getComputedStyle(words).fontStyle)]).toEqual([
      'Why does the **berth** test fail?',
      'italic',
    ]);
    const said = turns().nth(1);
    expect(await said.locator('em').innerText()).toBe('mean');
    expect(await said.locator('ol > li').allInnerTexts()).toEqual(['one', 'two']);
    expect(await said.locator('pre').innerText()).toBe('const depth = 7; // low tide');
    await soon(() => said.locator('pre .hljs-keyword').innerText()).toBe('const');
    expect(await said.locator('td').allInnerTexts()).toEqual(['low', '5.6']);
    expect(await said.locator('.gap').innerText()).toBe('lines not drawn');
    // A divider also has the date of another day, because this test may run around midnight.
    const dividers = await side().locator('li.divider').allInnerTexts();
    expect(dividers.map((text) => text.replace(/( \d{1,2} [A-Z][a-z]{2})? \d\d:\d\d$/, ''))).toEqual([
      'compacted',
      'ended some time after',
    ]);
  });

  test('shows markup in a message as the text it is', async () => {
    for (const at of [3, 4])
      expect(await turns().nth(at).locator('.words').innerText()).toContain('<script>window.broken=2</script>');
    expect(await side().locator('img, script, a[href^="javascript"]').count()).toBe(0);
    expect(await page.evaluate(() => (window as { broken?: number }).broken)).toBeUndefined();
  });

  test('folds a tool, and its answer with it', async () => {
    const tool = turns().nth(2);
    expect(await tool.innerText()).toContain('failed · 2 lines');
    expect(await tool.locator('pre').count()).toBe(0);
    await tool.locator('.head').click();
    await soon(() => tool.locator('pre').innerText()).toBe('FAIL berths\nlow tide expected');
    await tool.locator('.head').click();
    await soon(() => tool.locator('pre').count()).toBe(0);
  });

  test('folds what was asked, and shows it again', async () => {
    const asked = side().locator('.ask');
    expect(await asked.innerText()).toBe('Asked: Edit file');
    await asked.locator('.title').click();
    await soon(() => asked.locator('ol').innerText()).toMatch(/1\s+Yes\s+2\s+No/);
    expect(await asked.locator('.code-added').innerText()).toContain('15 + new');
    expect(await side().getByRole('button', { name: 'Answer in terminal' }).count()).toBe(0); // no agent waits for the answer any more
    await asked.locator('.title').click();
  });

  test('copies a message, a listing and the whole of it clean', async () => {
    await turns().nth(1).hover();
    await turns().nth(1).locator('.tools').getByRole('button', { name: 'Copy' }).click();
    await soon(clipboard).toContain('At *mean* water it passes:\n\n1. one');
    await turns().nth(1).locator('figure').hover();
    await turns().nth(1).locator('figure .copy').click();
    await soon(clipboard).toBe('const depth = 7; // low tide');
    await side().getByRole('button', { name: 'Copy as Markdown' }).click();
    await soon(clipboard).toContain('Why does the');
    expect(await clipboard()).toContain('FAIL berths');
  });

  test('is walked through turn by turn with the keys, and left with Escape', async () => {
    await page.keyboard.press('Alt+Shift+C');
    await soon(isInChat).toBe(true);
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset.flow);
    const at = async () =>
      page.evaluate(
        (key) =>
          [...document.querySelectorAll('li.said')].findIndex((one) => (one as HTMLElement).dataset.flow === key),
        await focused(),
      );
    await page.keyboard.press('End');
    for (const turn of [5, 4, 3]) {
      await page.keyboard.press('ArrowUp');
      await soon(at).toBe(turn);
    }
    await page.keyboard.press('c');
    await soon(clipboard).toContain('<img src=x');
    await page.keyboard.press('Escape');
    await soon(() => win.focused()).toBe('line');
  });

  test('leads to its card and back', async () => {
    await turns().first().hover();
    await turns().first().locator('.tools').getByRole('button', { name: 'Card' }).click();
    await soon(() => page.evaluate(() => document.activeElement?.textContent ?? '')).toContain(
      'echo a card with an agent',
    );
    await win.card('echo a card with an agent').getByRole('button', { name: 'conversation' }).click();
    await soon(isInChat).toBe(true);
  });

  test('is searched with count and marks, and filtered', async () => {
    await page.keyboard.press('Alt+Shift+F');
    await page.keyboard.type('low');
    await soon(() => side().locator('search output').innerText()).toBe('3 of 3');
    const marked = () =>
      page.evaluate(() =>
        [...(CSS.highlights.get('chat-hit') ?? []), ...(CSS.highlights.get('chat-hit-now') ?? [])].map(String),
      );
    await soon(async () => (await marked()).every((text) => text.toLowerCase() === 'low')).toBe(true);
    expect((await marked()).length).toBeGreaterThan(1);
    await page.keyboard.press('Enter');
    await soon(() => side().locator('search output').innerText()).toBe('2 of 3');
    await side().locator('search').getByText('Tools').click();
    await soon(() => turns().count()).toBe(2);
    await side().locator('search').getByText('All').click();
    await side().locator('search input[type="text"]').press('Escape');
    await soon(() => turns().count()).toBe(6);
  });

  test('shows the agent’s own log first where the screen differs, and the screen’s text at one click', async () => {
    expect(await turns().nth(4).locator('.words').innerText()).toContain('and something else');
    await side().getByRole('button', { name: 'from the agent’s log' }).click();
    const source = page.locator('.chat-source');
    await soon(() => source.innerText()).toContain('The agent’s own log has different text');
    expect((await source.locator('pre ins').allInnerTexts()).join('').trim()).toBe('and something else');
    await page.keyboard.press('Escape');
  });

  test('is exported as a file, with secrets taken out unless told otherwise', async () => {
    await side().getByRole('button', { name: 'Export…' }).click();
    await soon(() => win.dialog.innerText()).toContain('no secrets found');
    await win.dialog.getByText('HTML').click();
    await soon(() => win.dialog.innerText()).toContain('.html');
    const download = page.waitForEvent('download');
    await win.dialog.getByRole('button', { name: 'Save' }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    expect(text).toContain('FAIL berths');
    expect(text).not.toContain('<script');
  });

  test('says that a part of it could not be loaded, and loads it at the next try', async () => {
    const { conversation, app } = strings;
    const refused = (title: string) => app.notLoaded(title, app.notReceived);
    await page.route(/\/assets\/(?:ChangesPane|ExportSheet)-/, (route) => route.abort());
    await page.reload();
    const exporting = side().getByRole('button', { name: 'Export…' });
    await exporting.click();
    await soon(() => page.getByText(refused(conversation.export.title)).count()).toBe(1);
    const parts = side().getByRole('navigation', { name: strings.changes.parts });
    await parts.getByRole('button', { name: conversation.parts.changes }).click();
    await soon(() => side().getByRole('alert').innerText()).toBe(refused(conversation.parts.changes));
    await page.unrouteAll();
    await side().getByRole('button', { name: app.tryAgain }).click();
    await soon(() => side().getByRole('alert').count()).toBe(0);
    await soon(() => side().getByRole('navigation').count()).toBeGreaterThan(0);
    await parts.getByRole('button', { name: conversation.parts.messages }).click();
    await exporting.click();
    await soon(() => win.dialog.innerText()).toContain('no secrets found');
    await page.keyboard.press('Escape');
    await soon(() => win.dialog.count()).toBe(0);
  });

  test('gives way to an older one by its list', async () => {
    await side().locator('.chat-title').click();
    await page.getByRole('menuitemradio', { name: 'An older question' }).click();
    await soon(() => turns().allInnerTexts()).toHaveLength(2);
    await side().locator('.chat-title').click();
    await page.getByRole('menuitemradio', { name: 'Why does' }).click();
    await soon(() => turns().count()).toBe(6);
  });

  test('is beside the cards, as high as they are, where the tabs are on top', async () => {
    await win.act(strings.app.actions.tabsPlace);
    await soon(async () => {
      const cards = await page.getByRole('main').boundingBox();
      const panel = await side().boundingBox();
      return cards && panel && [panel.x - cards.x - cards.width, panel.y - cards.y, panel.height - cards.height];
    }).toEqual([0, 0, 0]);
    await win.act(strings.app.actions.tabsPlace);
  });

  test('keeps its width, by keys too', async () => {
    const width = async () => Math.round((await side().boundingBox())?.width ?? 0);
    const before = await width();
    await side().getByRole('slider').focus();
    await page.keyboard.press('ArrowRight');
    await soon(width).not.toBe(before);
    const after = await width();
    await page.reload();
    await soon(() => turns().count()).toBe(6);
    await soon(width).toBe(after);
  });

  test('is open or closed for each tab, also after a reload, and the settings stay as they were', async () => {
    const settingsPath = join(app.home, 'settings.json');
    const settings = () => (existsSync(settingsPath) ? readFileSync(settingsPath, 'utf8') : '');
    const before = settings();
    await page.keyboard.press('Control+Shift+M');
    await soon(() => side().count()).toBe(0);
    await page.keyboard.press('Control+Shift+T');
    await soon(() => win.tabs.count()).toBe(2);
    await soon(() => win.tabs.nth(1).getAttribute('aria-selected')).toBe('true');
    await win.ready();
    expect(await side().count()).toBe(0);
    await page.keyboard.press('Control+Shift+M');
    await soon(() => side().count()).toBe(1);
    await page.keyboard.press('Control+1');
    await soon(() => side().count()).toBe(0);
    await win.ready();
    await page.reload();
    await soon(() => win.tabs.nth(0).getAttribute('aria-selected')).toBe('true');
    await soon(() => page.getByRole('button', { name: 'Conversation', exact: true }).count()).toBe(1);
    expect(await side().count()).toBe(0);
    await page.keyboard.press('Control+2');
    await soon(() => side().count()).toBe(1);
    expect(settings()).toBe(before);
    await page.keyboard.press('Control+Shift+W');
    await soon(() => win.tabs.count()).toBe(1);
    await page.keyboard.press('Control+Shift+M');
    await soon(() => side().count()).toBe(1);
  });

  test('goes and comes with its key, and lies over the terminal where there is no room', async () => {
    await page.keyboard.press('Control+Shift+M');
    await soon(() => side().count()).toBe(0);
    await page.keyboard.press('Control+Shift+M');
    await soon(() => side().count()).toBe(1);
    await page.setViewportSize({ width: 900, height: 600 });
    await soon(() => side().count()).toBe(0);
    await page.keyboard.press('Control+Shift+M');
    await soon(isInChat).toBe(true);
    expect(await side().evaluate((element) => getComputedStyle(element).position)).toBe('fixed');
    await page.keyboard.press('Escape');
    await soon(() => side().count()).toBe(0);
  });
});

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('an agent that is at work', () => {
  const browser = new TestBrowser();
  const bin = mkdtempSync(join(tmpdir(), 'hansard-agent-'));
  let app: ServedApp;

  beforeEach(async () => {
    app = await new ServedApp().start();
  });

  afterEach(() => app.dispose());

  afterAll(async () => {
    await browser.dispose();
    rmSync(bin, { recursive: true, force: true });
  });

  test('is heard while it speaks: on its tab, in the conversation, and on its card', async () => {
    const win = new TerminalWindow((await browser.open(app.url)).page);
    const program = writeCastPlayer(bin, 'codex');
    await win.ready();
    await win.submit(`${program} ${CAST}`);
    const side = win.page.locator('[data-chat]');
    await soon(() => win.tabs.first().getAttribute('aria-label')).toMatch(/Codex: (starting|working|idle|needs)/); // a slow look may see a later state only
    await soon(() => side.locator('li.said.model').allInnerTexts().then(String)).toMatch(ANSWERS);
    await soon(() => win.page.locator('li.card').getByRole('button', { name: 'conversation' }).count()).toBe(1);
  });

  test('has its open question put forward, and leads to where it is answered', async () => {
    const win = new TerminalWindow((await browser.open(app.url)).page);
    const isInChat = () => win.page.evaluate(() => document.activeElement?.closest('[data-chat]') !== null);
    await win.ready();
    await win.submit(`${writeCastPlayer(bin, 'codex')} ${writeQuestion()}`);
    const side = win.page.locator('[data-chat]');
    const asked = side.locator('.ask.open');
    await soon(() => asked.allInnerTexts().then(String)).toContain('Would you like to run the following command?');
    expect(await asked.locator('ol > li').first().innerText()).toMatch(/1\s+Yes, proceed/);
    await soon(() => side.getByRole('status').first().innerText()).toContain('needs approval');
    await soon(() => win.tabs.last().getAttribute('aria-label')).toContain('needs approval');
    await win.page.keyboard.press('Alt+Shift+C');
    await soon(isInChat).toBe(true);
    await asked.getByRole('button', { name: 'Answer in terminal' }).click();
    await soon(isInChat).toBe(false);
    await soon(() => win.focused()).toBe('program');
  });

  /** Writes a real agent's output from its start to its question; the player stops there. */
  function writeQuestion(): string {
    const [head = '', ...events] = readFileSync(WAITING, 'utf8').trim().split('\n');
    const begun = events.findIndex((line) => line.includes('BLOCK_BEGIN'));
    const asked = events.findIndex((line) => JSON.parse(line)[0] > ASKED_S);
    const path = join(bin, 'question.cast');
    writeFileSync(path, [head, ...events.slice(begun + 1, asked)].join('\n'));
    return path;
  }
});
