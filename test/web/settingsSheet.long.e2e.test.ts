import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

const words = strings.settings;

/** The look of some text, as the browser draws it. */
interface Look {
  family: string;
  px: number;
  weight: string;
  rowPx: number;
  ligatures: string;
}

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the look of terminals in the settings', () => {
  const served = new ServedWindow();
  let win: TerminalWindow;
  const sheet = () => win.page.getByRole('dialog', { name: words.title });
  const preview = () => sheet().getByRole('figure', { name: words.preview });

  beforeAll(async () => {
    win = await served.start();
  });

  afterAll(() => served.dispose());

  async function open(): Promise<void> {
    await win.page.keyboard.press('Control+,');
    await sheet().waitFor();
  }

  async function close(): Promise<void> {
    await win.page.keyboard.press('Escape');
    await soon(() => sheet().count()).toBe(0);
  }

  const lookOf = (selector: string): Promise<Look> =>
    win.page
      .locator(selector)
      .last()
      .evaluate((one) => {
        const { fontFamily, fontSize, fontWeight, lineHeight, fontVariantLigatures } = getComputedStyle(one);
        return {
          family: fontFamily.split(',')[0]?.replaceAll('"', '') ?? '',
          px: Number.parseFloat(fontSize),
          weight: fontWeight,
          rowPx: Math.round(Number.parseFloat(lineHeight)),
          ligatures: fontVariantLigatures,
        };
      });
  const places = {
    preview: 'figure p',
    'finished output': 'li.card .line',
    'the live terminal': '.live-host .xterm-rows span:not(.xterm-bold, .xterm-cursor)',
  };
  /** The looks of the preview, of finished output and of the live terminal, as far as `want` says. */
  async function all(want: Partial<Look>): Promise<void> {
    const keys = Object.keys(want) as (keyof Look)[];
    for (const [place, selector] of Object.entries(places)) {
      const look = () => lookOf(selector).then((found) => keys.map((key) => found[key]));
      await soon(async () => [place, ...(await look())]).toEqual([place, ...keys.map((key) => want[key])]);
    }
  }

  test('changes the preview, finished output and a running program at once, and is kept', async () => {
    await win.ready();
    await win.run('echo finished');
    await win.start('printf "\\033[1mbold\\033[0m plain\\n"; cat');
    await open();
    await all({ family: 'IBM Plex Mono', px: 12.5, rowPx: 19, weight: '400' });
    const put = async (label: string, value: string): Promise<void> => {
      await sheet().getByLabel(label).first().fill(value);
      await win.page.keyboard.press('Enter');
    };
    await put(words.font, 'Tide Mono');
    await all({ family: 'Tide Mono' });
    await put(words.fontSize, '16');
    await all({ px: 16, rowPx: 24 });
    await put(words.lineHeight, '2');
    await all({ rowPx: 32 });
    await put(words.fontWeight, '300');
    await all({ weight: '300' });
    const bold = win.page.locator('.live-host .xterm-rows .xterm-bold').first();
    await soon(() => bold.evaluate((one) => getComputedStyle(one).fontWeight)).toBe('500');
    const isWanted = { family: 'Tide Mono', px: 16, rowPx: 32, weight: '300' };
    await close();
    await win.page.reload();
    await soon(() => win.page.locator('.live-host .xterm-rows').innerText()).toContain('bold plain');
    await open();
    await all(isWanted);
    for (const label of [words.font, words.fontSize, words.lineHeight, words.fontWeight])
      await sheet()
        .getByRole('button', { name: words.resetKey(label), exact: true })
        .click();
    await all({ family: 'IBM Plex Mono', px: 12.5, rowPx: 19, weight: '400' });
    await close();
  });

  test('draws ligatures once they are turned on', async () => {
    await open();
    await soon(async () => (await lookOf(places.preview)).ligatures).toBe('none');
    await soon(async () => (await lookOf(places['finished output'])).ligatures).toBe('none');
    await sheet().getByRole('checkbox', { name: words.ligatures }).check();
    await soon(async () => (await lookOf(places.preview)).ligatures).toBe('normal');
    await soon(async () => (await lookOf(places['finished output'])).ligatures).toBe('normal');
    await sheet().getByRole('checkbox', { name: words.ligatures }).uncheck();
    await soon(async () => (await lookOf(places['finished output'])).ligatures).toBe('none');
    await close();
  });

  test('blinks the cursor once it is turned on', async () => {
    const blinks = async () =>
      /xterm-cursor-blink/.test((await win.page.locator('.live-host .xterm-cursor').getAttribute('class')) ?? '');
    await soon(blinks).toBe(false);
    await open();
    await sheet().getByRole('checkbox', { name: words.cursorBlink }).check();
    await soon(() => preview().locator('.cursor.blinks').count()).toBe(1);
    await close();
    await soon(blinks).toBe(true);
    await open();
    await sheet().getByRole('checkbox', { name: words.cursorBlink }).uncheck();
    await close();
    await soon(blinks).toBe(false);
  });

  test('refuses a value beyond its bounds, and keeps the one before', async () => {
    await open();
    const size = sheet().getByLabel(words.fontSize).first();
    await size.fill('400');
    await win.page.keyboard.press('Enter');
    expect(await size.evaluate((field: HTMLInputElement) => field.validity.rangeOverflow)).toBe(true);
    await close();
    await open();
    await soon(() => sheet().getByLabel(words.fontSize).first().inputValue()).toBe('12.5');
    await close();
  });
});
