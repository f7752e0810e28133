import { existsSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';
import { Stage } from './Stage.ts';

/** The look of a mark without its colours: its shape, and whether it is filled. */
const shapeOf = (mark: Locator): Promise<string> =>
  mark.evaluate((element) => {
    const { borderRadius, borderTopWidth, backgroundColor, clipPath, outlineStyle, rotate, width } =
      getComputedStyle(element);
    const isFilled = !/transparent|rgba\(.*, 0\)/.test(backgroundColor);
    return [borderRadius, borderTopWidth, isFilled, clipPath, outlineStyle, rotate, width].join(' ');
  });

/** A system colour as this browser computes it. */
const systemColor = (win: TerminalWindow, name: string): Promise<string> =>
  win.page.evaluate((color) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.cssText = `forced-color-adjust:none;color:${color}`;
    const computed = getComputedStyle(probe).color;
    probe.remove();
    return computed;
  }, name);

const groundOf = (element: Locator): Promise<string> =>
  element.evaluate((one) => getComputedStyle(one).backgroundColor);

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('with forced colours', () => {
  const stage = new Stage({ forcedColors: 'active', colorScheme: 'dark' });
  afterAll(() => stage.dispose());

  test('cards that succeeded, failed and run have marks of different shapes', async () => {
    const win = await stage.ready();
    const ok = win.card('pwd');
    const failed = win.card('(echo');
    const running = await win.start('sleep 300');
    const shapes = await Promise.all([ok, failed, running].map((card) => shapeOf(card.locator('.dot'))));
    expect(new Set(shapes).size).toBe(3);
  });

  test('each state of a tab has a mark of its own shape', async () => {
    const win = await stage.ready();
    const dot = win.tabs.first().locator('.dot');
    const shapes = new Map<string, string>();
    for (const state of ['running', 'idle', 'rang', 'waits', 'erred', 'ready', 'exited', 'failed']) {
      await dot.evaluate((mark, name) => {
        const own = [...mark.classList].filter((each) => /^(dot|svelte-.*)$/.test(each));
        mark.setAttribute('class', [...own, name].join(' '));
      }, state);
      const shape = await shapeOf(dot);
      expect([shapes.get(shape), state]).toEqual([undefined, state]);
      shapes.set(shape, state);
    }
  });

  test('the cursor and the selection of the composer and of a program are seen', async () => {
    const win = await stage.ready();
    const lineOf = (selector: string) =>
      win.page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { borderLeftStyle, borderLeftWidth, outlineStyle } = getComputedStyle(element);
          return (borderLeftStyle === 'solid' && borderLeftWidth === '2px') || outlineStyle === 'solid';
        });
    await win.composer.fill('echo hello');
    expect(await lineOf('.cm-cursor')).toBe(true);
    await win.page.keyboard.press('Shift+Home');
    await soon(() => win.page.locator('.cm-selectionBackground').count()).toBe(1);
    expect(await lineOf('.cm-selectionBackground')).toBe(true);
    await win.composer.fill('');
    await win.start('cat');
    await win.live.locator('.xterm-cursor').waitFor();
    expect(await lineOf('.live-host .xterm-cursor')).toBe(true);
  });

  test('reverse video has the colours of the page, swapped, while it runs and after', async () => {
    const win = await stage.ready();
    const [ink, page] = [await systemColor(win, 'CanvasText'), await systemColor(win, 'Canvas')];
    const running = "printf 'plain \\033[7mreversed\\033[m \\033[7;32mgreen\\033[m \\033[7;41mred\\033[m\\n'; cat";
    await win.start(running);
    for (const word of ['reversed', 'red']) {
      const live = win.live
        .last()
        .locator('.xterm-rows span')
        .filter({ hasText: new RegExp(`^${word}$`) });
      await soon(() => groundOf(live)).toBe(ink);
      expect(await live.evaluate((one) => getComputedStyle(one).color)).toBe(page);
    }
    await win.page.keyboard.press('Control+d');
    await win.ready();
    for (const word of ['reversed', 'green', 'red']) {
      const drawn = win.cards.last().locator('.line span', { hasText: new RegExp(`^${word}$`) });
      await soon(() => groundOf(drawn)).toBe(ink);
    }
    expect(await groundOf(win.cards.last().locator('.line').first())).not.toBe(ink);
  });

  test('the shown tab, a chosen button and the item of a menu have the colours of a selection', async () => {
    const win = await stage.ready();
    const highlight = await systemColor(win, 'Highlight');
    expect(await groundOf(win.tabs.first())).toBe(highlight);
    expect(await groundOf(win.page.locator('label.chosen').first())).toBe(highlight);
    await win.tabs.first().click({ button: 'right' });
    await win.page.keyboard.press('ArrowDown');
    await soon(() => groundOf(win.page.locator('.menu-item[data-highlighted]'))).toBe(highlight);
    await win.page.keyboard.press('Escape');
    await win.page.keyboard.press('Control+Shift+P');
    await soon(() => groundOf(win.page.locator('.menu-item[data-selected]'))).toBe(highlight);
  });

  test('a selected card differs by its mark and its edge', async () => {
    const win = await stage.ready();
    await win.select(win.cards.last());
    await win.page.keyboard.press('s');
    const selected = win.page.locator('.card.selected');
    await soon(() => selected.locator('.tick').count()).toBe(1);
    expect(await selected.evaluate((card) => getComputedStyle(card).outlineStyle)).not.toBe('none');
    const stroke = await selected.locator('.tick').evaluate((tick) => getComputedStyle(tick).stroke);
    expect(stroke).toBe(await systemColor(win, 'CanvasText'));
  });

  test('the focus has a ring on every kind of control', async () => {
    const win = await stage.ready();
    for (let step = 0; step < 12; step += 1) {
      await win.page.keyboard.press('Shift+Tab');
      const outline = await win.page.evaluate(() => {
        const focused = document.activeElement;
        if (focused === document.body) return ''; // around
        const ringed = [
          focused,
          focused?.closest('fieldset'),
          focused?.closest('.xterm'),
          focused?.closest('.composer'),
        ].filter((one) => one != null);
        return ringed.map((one) => getComputedStyle(one).outlineStyle).join(' ');
      });
      if (outline !== '') expect(outline).toMatch(/solid|auto|dashed/);
    }
  });
});

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('with more contrast', () => {
  const stage = new Stage({ contrast: 'more', colorScheme: 'dark' });
  afterAll(() => stage.dispose());

  test('secondary text is as dark as the rest, and lines are seen', async () => {
    const win = await stage.ready();
    const colors = await win.page.evaluate(() => {
      const color = (selector: string) => getComputedStyle(document.querySelector(selector) ?? document.body).color;
      return { text: color('.card h3'), time: color('.card time'), footer: color('aside footer span') };
    });
    expect(colors.time).toBe(colors.text);
    expect(colors.footer).toBe(colors.text);
  });
});
