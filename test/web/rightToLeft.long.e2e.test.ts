import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { soon } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';
import { Stage } from './Stage.ts';

const PEACE = 'שלום';
const WORLD = 'עולם';
const HELLO = 'مرحبا';
/** Reverses the following text where it takes effect (CVE-2021-42574). */
const OVERRIDE = '\u202e';

/** Left and right edge of each text, in px from the left edge of the element that contains them all. */
function placesOf(holder: Locator, texts: readonly string[]): Promise<{ left: number; right: number }[]> {
  return holder.evaluate((element, wanted) => {
    const nodes: Text[] = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node as Text);
    const whole = nodes.map(({ data }) => data).join('');
    const boundary = (at: number): [Text, number] => {
      let before = 0;
      for (const node of nodes) {
        if (at <= before + node.length) return [node, at - before];
        before += node.length;
      }
      throw new Error(`there is no character ${at}`);
    };
    const edge = element.getBoundingClientRect().left;
    let from = 0;
    return wanted.map((text) => {
      const at = whole.indexOf(text, from);
      if (at < 0) throw new Error(`"${text}" is not in "${whole}"`);
      from = at + text.length;
      const range = document.createRange();
      const [first, offset] = boundary(at + 1);
      range.setStart(first, offset - 1);
      range.setEnd(...boundary(from));
      const { left, right } = range.getBoundingClientRect();
      return { left: left - edge, right: right - edge };
    });
  }, texts);
}

/** Expects each text to end at or before the start of the next. */
function expectInOrder(places: readonly { left: number; right: number }[]): void {
  for (const [at, { left }] of places.slice(1).entries())
    expect(left).toBeGreaterThanOrEqual((places[at]?.right ?? 0) - 1);
}

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('text that is read from right to left', () => {
  const stage = new Stage();
  afterAll(() => stage.dispose());

  test('stays in its columns in finished output', async () => {
    const win = await stage.ready();
    const plain = 'a | wxyz | 42 | uvw. | b';
    const card = await win.run(`echo '${plain}'; echo 'a | ${PEACE} | 42 | ${WORLD} | b'`);
    await soon(() => win.lines(card)).toEqual([plain, plain.replace('wxyz', PEACE).replace('uvw.', WORLD)]);
    const signs = ['a', '|', '|', '42', '|', '|', 'b'];
    const expected = await placesOf(card.locator('.line').first(), signs);
    const found = await placesOf(card.locator('.line').nth(1), signs);
    for (const [at, { left }] of found.entries()) expect(left).toBeCloseTo(expected[at]?.left ?? 0, 0);
    const [bar, word, next] = await placesOf(card.locator('.line').nth(1), ['|', PEACE, '|']);
    expectInOrder([bar, word, next].filter((place) => place !== undefined));
  });

  // The second font has Arabic letters as wide as all others, so xterm draws them in one element with the text beside them.
  test.each(['IBM Plex Mono', 'DejaVu Sans Mono'])(
    'stays in its cells while a program runs, in a replay and in its exported page, beside paths and numbers, in %s',
    async (font) => {
      const win = await stage.ready();
      await stage.settings({ 'terminal.fontFamily': font });
      const plain = 'a | wxyz src/tides.ts:12 uvw. 42 | abcde 8 abcde 7 | b';
      const mixed = plain.replace('wxyz', PEACE).replace('uvw.', WORLD).replaceAll('abcde', HELLO);
      const running = await win.start(`echo '${plain}'; echo '${mixed}'; sleep 300`);
      const signs = ['a', '|', 'src/tides.ts:12', '42', '|', '8', '7', '|', 'b'];
      const expectCells = async (screen: Locator) => {
        const row = (text: string) => screen.locator('.xterm-rows > div').filter({ hasText: text }).last();
        await row(HELLO).waitFor();
        const expected = await placesOf(row('uvw.'), signs);
        const found = await placesOf(row(HELLO), signs);
        for (const [at, { left }] of found.entries()) expect(left).toBeCloseTo(expected[at]?.left ?? 0, 0);
      };
      await expectCells(win.live);
      await win.page.keyboard.press('Control+c');
      await win.ready();
      await win.choose(running, strings.replay.actions.card);
      await expectCells(win.page.locator('.replay'));
      const coming = win.page.waitForEvent('download');
      await win.page.getByRole('button', { name: strings.replay.exportPage }).click();
      const exported = await win.page.context().newPage();
      const file = join(tmpdir(), `hansard-rtl-${process.pid}.html`);
      await (await coming).saveAs(file);
      await exported.goto(pathToFileURL(file).href);
      await expectCells(exported.locator('.replay'));
      await exported.close();
      rmSync(file);
      await win.page.keyboard.press('Escape');
    },
  );

  test('is read as a sentence where only single spaces are between its words', async () => {
    const win = await stage.ready();
    const card = await win.run(`echo '${PEACE} ${WORLD}!'`);
    await soon(() => win.lines(card)).toHaveLength(1);
    const [first, second, end] = await placesOf(card.locator('.line'), [PEACE, WORLD, '!']);
    expect(first?.left).toBeGreaterThan(second?.right ?? 0);
    expect(end?.left).toBeGreaterThanOrEqual((first?.right ?? 0) - 1);
  });

  test('turns nothing around by control characters in output, which are named', async () => {
    const win = await stage.ready();
    const card = await win.run(`printf 'if (admin\\u202e) begin // check\\n'`);
    await soon(() => win.lines(card)).toEqual(['if (adminU+202E) begin // check']);
    expectInOrder(await placesOf(card.locator('.line'), ['if', 'admin', 'U+202E', ')', 'begin', '//', 'check']));
  });

  test('keeps the order of arguments in the command of a card', async () => {
    const win = await stage.ready();
    const card = await win.run(`: cp ${PEACE} ${WORLD} ${OVERRIDE} one / two`);
    expectInOrder(await placesOf(card.getByRole('heading'), ['cp', PEACE, WORLD, 'U+202E', 'one', '/', 'two']));
  });

  test('keeps the order of arguments in the composer', async () => {
    const win = await stage.ready();
    await win.composer.fill(`rm ${OVERRIDE}one /two`);
    expectInOrder(await placesOf(win.page.locator('.cm-line').first(), ['rm', 'one', '/two']));
    await win.composer.fill('');
  });

  test('keeps the order of arguments in what a client asks to run', async () => {
    const win = await stage.ready();
    stage.ask(`npm exec ${PEACE} ${WORLD} ${OVERRIDE}one / two`);
    const asked = win.page.getByRole('region', { name: /asks to run/ });
    await asked.waitFor();
    const command = asked.getByRole('region', { name: 'Command' }).locator('code');
    expectInOrder(await placesOf(command, ['exec', PEACE, WORLD, 'U+202E', 'one', '/', 'two']));
  });
});
