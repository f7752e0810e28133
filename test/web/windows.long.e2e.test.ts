import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('windows and what is dropped on them', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;

  beforeAll(async () => {
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  /** Drops a file as in the desktop app's window; `path` is the file's path from its preload. */
  const drop = (path: string | null, uris = '') =>
    win.page.evaluate(
      ([dropped, list]) => {
        if (dropped !== null) Object.assign(globalThis, { hansardDesktop: { pathOf: () => dropped } });
        else Reflect.deleteProperty(globalThis, 'hansardDesktop');
        const data = new DataTransfer();
        data.items.add(new File(['x'], 'a.txt'));
        if (list) data.setData('text/uri-list', list);
        const events = ['dragover', 'drop'].map(
          (type) => new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
        );
        return events.map((event) => !document.body.dispatchEvent(event));
      },
      [path, uris] as const,
    );

  test('New window in the palette opens another tab of the browser that shows the same terminals', async () => {
    await win.ready();
    await win.run('echo seen by both');
    const opened = win.page.context().waitForEvent('page');
    await win.act('New window');
    const second = new TerminalWindow(await opened);
    await second.ready();
    await soon(() => second.lines(second.card('echo seen by both'))).toEqual(['seen by both']);
    expect(await second.tabs.count()).toBe(await win.tabs.count());
    await second.page.close();
  });

  test('a dropped file becomes its quoted path where the person types', async () => {
    await win.composer.fill('cat ');
    expect(await drop("/tmp/it's here/a b.txt")).toEqual([true, true]);
    await soon(() => win.composer.inputValue()).toBe("cat '/tmp/it'\\''s here/a b.txt' ");
    await win.composer.fill('');
  });

  test('a browser that reveals the place of a dropped file is taken at its word, and one that does not gets a copy', async () => {
    await drop(null, 'file:///tmp/a%20b\r\nhttp://example.invalid/x');
    await soon(() => win.composer.inputValue()).toBe("'/tmp/a b' ");
    await win.composer.fill('');
    await drop(null);
    await soon(() => win.composer.inputValue()).toMatch(/^\/.*a\.txt $/);
    expect(readFileSync((await win.composer.inputValue()).trim(), 'utf8')).toBe('x');
  });
});
