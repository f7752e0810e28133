import { existsSync } from 'node:fs';
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the page as an app', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;
  let devtools: CDPSession;

  beforeAll(async () => {
    await app.start();
    const { page, context } = await browser.open(app.url);
    win = new TerminalWindow(page);
    devtools = await context.newCDPSession(page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  test('can be installed, and nothing in its manifest is wrong', async () => {
    await win.ready();
    const { url, errors, data } = await devtools.send('Page.getAppManifest');
    expect([new URL(url).pathname, errors]).toEqual(['/manifest.webmanifest', []]);
    // Of the test's own context; a person's window is no incognito one.
    const incognito = { errorId: 'in-incognito', errorArguments: [] };
    expect(await devtools.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [incognito] });
    expect(JSON.parse(data ?? '')).toMatchObject({ start_url: '/', display: 'standalone' });
  });

  test('has icons of the sizes that it names', async () => {
    const icons = await win.page.evaluate(async () => {
      const { icons: named } = await (await fetch('/manifest.webmanifest')).json();
      return Promise.all(
        named.map(async ({ src, sizes }: { src: string; sizes: string }) => {
          const image = new Image();
          image.src = src;
          await image.decode();
          return [sizes, `${image.naturalWidth}x${image.naturalHeight}`];
        }),
      );
    });
    expect(icons).toEqual(['192x192', '512x512', '512x512'].map((size) => [size, size]));
  });

  test('asks for a link where it starts without a token, and opens with one', async () => {
    const { page } = await browser.open(new URL(app.url).origin, { hasTouch: true, isMobile: true });
    const field = page.getByRole('textbox', { name: strings.app.noToken.link });
    await field.fill('https://example.org/');
    await page.getByRole('button', { name: strings.app.noToken.open }).tap();
    await soon(() => page.getByRole('alert').innerText()).toContain(strings.app.noToken.wrong.slice(0, 20));
    await field.fill((await newLink()) ?? '');
    await page.getByRole('button', { name: strings.app.noToken.open }).tap();
    await page.getByRole('main').waitFor();
  });

  async function newLink(): Promise<string> {
    const again = new ServedApp({ home: app.home });
    await again.start().catch(() => undefined); // it joins, prints and ends
    return again.url;
  }
});
