import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('for everyone: names, keys, contrast, stillness', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;
  const press = (key: string) => win.page.keyboard.press(key);

  beforeAll(async () => {
    await app.start();
    win = new TerminalWindow((await browser.open(app.url, { reducedMotion: 'reduce' })).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  test('cards are the items of a named list, each with a heading that says the command and its end', async () => {
    await win.run('echo a card');
    await win.run('(exit 9)');
    const list = win.page.getByRole('list', { name: /^Commands in / });
    expect(await list.count()).toBe(1);
    for (const name of [/^echo a card\s*, exit 0$/, /^\(exit 9\)\s*, exit 9$/]) {
      expect(await list.getByRole('listitem', { name }).count()).toBe(1);
      expect(await list.getByRole('listitem', { name }).getByRole('heading', { level: 3, name }).count()).toBe(1);
    }
  });

  test('everything that can be pressed or filled has a name, and no id is given twice', async () => {
    const faults = await win.page.evaluate(() => {
      const nameOf = (element: Element): string => {
        const by = element.getAttribute('aria-labelledby');
        const label =
          element.closest('label') ?? document.querySelector(`label[for="${CSS.escape(element.id || '-')}"]`);
        return (
          element.getAttribute('aria-label') ??
          (by ? document.getElementById(by)?.textContent : null) ??
          (element.textContent?.trim() || null) ??
          label?.textContent?.trim() ??
          element.getAttribute('placeholder') ??
          ''
        );
      };
      const pressed = [...document.querySelectorAll('button, input, textarea, select, [role=tab], [role=button]')];
      const nameless = pressed.filter((element) => nameOf(element).trim() === '').map((element) => element.outerHTML);
      const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
      const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
      const dangling = [...document.querySelectorAll('[aria-labelledby], [aria-controls], [aria-describedby]')].flatMap(
        (element) =>
          ['aria-labelledby', 'aria-controls', 'aria-describedby']
            .flatMap((name) => element.getAttribute(name)?.split(' ') ?? [])
            .filter((id) => !document.getElementById(id)),
      );
      const images = [...document.querySelectorAll('svg')].filter(
        (svg) => svg.getAttribute('role') !== 'img' && !svg.closest('[aria-hidden="true"]'),
      );
      return { nameless, twice, dangling, images: images.map((svg) => svg.outerHTML) };
    });
    expect(faults).toEqual({ nameless: [], twice: [], dangling: [], images: [] });
    expect(await win.page.locator('html').getAttribute('lang')).toBe('en');
    expect(await win.page.title()).not.toBe('');
    for (const role of ['main', 'tablist', 'tab'] as const) expect(await win.page.getByRole(role).count()).toBe(1);
  });

  test('every action of a card is reached by keyboard alone', async () => {
    const card = win.card('echo a card');
    await win.ready();
    await press('Alt+ArrowUp');
    await press('Alt+ArrowUp');
    await soon(() => card.evaluate((one) => one === document.activeElement)).toBe(true);
    const named = await card.getByRole('toolbar').getByRole('button').count();
    for (let at = 0; at < named; at += 1) {
      await press('ArrowRight');
      expect(await win.page.evaluate(() => document.activeElement?.closest('[role=toolbar]') !== null)).toBe(true);
    }
    await press('Enter');
    const menu = win.page.getByRole('menu');
    await soon(() => menu.count()).toBe(1);
    const items = await menu.getByRole('menuitem').allInnerTexts();
    for (const words of [
      'Copy output',
      'Copy command',
      'Copy command and output',
      'Copy as Markdown',
      'Re-run',
      'Insert into composer',
      'Bookmark',
      'Fold',
      'Filter lines',
      'Find in card',
      'Open output in editor',
      'Export as text',
    ])
      expect(items.join('\n')).toContain(words);
    await press('ArrowDown');
    await soon(() => win.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('menuitem');
    await press('Escape');
    await soon(() => menu.count()).toBe(0);
    await press('Escape');
  });

  test('wherever the keys are, it is seen', async () => {
    // Backwards from the prompt, where Tab completes; then through the buttons of a card.
    const keys = [...Array<string>(40).fill('Shift+Tab'), ...Array<string>(6).fill('ArrowRight')];
    let count = 0;
    const unseen: string[] = [];
    for (const [step, key] of keys.entries()) {
      if (step === 40) await win.card('echo a card').focus();
      await press(key);
      const here = await win.page.evaluate(() => {
        const element = document.activeElement;
        if (!(element instanceof HTMLElement) || element === document.body) return { what: '', isSeen: true };
        if (element.dataset.visited) return null;
        element.dataset.visited = 'yes';
        const rings = [
          element,
          element.closest('label'),
          element.closest('.composer'),
          element.closest('.xterm'),
        ].filter((one) => one !== null);
        const isSeen = rings.some((one) => {
          const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(one);
          const isComposer = one.classList.contains('composer') && borderColor !== '';
          return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none' || isComposer;
        });
        return { what: element.outerHTML.slice(0, 120), isSeen };
      });
      if (!here) continue; // around
      count += 1;
      if (!here.isSeen) unseen.push(here.what);
    }
    expect(count).toBeGreaterThan(10);
    expect(unseen).toEqual([]);
  });

  test.each(['dark', 'light'] as const)('text stands out from its ground in %s, 4.5 to 1', async (colorScheme) => {
    await win.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await soon(() => win.page.evaluate(() => document.documentElement.dataset.theme)).toBe(colorScheme);
    const weak = () =>
      win.page.evaluate(() => {
        // A mixed colour is `color(srgb …)`, with channels from 0 to 1.
        const channels = (colour: string) => {
          const parts = (colour.match(/[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
          return colour.startsWith('color(') ? parts.map((part, at) => (at < 3 ? part * 255 : part)) : parts;
        };
        const luminance = (rgb: number[]) => {
          const [r = 0, g = 0, b = 0] = rgb.slice(0, 3).map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const groundOf = (element: Element): number[] => {
          for (let one: Element | null = element; one; one = one.parentElement) {
            const rgba = channels(getComputedStyle(one).backgroundColor);
            if (rgba.length === 3 || (rgba[3] ?? 0) > 0.95) return rgba;
          }
          return [255, 255, 255];
        };
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const found: string[] = [];
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const element = node.parentElement;
          if (!element || !node.textContent?.trim() || element.closest('[aria-hidden="true"], .unseen, .parking'))
            continue;
          if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
          const [a, b] = [luminance(channels(getComputedStyle(element).color)), luminance(groundOf(element))];
          const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (ratio < 4.5)
            found.push(`${ratio.toFixed(2)} ${element.className} ${node.textContent.trim().slice(0, 40)}`);
        }
        return found;
      });
    await soon(weak).toEqual([]);
  });

  test('nothing moves for those who asked for stillness', async () => {
    const card = await win.run('(exit 2)');
    await card.hover();
    const moving = await win.page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .map((element) => ({ element, style: getComputedStyle(element) }))
        .filter(({ style }) => {
          const seconds = (text: string) => Math.max(...text.split(',').map((part) => Number.parseFloat(part) || 0));
          return (
            seconds(style.transitionDuration) > 0.01 ||
            (style.animationName !== 'none' && seconds(style.animationDuration) > 0.01)
          );
        })
        .map(({ element }) => element.outerHTML.slice(0, 120)),
    );
    expect(moving).toEqual([]);
  });

  test('each card is one stop of Tab; arrows lead to its buttons and to the cards beside it', async () => {
    await win.run('echo one; echo two');
    await win.run("printf 'a\\nb\\n'");
    const card = win.card('printf');
    const isFocused = (one: typeof card) => one.evaluate((element) => element === document.activeElement);
    expect(
      await win.page.locator('.card [tabindex="0"]:not([data-keys] *), .card button:not([tabindex="-1"])').count(),
    ).toBe(0);
    expect(await win.page.locator('.card[tabindex="0"]').count()).toBe(1);
    await card.focus();
    await press('ArrowRight');
    const buttons = card.getByRole('toolbar').getByRole('button');
    await soon(() => isFocused(buttons.first())).toBe(true);
    await press('End');
    await soon(() => isFocused(buttons.last())).toBe(true);
    await press('Home');
    await press('ArrowLeft');
    await soon(() => isFocused(card)).toBe(true);
    await press('ArrowRight');
    await press('ArrowUp');
    await soon(() => isFocused(win.card('echo one'))).toBe(true);
    await press('ArrowDown');
    await soon(() => isFocused(card)).toBe(true);
    await press('ArrowRight');
    await press('Escape');
    await soon(() => isFocused(card)).toBe(true);
    await press('Escape');
    await win.ready();
  });

  test('the end of a command is said once, with its exit code and its time', async () => {
    const said = win.page.locator('[data-announcements]');
    expect(await said.getAttribute('aria-live')).toBe('polite');
    await win.run('(sleep 0.1; exit 3)');
    await soon(() => said.textContent()).toMatch(/\(sleep 0\.1; exit 3\) failed with exit code 3 after \d+ ms/);
  });

  test('a screen reader is told of what ends in a word, not in a flood', async () => {
    const live = await win.page
      .locator('[aria-live], [role=status], [role=alert]')
      .evaluateAll((all) => all.filter((one) => one.querySelector('.card, .live-screen') !== null).length);
    expect(live).toBe(0);
  });
});
