import { existsSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the head of a card', () => {
  const served = new ServedWindow();
  let win: TerminalWindow;

  beforeAll(async () => {
    win = await served.start();
  });

  afterAll(() => served.dispose());

  async function edges(locator: Locator): Promise<{ left: number; right: number; height: number }> {
    const { left, right, height } = await locator.evaluate((element) => element.getBoundingClientRect().toJSON());
    return { left, right, height };
  }

  test.each([
    { width: 900, isBeside: false },
    { width: 1440, isBeside: false },
    { width: 2560, isBeside: true },
  ])('has the time beside the command at $width px: $isBeside, else at the right', async ({ width, isBeside }) => {
    await win.page.setViewportSize({ width, height: 800 });
    const card = await win.run(`echo ${width}`);
    const command = await edges(card.locator('h3 .text'));
    const duration = await edges(card.getByTitle('Duration'));
    if (isBeside) expect(duration.left - command.right).toBeLessThan(300);
    else expect(width - duration.right).toBeLessThan(40);
  });

  test('of a long command has two rows, and what shows the rest begins where the command does', async () => {
    await win.page.setViewportSize({ width: 900, height: 800 });
    const card = await win.run(`echo ${'low tide '.repeat(60)}`);
    const text = card.locator('h3 .text');
    const more = card.getByRole('button', { name: strings.cards.wholeCommand });
    await soon(() => more.count()).toBe(1);
    const clamped = await edges(text);
    expect(clamped.height).toBe(44);
    expect((await edges(more)).left).toBe(clamped.left);
    await more.click();
    await soon(async () => (await edges(text)).height).toBeGreaterThan(100);
    await card.getByRole('button', { name: strings.cards.lessCommand }).click();
    await soon(async () => (await edges(text)).height).toBe(44);
  });

  test('of a failed command keeps its colour while it is stuck at the top', async () => {
    const card = await win.run('seq 59; (exit 3)');
    await soon(() => card.locator('.is-stuck').count()).toBe(1);
    const ground = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).backgroundImage);
    const wash = await ground(card);
    expect(wash).toContain('gradient');
    expect(await ground(card.locator('.is-stuck'))).toBe(wash);
  });
});
