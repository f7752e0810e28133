import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Block } from '../../src-main/contract/block.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const hasBrowser = BROWSER !== '' && existsSync(BROWSER);

/** The cards; dividers are list items too, without a heading. */
function cards(page: Page): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading') });
}

/** Types a command into the composer and waits for its card to have ended. */
async function run(page: Page, command: string): Promise<void> {
  const before = await cards(page).count();
  await page.getByRole('textbox', { name: 'Command', exact: true }).fill(command);
  await page.keyboard.press('Enter');
  await expect.poll(() => cards(page).count()).toBeGreaterThan(before);
  await expect.poll(() => cards(page).last().getAttribute('class')).not.toContain('running');
}

describe.skipIf(!hasBrowser)('the window in a real browser', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let page: Page;

  beforeAll(async () => {
    await app.start();
    ({ page } = await browser.open(app.url));
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  test('a command typed into the composer becomes a card with its output and exit', async () => {
    await run(page, 'echo "hello from $((20+1))"');
    const card = cards(page).last();
    await expect.poll(() => card.innerText()).toContain('hello from 21');
    await run(page, 'false');
    await expect.poll(() => cards(page).last().innerText()).toContain('exit 1');
  });

  test('the same card is on disk: record, text, and every byte', async () => {
    await run(page, "printf 'one\\ntwo\\n'");
    const folder = join(app.home, 'terminals', readdirSync(join(app.home, 'terminals'))[0] as string);
    const last = readFileSync(join(folder, 'blocks.jsonl'), 'utf8').trim().split('\n').at(-1) as string;
    const block = Block.parse(JSON.parse(last));
    expect(block).toMatchObject({
      status: 'completed',
      cmd: "printf 'one\\ntwo\\n'",
      exitCode: 0,
      trusted: true,
      endedBy: 'mark',
      textSource: 'hook',
    });
    expect(readFileSync(join(folder, 'blocks', `${block.id}.out`), 'utf8')).toBe('one\ntwo\n');
    const raw = readFileSync(join(folder, 'output.raw'));
    expect(raw.subarray(block.rawStart, block.rawEnd ?? 0).toString()).toBe('one\r\ntwo\r\n');
    expect(statSync(join(folder, 'output.raw')).mode & 0o777).toBe(0o600);
    expect(raw.includes('Zj')).toBe(false);
  });

  test('a reload finds the same terminal and the same cards', async () => {
    await expect.poll(() => page.locator('li.card .live-host').count()).toBe(0); // the finished text is there
    const before = await cards(page).allInnerTexts();
    await page.reload();
    await expect.poll(() => cards(page).count()).toBe(before.length);
    await expect.poll(() => cards(page).allInnerTexts()).toEqual(before);
    await run(page, 'echo after the reload');
    await expect.poll(() => cards(page).last().innerText()).toContain('after the reload');
  });

  test('a restart finds the cards again and goes on in the same record', async () => {
    const folder = join(app.home, 'terminals', readdirSync(join(app.home, 'terminals'))[0] as string);
    await app.stop();
    const before = createHash('sha256')
      .update(readFileSync(join(folder, 'output.raw')))
      .digest('hex');
    const size = statSync(join(folder, 'output.raw')).size;
    await app.start();
    const again = await browser.open(app.url);
    await expect.poll(() => cards(again.page).last().innerText()).toContain('after the reload');
    await run(again.page, 'echo after the restart');
    await expect.poll(() => cards(again.page).last().innerText()).toContain('after the restart');
    const raw = readFileSync(join(folder, 'output.raw'));
    expect(createHash('sha256').update(raw.subarray(0, size)).digest('hex')).toBe(before);
    page = again.page;
  });
});
