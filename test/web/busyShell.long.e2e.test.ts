import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('a line that a busy shell refuses', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;
  let isBusy = false;
  let refused = 0;

  beforeAll(async () => {
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
    // Answers as the core does when a client's command began while the line was on its way.
    await win.page.routeWebSocket(/trpc/, (page) => {
      const server = page.connectToServer();
      page.onMessage((message) => {
        if (!isBusy || !`${message}`.includes('"terminal.submit"')) return server.send(message);
        for (const one of [JSON.parse(`${message}`)].flat()) {
          if (one.params?.path !== 'terminal.submit') server.send(JSON.stringify(one));
          else {
            page.send(JSON.stringify({ id: one.id, result: { type: 'data', data: { ok: false, reason: 'busy' } } }));
            refused += 1;
          }
        }
      });
    });
    await win.page.reload();
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  const refuse = async (line: string): Promise<void> => {
    const before = refused; // the notice of an earlier line may still be there
    isBusy = true;
    await win.composer.fill(line);
    await win.page.keyboard.press('Enter');
    await soon(() => refused).toBe(before + 1);
    await win.page.getByText(strings.composer.refusals.busy).first().waitFor();
    isBusy = false;
  };

  test('is selected: Return sends it, an arrow continues it, and the next line is not joined to it', async () => {
    const selected = () => win.page.evaluate(() => String(getSelection()));
    await win.ready();
    await refuse('echo first');
    await soon(selected).toBe('echo first');
    await win.page.keyboard.press('Enter');
    await soon(() => win.lines(win.card('echo first'))).toEqual(['first']);
    await win.ready();

    await refuse('echo fir');
    await win.page.keyboard.press('ArrowRight');
    await win.page.keyboard.type('e');
    await soon(() => win.composer.inputValue()).toBe('echo fire');

    await refuse('echo second');
    await soon(selected).toBe('echo second');
    await win.page.keyboard.type('echo third');
    await soon(() => win.composer.inputValue()).toBe('echo third');
    await win.page.keyboard.press('Enter');
    await soon(() => win.lines(win.card('echo third'))).toEqual(['third']);
    const held = win.page.getByRole('status').filter({ hasText: strings.composer.held(strings.counts.characters(11)) });
    await held.getByRole('button', { name: strings.composer.show }).click();
    await soon(() => win.composer.inputValue()).toBe('echo second');
    expect(await win.card('echo second').count()).toBe(0);
  });
});
