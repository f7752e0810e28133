import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { SETTLED_MS } from '../../src-renderer/ui/touch/settledClicks.ts';
import { axeFaults } from '../support/axe.ts';
import { installDrawnAgent } from '../support/installDrawnAgent.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { touchFaults } from '../support/touchFaults.ts';
import { BROWSER } from '../support/WebApp.ts';
import { Stage } from './Stage.ts';

const PHONE = { width: 390, height: 844 };
const { drawer } = strings.sidebar;
const { keyRow } = strings.composer;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the window on a phone', () => {
  const stage = new Stage({ viewport: PHONE, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
  const folder = mkdtempSync(join(tmpdir(), 'hansard-phone-'));
  const log = join(folder, 'answers');
  let win: TerminalWindow;
  const button = (name: string) => win.page.getByRole('button', { name, exact: true });
  const key = (name: string) =>
    win.page.getByRole('toolbar', { name: keyRow.label }).getByRole('button', { name, exact: true });
  const link = (name: string) =>
    win.page.getByRole('navigation', { name: drawer.more }).getByRole('button', { name, exact: true });
  const openDrawer = () => win.page.getByRole('button', { name: drawer.open }).tap();

  /** In both themes. */
  async function expectNoFaults(): Promise<void> {
    expect(await touchFaults(win.page)).toEqual([]);
    for (const colorScheme of ['dark', 'light'] as const) {
      await win.page.emulateMedia({ colorScheme });
      await soon(() => axeFaults(win.page, 'html')).toEqual([]);
    }
  }

  async function type(line: string): Promise<void> {
    await win.composer.locator.tap();
    await win.page.keyboard.type(line);
    await soon(() => win.composer.inputValue()).toBe(line);
    await win.page.keyboard.press('Enter');
  }

  /** Swipes horizontally over the middle of an element. */
  async function swipe(over: Locator, distance: number): Promise<void> {
    await over.scrollIntoViewIfNeeded();
    const { y = 0, height = 0 } = (await over.boundingBox()) ?? {};
    const devtools = await win.page.context().newCDPSession(win.page);
    const start = PHONE.width / 2 - distance / 2;
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', moved: number) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: start + moved, y: y + height / 2 }],
      });
    await touch('touchStart', 0);
    for (let step = 1; step <= 10; step += 1) await touch('touchMove', (distance * step) / 10);
    await win.page.waitForTimeout(200); // a finger that rests throws nothing, and the next tap need not stop it
    await touch('touchMove', distance);
    await touch('touchEnd', distance);
    await devtools.detach();
  }

  afterAll(async () => {
    await stage.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('shows cards, and opens no keyboard before a field is tapped', async () => {
    win = await stage.ready();
    await win.card('pwd').waitFor();
    await win.page.locator('.card .body').last().tap();
    expect(await win.focused()).toBe('none');
    await expectNoFaults();
  });

  test.each([360, 768])('fits into %i px', async (width) => {
    await win.page.setViewportSize({ width, height: 700 });
    await soon(() => touchFaults(win.page)).toEqual([]);
    await win.page.setViewportSize(PHONE);
    await button(drawer.open).waitFor();
  });

  test('the menu of a card makes a finger scroll its long lines sideways, and not the page', async () => {
    await type('seq -s " " 200');
    const wide = win.card('seq');
    const line = wide.locator('.line').first();
    await soon(() => line.count()).toBe(1);
    const lineWidth = () => line.evaluate((element) => element.getBoundingClientRect().width);
    expect(await lineWidth()).toBeLessThan(PHONE.width);
    await wide.getByRole('button', { name: strings.cards.more }).tap();
    await win.page.getByRole('menu').waitFor();
    expect(await touchFaults(win.page)).toEqual([]);
    await win.page.getByRole('menuitem', { name: strings.cards.noWrap }).tap();
    await soon(lineWidth).toBeGreaterThan(3 * PHONE.width);
    await soon(() => touchFaults(win.page)).toEqual([]);
    await swipe(line, -200);
    await soon(() => line.evaluate((element) => element.getBoundingClientRect().left)).toBeLessThan(-100);
    expect(await win.page.evaluate(() => scrollX)).toBe(0);
  });

  test('the drawer leads to search, settings and the conversation', async () => {
    await openDrawer();
    await link(strings.tabs.search).waitFor();
    await soon(() => touchFaults(win.page)).toEqual([]);
    await expectNoFaults();
    await link(strings.tabs.search).tap();
    await win.page.getByPlaceholder(strings.search.placeholder).fill('berth');
    await win.page.locator('[role=dialog] [role=option]').first().waitFor();
    await expectNoFaults();
    await button(strings.app.closeSheet).tap();
    await openDrawer();
    await button(strings.app.actions.settings).tap();
    await win.dialog.waitFor();
    await expectNoFaults();
    await button(strings.app.closeSheet).tap();
    await button(strings.conversation.title).tap();
    await win.page.locator('[data-chat] li.said').first().waitFor();
    await expectNoFaults();
    await win.page.getByRole('button', { name: strings.conversation.back }).tap();
    await soon(() => win.page.locator('[data-chat]').count()).toBe(0);
  });

  test('Ctrl+C of the key row ends a program', async () => {
    await type('sleep 100');
    await soon(() => win.page.locator('li.card.running').count()).toBe(1);
    await key(keyRow.interrupt).tap();
    await soon(async () => win.name(win.card('sleep 100'))).toContain('interrupted');
  });

  test('arrows, Tab, Esc and characters reach a program, and Ctrl holds for one key', async () => {
    await type('cat -A');
    await soon(() => win.focused()).toBe('program');
    for (const name of [keyRow.up, keyRow.tab, keyRow.escape, '|', '~']) await key(name).tap();
    await win.page.keyboard.press('Enter');
    await soon(async () => (await win.liveRows()).at(-1)).toBe('^[[A^I^[|~$');
    await key(keyRow.ctrl).tap();
    await soon(() => key(keyRow.ctrl).getAttribute('aria-pressed')).toBe('true');
    await win.page.keyboard.press('d');
    await soon(() => win.page.locator('li.card.running').count()).toBe(0);
    expect(await key(keyRow.ctrl).getAttribute('aria-pressed')).toBe('false');
  });

  test('Ctrl takes what a keyboard composes, which sends no keys', async () => {
    await type('cat');
    await soon(() => win.focused()).toBe('program');
    await soon(() => win.page.locator('li.card.running').count()).toBe(1);
    await key(keyRow.ctrl).tap();
    await win.page.keyboard.insertText('d');
    await soon(() => win.page.locator('li.card.running').count()).toBe(0);
  });

  test('in the composer Tab completes and an arrow brings the last command', async () => {
    await soon(() => win.page.getByRole('textbox', { name: strings.composer.command, exact: true }).count()).toBe(1);
    await win.composer.locator.tap();
    await soon(() => win.focused()).toBe('line');
    await key(keyRow.up).tap();
    await soon(() => win.composer.inputValue()).toBe('cat');
    await key(keyRow.ctrl).tap();
    await win.page.keyboard.press('u');
    await soon(() => win.composer.inputValue()).toBe('');
    await win.page.keyboard.type('git ch');
    await key(keyRow.tab).tap();
    await win.page.getByRole('listbox').waitFor();
    await key(keyRow.escape).tap();
    await key(keyRow.interrupt).tap();
    await soon(() => win.composer.inputValue()).toBe('');
  });

  test('the composer and the keys stay above the keyboard of the screen', async () => {
    const bottom = () =>
      win.page.getByRole('toolbar', { name: keyRow.label }).evaluate((row) => row.getBoundingClientRect().bottom);
    await win.page.setViewportSize({ width: 390, height: 420 }); // as `interactive-widget=resizes-content` has it
    await soon(bottom).toBe(420);
    await soon(() => touchFaults(win.page)).toEqual([]);
    await win.page.setViewportSize(PHONE);
    await soon(bottom).toBe(844);
    await win.page.evaluate(() => {
      Object.defineProperty(visualViewport, 'height', { value: 500, configurable: true }); // as Safari has it
      visualViewport?.dispatchEvent(new Event('resize'));
    });
    await soon(bottom).toBe(500);
    await win.page.evaluate(() => {
      Reflect.deleteProperty(visualViewport as object, 'height');
      visualViewport?.dispatchEvent(new Event('resize'));
    });
    await soon(bottom).toBe(844);
  });

  test('what an outside agent asks for is answered by a tap', async () => {
    stage.ask('npm publish --access public');
    await win.page.getByRole('region', { name: /asks to run/ }).waitFor();
    await expectNoFaults();
    await button('Deny').first().tap();
    await soon(() => win.page.getByRole('region', { name: /asks to run/ }).count()).toBe(0);
  });

  test('the Agents page answers a question, shows the conversation and takes a reply', async () => {
    installDrawnAgent(folder);
    writeFileSync(log, '');
    await type(`${join(folder, 'bin', 'codex')} ${log}`);
    await soon(() => win.live.innerText()).toContain('Ask Codex to do anything');
    await win.page.keyboard.type('ask 2');
    await win.page.keyboard.press('Enter');
    await openDrawer();
    await link(strings.agents.title).tap();
    const row = win.page.locator('[data-keys="agents"]').getByRole('article').filter({ hasText: 'ask 2' });
    await row.getByRole('button', { name: "Yes, and don't ask again" }).waitFor();
    await expectNoFaults();
    await row.getByRole('button', { name: "Yes, and don't ask again" }).tap();
    await soon(() => readFileSync(log, 'utf8').trim()).toBe('0 1');
    await soon(() => row.innerText()).toContain('npm test part-1');
    await win.page.waitForTimeout(SETTLED_MS); // a person looks at the next question
    await row.getByRole('button', { name: strings.agents.question.sayWhy }).tap();
    await soon(() => touchFaults(win.page)).toEqual([]);
    await win.page.getByPlaceholder(strings.agents.question.textHint).press('Escape');
    await row.locator('[aria-current]').tap();
    await win.page.locator('[data-chat]').getByText('ask 2').first().waitFor();
    await win.page.locator('#agent-reply').fill('then write a note');
    await expectNoFaults();
    await button(strings.agents.reply.send).tap();
    await soon(() => win.page.getByRole('list', { name: strings.agents.reply.list }).innerText()).toContain(
      'then write a note',
    );
    await win.page.getByRole('button', { name: strings.conversation.back }).tap();
    await row.waitFor();
  });
});
