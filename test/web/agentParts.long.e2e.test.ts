import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Block } from '../../src-main/contract/block.ts';
import type { PlanItem, SubAgent } from '../../src-main/contract/chat/progress.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { strings } from '../../src-renderer/app/strings.ts';
import { axeFaults } from '../support/axe.ts';
import { ChatWriter, onlyTerminal, writeChat } from '../support/chatRecords.ts';
import { connectTo } from '../support/coreClient.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const words = strings.history;
const PROMPT = 'Mend the lantern';
const SESSION = '0a1b2c3d-0000-4000-8000-000000000001';
const WENT_ON = `went on with --resume ${SESSION}`;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 900, height: 600 },
];

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('an agent that a restart cut off', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-parts-')));
  const bin = join(home, 'bin');
  const app = new ServedApp({ env: { HOME: home, PATH: `${bin}:${process.env.PATH}` } });
  const browser = new TestBrowser();
  let win: TerminalWindow;
  const bar = () => win.page.getByText(words.last(PROMPT, 'Claude Code'));
  const answer = (name: string) => win.page.getByRole('button', { name, exact: true });

  beforeAll(async () => {
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "went on with $*"\nsleep 60\n');
    chmodSync(join(bin, 'claude'), 0o755);
    for (const rc of ['.bashrc', '.bash_profile', '.profile']) writeFileSync(join(home, rc), `PATH=${bin}:$PATH\n`);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  function blocks(): Pick<Block, 'id' | 'cmd'>[] {
    const file = join(app.home, 'terminals', onlyTerminal(app.home), 'blocks.jsonl');
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  const continued = () => new Set(blocks().flatMap(({ id, cmd }) => (cmd?.includes('--resume') ? [id] : []))).size;

  async function choose(setting: Settings['past.continue']): Promise<void> {
    const { api, dispose } = connectTo(app.home);
    await api.settings.set.mutate({ 'past.continue': setting });
    dispose();
  }

  /** Starts Claude Code, cuts the power, and opens a window on what is left. */
  async function cutOff(setting: Settings['past.continue']): Promise<void> {
    await app.start();
    win = new TerminalWindow((await browser.open(app.url, { viewport: SIZES[0] ?? null })).page);
    await win.ready();
    await choose(setting);
    await win.page.keyboard.type('claude');
    await win.page.keyboard.press('Enter');
    await soon(() => win.live.innerText()).toContain('went on with');
    await win.page.context().close();
    await app.crash();
    const id = onlyTerminal(app.home);
    const lines = readFileSync(join(app.home, 'terminals', id, 'blocks.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const block = lines.map((line) => JSON.parse(line)).findLast(({ cmd }) => cmd === 'claude');
    writeChat(app.home, id, conversation(id, block?.id ?? '', home));
    await app.start();
    win = new TerminalWindow((await browser.open(app.url, { viewport: SIZES[0] ?? null })).page);
  }

  test('"ask" offers to continue it in its terminal, and says with which command', { timeout: 120_000 }, async () => {
    await cutOff('ask');
    await bar().waitFor();
    expect(await answer(words.lastContinue).getAttribute('title')).toContain(`claude --resume ${SESSION}`);
    await everyLook('#pane', 'continue');
    for (const size of SIZES) {
      await win.page.setViewportSize(size);
      for (const name of [words.lastContinue, words.lastDismiss]) {
        const box = await answer(name).boundingBox();
        expect(box && box.x >= 0 && box.x + box.width <= size.width, name).toBe(true);
      }
    }
    await win.page.setViewportSize(SIZES[0] ?? { width: 0, height: 0 });
  });

  test('the Plan tab, opened by a key, has the last list as it was drawn, its progress and each state', async () => {
    const tab = win.page.getByRole('button', { name: /^Plan/ });
    await tab.focus();
    await win.page.keyboard.press('Enter');
    const plan = win.page.getByRole('region', { name: strings.conversation.plan.label });
    await plan.waitFor();
    expect(await tab.innerText()).toMatch(/2\/5/);
    expect(await plan.getByRole('progressbar').evaluate((bar: HTMLProgressElement) => bar.position)).toBeCloseTo(2 / 5);
    const items = plan.getByRole('listitem');
    expect(await items.locator('[dir=auto]').allTextContents()).toEqual(LAST_PLAN.map(({ text }) => text));
    expect(await items.allInnerTexts()).toEqual(
      ['done', 'in progress', 'open', 'done', 'open'].map((state) => expect.stringMatching(new RegExp(`${state}$`))),
    );
    expect(await plan.locator('[aria-current=step]').innerText()).toContain('change the wick');
    expect(await items.locator('b, img').count()).toBe(0);
    await everyLook('[data-chat]', 'plan');
  });

  test('its sub-agents are a tree of three levels on the Agents page, also of a parent that ended first', async () => {
    await win.page.keyboard.press('Control+Shift+A');
    const tree = win.page.getByRole('list', { name: strings.agents.subAgents.label });
    await tree.waitFor();
    const items = tree.getByRole('listitem');
    const titles = items.locator('.title');
    expect(await titles.allInnerTexts()).toEqual([
      'Look for wicks',
      'Look in the cellar',
      'Look in the cellar',
      'Ask the keeper',
    ]);
    const indents = await titles.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().x)));
    const [top = 0, second = 0, third = 0, last] = indents;
    expect(second - top).toBeGreaterThan(8);
    expect(third - second).toBe(second - top);
    expect(last).toBe(top);
    expect(await items.nth(2).innerText()).toMatch(/stopped/i); // it worked when the agent was cut off
    expect(await items.nth(3).innerText()).toMatch(/failed/i);
    await everyLook('[data-keys="agents"]', 'tree');
    await win.page.keyboard.press('Escape');
  });

  test('a program that runs there keeps its keys, and the offer stays', async () => {
    await win.start('cat');
    await answer(words.lastContinue).focus();
    await win.page.keyboard.press('Enter');
    await win.page.getByText(/Could not continue: Nothing was run, because a program runs there/).waitFor();
    await bar().waitFor();
    expect(await win.liveRows()).toEqual([]);
    await win.interruptLeftovers();
    await win.ready();
  });

  test('the answers of two windows at once continue it once, and the offer is gone in both', async () => {
    const other = await win.beside(browser, app.url);
    const there = other.page.getByRole('button', { name: words.lastContinue, exact: true });
    await there.focus();
    await Promise.all([answer(words.lastContinue).click(), other.page.keyboard.press('Enter')]);
    await soon(() => win.live.innerText()).toContain(WENT_ON);
    await soon(() => bar().count()).toBe(0);
    await soon(() => there.count()).toBe(0);
    expect(continued()).toBe(1);
    await win.page.reload();
    await soon(() => win.live.innerText()).toContain(WENT_ON);
    expect(await bar().count()).toBe(0);
    await other.page.context().close();
    await win.page.context().close();
    await app.crash();
  });

  test('"always" continues it without a question, at each start', { timeout: 180_000 }, async () => {
    await cutOff('always');
    await soon(() => win.live.innerText()).toContain(WENT_ON);
    expect(await bar().count()).toBe(0);
    await win.page.context().close();
    await app.crash(); // before its first prompt
    await app.start();
    await soon(continued).toBe(3);
    await choose('never');
    await app.crash();
  });

  test('"never" neither continues it nor asks, until the person wants to be asked', { timeout: 120_000 }, async () => {
    await cutOff('never');
    await win.ready();
    expect(await bar().count()).toBe(0);
    await choose('ask');
    await bar().waitFor();
    await answer(words.lastDismiss).click();
    await soon(() => bar().count()).toBe(0);
    await win.page.reload();
    await win.ready();
    expect(await bar().count()).toBe(0);
    expect(continued()).toBe(3); // by the answer, and twice by "always"
  });

  /** Expects no fault that axe finds, in both themes at both sizes, and keeps pictures of them if a folder is given. */
  async function everyLook(part: string, name: string): Promise<void> {
    const { HANSARD_TEST_LOOKS: folder } = process.env;
    for (const size of SIZES)
      for (const colorScheme of ['dark', 'light'] as const) {
        await win.page.setViewportSize(size);
        await win.page.emulateMedia({ colorScheme });
        await soon(async () => {
          if (part === '[data-chat]' && (await win.page.locator(part).count()) === 0)
            await win.page.keyboard.press('Alt+Shift+C'); // a narrow window has closed it, perhaps only now
          return axeFaults(win.page, part);
        }).toEqual([]);
        if (folder) await win.page.screenshot({ path: join(folder, `${name}-${size.width}-${colorScheme}.png`) });
      }
    await win.page.emulateMedia({ colorScheme: 'dark' });
    await win.page.setViewportSize(SIZES[0] ?? { width: 0, height: 0 });
  }
});

const open = (text: string): PlanItem => ({ text, state: 'open' });
const FIRST_PLAN = ['buy oil', 'change the wick', 'read the lamp', 'light it', 'light it', 'leave'].map(open);
/** Shorter, in another order, with one text twice, and with texts that look like markup or run from right to left. */
const LAST_PLAN: PlanItem[] = [
  { text: 'read the lamp <b>twice</b> <img src=x>', state: 'done' },
  { text: 'change the wick', state: 'active' },
  open('light it'),
  { text: 'light it', state: 'done' },
  open('הדלק את הפנס (now)'),
];

/** A conversation with a plan and sub-agents that was cut off. */
function conversation(terminalId: string, blockId: string, cwd: string) {
  const chat = new ChatWriter(terminalId, `c-cut-${blockId}`, { atMs: Date.now() - 60_000, firstOrder: 10_000 });
  chat.event('cli:newSession', { agent: 'claude', blockId, cwd });
  chat.say('user', PROMPT);
  chat.say('model', 'I look at the lamp first.');
  chat.event('planChanged', { plan: { items: FIRST_PLAN, done: 0, total: 6, from: 'log' } });
  chat.event('planChanged', { plan: { items: LAST_PLAN, done: 2, total: 5, from: 'log' } });
  const helper = (id: string, title: string, more: Partial<SubAgent> = {}): SubAgent => ({
    ...{ id, parentId: null, title, kind: 'general-purpose', state: 'done' },
    ...{ startedMs: Date.now() - 50_000, sinceMs: Date.now() - 40_000 },
    ...more,
  });
  chat.event('subAgentChanged', { subAgent: helper('s1', 'Look for wicks') });
  chat.event('subAgentChanged', { subAgent: helper('s2', 'Look in the cellar', { parentId: 's1' }) });
  chat.event('subAgentChanged', { subAgent: helper('s3', 'Ask the keeper', { state: 'failed' }) });
  const deep = helper('s4', 'Look in the cellar', { parentId: 's2', state: 'working' });
  chat.event('subAgentChanged', { subAgent: deep });
  chat.event('cli:exit', { isUnseen: true, resumeId: SESSION });
  return chat.lines;
}
