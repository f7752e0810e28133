import { appendFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChatMessage } from '../../src-main/contract/chat/chat.ts';
import { recordTerminal } from '../cli/recordFolder.ts';
import { soon } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const SHOTS = process.env.HANSARD_SHOTS;
const browser = new TestBrowser();
const app = new ServedApp();
let page: Page;

const provenance = { rawStart: 0, rawEnd: 0, seq: 0, extractor: 'test', extractorVersion: 1, confidence: 1 };
const DAY_MS = 86_400_000;

describe.skipIf(BROWSER === '')('search over everything', () => {
  beforeAll(async () => {
    const lines = Array.from({ length: 400 }, (_, n) => (n === 250 ? 'the lighthouse keeper left' : `log line ${n}`));
    const atMs = Date.now() - DAY_MS;
    const old = { cwd: '/tmp/harbour', startedMs: atMs };
    const folder = await recordTerminal(
      app.home,
      't1-old',
      [
        {
          id: 'b1-000001',
          cmd: 'cat tides.log',
          text: `${lines.join('\n')}\n`,
          raw: `${lines.join('\r\n')}\r\n`,
          outputLines: 400,
          ...old,
        },
        {
          id: 'b2-000002',
          cmd: 'grep -rn lighthouse docs',
          text: 'docs/a.md:3: a lighthouse\n',
          raw: 'docs/a.md:3: a lighthouse\r\n',
          outputLines: 1,
          exitCode: 2,
          ...old,
          startedMs: atMs + 1000,
        },
      ],
      { cwd: '/tmp/harbour' },
    );
    const message = {
      terminalId: 't1-old',
      conversationId: 'c1',
      final: true,
      provenance,
      startedMs: atMs + 2000,
      updatedMs: atMs + 2000,
    };
    const said = [
      { ...message, id: 'm1', order: 1, kind: 'user', text: 'Is the lighthouse lit at low water?' },
      {
        ...message,
        id: 'm2',
        order: 2,
        kind: 'model',
        text: 'The lighthouse is lit whenever the channel is shallower than *six* metres.',
      },
    ];
    for (const one of said) appendFileSync(folder.chatJsonl, `${JSON.stringify(ChatMessage.parse(one))}\n`);
    await app.start();
    ({ page } = await browser.open(app.url));
    await page.getByRole('textbox', { name: 'Command', exact: true }).waitFor();
  });
  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  const field = () => page.getByPlaceholder('Search terminals, commands and conversations');
  const items = () => page.locator('.everywhere-item');

  async function ask(text: string): Promise<void> {
    if (!(await field().isVisible())) await page.keyboard.press('Control+Shift+F');
    await field().fill(text);
  }

  async function shoot(name: string): Promise<void> {
    if (!SHOTS) return;
    for (const [width, height] of [
      [1440, 900],
      [900, 600],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.waitForTimeout(250);
        await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}-${width}.png` });
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  test('its key opens it, and it says what it is for', async () => {
    await page.keyboard.press('Control+Shift+F');
    await soon(() => page.getByText('Search every command, output and conversation').isVisible()).toBe(true);
    await shoot('idle');
  });

  test('commands, output and conversations are found as one types, the newest first, with their marks', async () => {
    await ask('lightho');
    await soon(() => items().count()).toBe(4);
    const marks = await page.locator('.everywhere-item mark').allTextContents();
    expect(new Set(marks.map((mark) => mark.toLowerCase()))).toEqual(new Set(['lighthouse']));
    const texts = await items().allTextContents();
    expect(texts.map((text) => /low water|six|grep|cat tides/.exec(text)?.[0])).toEqual([
      'six',
      'low water',
      'grep',
      'cat tides',
    ]);
    await soon(() => page.locator('.foot output').textContent()).toContain('4 results');
    await shoot('hits');
  });

  test('nothing found says so and offers to read every file', async () => {
    await ask('ighthous');
    await soon(() => page.getByText('No results for “ighthous”').isVisible()).toBe(true);
    await shoot('nothing');
    await page.getByText('Match parts of words').click();
    await soon(() => items().count()).toBe(4);
  });

  test('a wrong expression is told as one', async () => {
    await page.getByText('.*', { exact: true }).click();
    await ask('[');
    await soon(() => page.getByRole('alert').textContent()).toContain('Invalid regular expression');
    await shoot('wrong');
    await page.getByText('Words', { exact: true }).click();
  });

  test('Return opens a closed terminal again, at the line', async () => {
    await ask('keeper');
    await soon(() => items().count()).toBe(1);
    await field().press('Enter');
    await soon(() => page.locator('[data-n="250"]').isVisible()).toBe(true);
    expect(await field().isVisible()).toBe(false);
    await shoot('jumped');
  });

  test('a message opens its conversation', async () => {
    await ask('shallower metres');
    await soon(() => items().count()).toBe(1);
    await field().press('Enter');
    await expect
      .poll(() => page.locator('[data-chat]').getByText('The lighthouse is lit whenever').isVisible())
      .toBe(true);
    await shoot('message');
  });
});
