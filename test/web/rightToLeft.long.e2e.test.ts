import { existsSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { soon } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';
import { Stage } from './Stage.ts';

const PEACE = 'שלום';
const WORLD = 'עולם';
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
