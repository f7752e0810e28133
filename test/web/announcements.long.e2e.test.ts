import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('what a screen reader announces', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;
  /** Texts that were put into live regions, in order. */
  const announced = () => win.page.evaluate(() => Reflect.get(window, 'announced') as string[]);

  beforeAll(async () => {
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  test('is one sentence for each command, with its exit code, and no line of output', async () => {
    await win.ready();
    await win.page.evaluate(() => {
      const texts: string[] = [];
      Object.assign(window, { announced: texts });
      const LIVE = '[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log], output';
      new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) {
          const element = target instanceof Element ? target : target.parentElement;
          const added = [...addedNodes].map(({ textContent }) => textContent ?? '').join('');
          const text = (target instanceof Text ? target.data : added).trim();
          if (element?.closest(LIVE) && text !== '') texts.push(text);
        }
      }).observe(document.body, { childList: true, characterData: true, subtree: true });
    });
    await win.run('(for n in $(seq 40); do echo "berth $n"; sleep 0.02; done; exit 3)');
    await soon(announced).toHaveLength(1);
    expect((await announced())[0]).toMatch(/^\(for n in .* failed with exit code 3 after [\d.]+ m?s$/);
    await soon(() => win.focused()).toBe('line');
    await win.run('echo "berth 41"');
    await soon(announced).toHaveLength(2);
    expect((await announced())[1]).toMatch(/^echo "berth 41" .* after [\d.]+ m?s$/);
  });
});
