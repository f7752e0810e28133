import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { soon } from '../support/soon.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { ServedApp } from '../support/WebApp.ts';
import { MISSING_FOR_WEBKIT, WebKitWindow } from '../support/WebKitWindow.ts';

const SIXEL = join(ROOT, 'test/fixtures/images/img2sixel.out');

if (MISSING_FOR_WEBKIT.length > 0) console.warn(`not installed, so WebKit's suite is skipped: ${MISSING_FOR_WEBKIT}`);

describe.skipIf(MISSING_FOR_WEBKIT.length > 0)("a day in WebKit, Safari's engine", () => {
  const app = new ServedApp();
  let win: WebKitWindow;

  beforeAll(async () => {
    await app.start();
    win = await WebKitWindow.open(app.url, { width: 1440, height: 900 });
    await win.evaluate(() => {
      const faults: string[] = [];
      Object.assign(window, { faults });
      // a size that changed while sizes were reported is reported with the next frame, and WebKit calls that an error
      addEventListener('error', ({ message }) => message.startsWith('ResizeObserver loop') || faults.push(message));
      addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)));
      addEventListener('securitypolicyviolation', ({ violatedDirective }) => faults.push(violatedDirective));
    });
  });

  beforeEach(() => ready());

  afterAll(async () => {
    await win.dispose();
    await app.dispose();
  });

  const focused = () =>
    win.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-keys]')?.dataset.keys ?? 'none');
  const ready = () => soon(focused).toBe('line');
  const count = (selector: string) => win.evaluate((query) => document.querySelectorAll(query).length, selector);
  const text = (selector: string) =>
    win.evaluate((query) => [...document.querySelectorAll(query)].at(-1)?.textContent ?? '', selector);
  const lines = () =>
    win.evaluate(() =>
      [...([...document.querySelectorAll('li.card')].at(-1)?.querySelectorAll('.line') ?? [])].map(
        ({ textContent }) => textContent,
      ),
    );
  const imagesOfLast = () =>
    win.evaluate(() => [...document.querySelectorAll('li.card')].at(-1)?.querySelectorAll('.line-image canvas').length);
  /** Distance of each pane of cards from its end, px, of a frame that was laid out. */
  const fromEnd = () =>
    win.evaluate(async () => {
      for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      return [...document.querySelectorAll('.scroller')].map((pane) =>
        Math.round(pane.scrollHeight - pane.clientHeight - pane.scrollTop),
      );
    });

  /** Runs a command in the composer until its card has ended. */
  async function run(command: string): Promise<void> {
    await ready();
    await win.type(`${command}\n`);
    await soon(() => text('li.card h3')).toContain(command.slice(0, 20));
    await ready();
  }

  test('a command gets its card, in its colours, and the composer completes', async () => {
    await win.evaluate((skip) => {
      const buttons = [...document.querySelectorAll<HTMLElement>('button')];
      buttons.find(({ textContent }) => textContent?.trim() === skip)?.click();
    }, strings.welcome.skip);
    await run("printf '\\e[31mlow\\e[0m tide\\n'");
    await soon(lines).toEqual(['low tide']);
    const [red, plain] = await win.evaluate(() => {
      const line = [...document.querySelectorAll('li.card .line')].at(-1) ?? document.body;
      return [line.querySelector('span') ?? line, line].map((element) => getComputedStyle(element).color);
    });
    expect(red).not.toBe(plain);
    await win.type('git checko');
    await soon(() => text('[role="option"]')).toContain('checkout');
    await win.press('ESCAPE');
    await win.press('CONTROL', 'u');
  });

  test('a program gets every key', async () => {
    await win.type('cat -v\n');
    await soon(focused).toBe('program');
    for (const keys of [['F1'], ['F5'], ['ALT', 'b'], ['CONTROL', 'k']]) await win.press(...keys);
    await win.type("'/\n");
    await win.press('CONTROL', 'd');
    await ready();
    await soon(lines).toEqual(["^[OP^[[15~^[b^K'/", "^[OP^[[15~^[b^K'/"]); // typed, and printed by cat
  });

  test('the end of the cards stays in sight: after images, keys of a running program, a flood and a split', async () => {
    await run('seq 60');
    expect(await fromEnd()).toEqual([0]);
    for (let images = 0; images < 3; images += 1) {
      await run(`cat ${SIXEL}`);
      await soon(imagesOfLast).toBeGreaterThan(0);
      await soon(fromEnd).toEqual([0]);
    }
    await win.type(`read x; seq 30; cat ${SIXEL}\n`);
    await soon(focused).toBe('program');
    await win.type('abc\n');
    await ready();
    await soon(imagesOfLast).toBeGreaterThan(0);
    await soon(fromEnd).toEqual([0]);
    await run('for i in $(seq 60); do echo $i; sleep 0.02; done');
    await soon(fromEnd).toEqual([0]);
    await win.press('CONTROL', 'SHIFT', 'd');
    await soon(() => count('[data-pane-of]')).toBe(2);
    await soon(fromEnd).toEqual([0, 0]);
    await run(`cat ${SIXEL}`);
    await soon(fromEnd).toEqual([0, 0]);
  });

  test('the pages of agents and of the past open and close by their keys', async () => {
    for (const [key, page] of [
      ['a', 'agents'],
      ['y', 'history'],
    ] as const) {
      await win.press('CONTROL', 'SHIFT', key);
      await soon(focused).toBe(page);
      await win.press('CONTROL', 'SHIFT', key);
      await ready();
    }
  });

  test('a Return that ends the composition of a word leaves the field of a name open', async () => {
    await win.press('F2');
    await soon(focused).toBe('none');
    const isOpen = () => win.evaluate(() => document.activeElement instanceof HTMLInputElement);
    await win.evaluate(() => {
      // Safari: the composition has ended, and the key that ended it has the code of a composed key.
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }),
      );
    });
    expect(await isOpen()).toBe(true);
    await win.press('ENTER');
    await soon(isOpen).toBe(false);
  });

  test('a new core is found by a new link, with the cards, and the page reported no error', async () => {
    await run('echo kept');
    expect(await win.evaluate(() => (window as unknown as { faults: string[] }).faults)).toEqual([]);
    await app.stop();
    await soon(() => text('body')).toContain('Connection to Hansard lost.');
    await app.start();
    await win.get(app.url);
    await ready();
    await soon(() => text('body')).toContain('echo kept');
  });
});
