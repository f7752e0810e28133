import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { kitty, PNG, sixel } from '../support/imageStreams.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

const FIXTURES = join(ROOT, 'test/fixtures/images');
/** Colours at points of shapes.png. `x` and `y` are fractions of its width and height. */
const SHAPES = [
  { name: 'circle', x: 0.3, y: 0.5, rgb: [217, 72, 56] },
  { name: 'square', x: 0.75, y: 0.5, rgb: [46, 134, 87] },
  { name: 'ground', x: 0.03, y: 0.05, rgb: [38, 70, 120] },
  { name: 'strip', x: 0.5, y: 0.95, rgb: [232, 190, 70] },
];

/** Prints a file and then, as JSON, the terminal's replies to it. */
const ASK = `
const asked = require('node:fs').readFileSync(process.argv[2], 'latin1');
process.stdin.setRawMode(true);
let got = '';
process.stdin.on('data', (data) => { got += data; if (got.endsWith('n')) { console.log(JSON.stringify(got)); process.exit(); } });
process.stdout.write(asked + '\\x1b[5n');
`;

/** Prints a file in small pieces of different sizes, each in a separate write. */
const PIECES = `
const bytes = require('node:fs').readFileSync(process.argv[2]);
let at = 0;
const next = () => {
  if (at >= bytes.length) return;
  const size = 1 + ((at * 7919) % 23);
  process.stdout.write(bytes.subarray(at, at + size), () => setImmediate(next));
  at += size;
};
next();
`;

/** Checks the colour of each shape in the five lines of a card's first image: `right`, or the found pixel. */
async function colors(card: Locator): Promise<string[][]> {
  const canvases = card.locator('.line-image canvas');
  await canvases.nth(4).waitFor();
  const found = await canvases.evaluateAll(
    (lines, shapes) =>
      shapes.map(({ x, y }) => {
        const canvas = lines[Math.floor(y * 5)] as HTMLCanvasElement;
        const inLine = (y * 5 - Math.floor(y * 5)) * canvas.height * 0.9;
        const pixel = canvas.getContext('2d')?.getImageData(x * canvas.width * 0.97, inLine, 1, 1);
        return [...(pixel?.data ?? [])];
      }),
    SHAPES,
  );
  return SHAPES.map(({ name, rgb }, at) => {
    const distance = rgb.reduce((sum, value, channel) => sum + Math.abs(value - (found[at]?.[channel] ?? 999)), 0);
    return [name, distance < 60 ? 'right' : `${found[at]}`];
  });
}

const ALL_RIGHT = SHAPES.map(({ name }) => [name, 'right']);

describe.skipIf(!existsSync(BROWSER))('images in the window', () => {
  const served = new ServedWindow();
  const scripts = mkdtempSync(join(tmpdir(), 'hansard-images-'));
  let window: TerminalWindow;

  beforeAll(async () => {
    writeFileSync(join(scripts, 'ask.cjs'), ASK);
    writeFileSync(join(scripts, 'pieces.cjs'), PIECES);
    window = await served.start();
  });
  beforeEach(() => window.interruptLeftovers());
  afterAll(async () => {
    await served.dispose();
    rmSync(scripts, { recursive: true, force: true });
  });

  const output = (name: string, text: string): string => {
    writeFileSync(join(scripts, name), text);
    return join(scripts, name);
  };

  /** The colour in the middle of a cell of the live screen. */
  function livePixel(col: number, row: number): Promise<number[]> {
    return window.page.evaluate(
      ([x, y]) => {
        const canvas = document.querySelector<HTMLCanvasElement>('.live-host .live-images');
        const screen = document.querySelector('.live-host .xterm-screen');
        const rows = document.querySelectorAll('.live-host .xterm-rows > div').length;
        if (!canvas || !screen || rows === 0) return [];
        const height = canvas.height / rows;
        const pixel = canvas
          .getContext('2d')
          ?.getImageData(((x as number) + 0.5) * 7.5 * devicePixelRatio, ((y as number) + 0.5) * height, 1, 1);
        return [...(pixel?.data ?? [])];
      },
      [col, row],
    );
  }

  test.each([
    ['img2sixel.out', 5],
    ['timg-iterm.out', 6], // timg and chafa end the line themselves
    ['timg-kitty.out', 6],
    ['chafa-kitty.out', 6],
  ])('%s is shown in its card, with the text in its place below', async (name, textRow) => {
    const card = await window.run(`cat ${FIXTURES}/${name}; printf '\\nbelow\\n'`);
    await soon(() => card.locator('.line-image canvas').count()).toBe(5);
    expect(await colors(card)).toEqual(ALL_RIGHT);
    const lines = await window.lines(card);
    expect(lines.findIndex((line) => line.includes('below'))).toBe(textRow);
    expect(lines.join('')).toBe('below');
  });

  test('an image is shown while its command runs, with the text below it, and opens on a click', async () => {
    await window.start(`clear; printf 'above\\r\\n'; cat ${output('red', sixel(80, 60))}; printf '\\r\\nbelow'; cat`);
    await soon(() => livePixel(2, 1)).toEqual([204, 51, 51, 255]);
    await soon(() => livePixel(9, 3)).toEqual([204, 51, 51, 255]);
    expect(await livePixel(11, 1)).toEqual([0, 0, 0, 0]);
    expect(await window.liveRows()).toEqual(['above', '', '', '', 'below']);
    const box = await window.page.locator('.live-host .xterm-screen').boundingBox();
    await window.page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 40);
    await window.dialog.getByText(strings.images.name(80, 60)).waitFor();
    await window.page.keyboard.press('Escape');
    await soon(() => window.focused()).toBe('program');
    await window.page.keyboard.press('Control+c');
    await window.ready();
  });

  test('an image that came while another window looked is shown to one that joins, from the state', async () => {
    await window.start(`clear; cat ${output('red', sixel(80, 60))}; cat`);
    await soon(() => livePixel(2, 1)).toEqual([204, 51, 51, 255]);
    await window.page.reload();
    await soon(() => livePixel(2, 1)).toEqual([204, 51, 51, 255]);
    await soon(() => livePixel(9, 2)).toEqual([204, 51, 51, 255]);
    await window.page.locator('.live-host').click();
    await window.page.keyboard.press('Control+c');
    await window.ready();
  });

  test('an image that comes in small pieces is whole', async () => {
    const card = await window.run(`node ${scripts}/pieces.cjs ${FIXTURES}/timg-kitty.out`);
    expect(await colors(card)).toEqual(ALL_RIGHT);
  });

  test('programs are answered once, and by the core alone', async () => {
    const asked = `\x1b[c\x1b[14t\x1b[16t\x1b[?2;1;0S\x1b]1337;ReportCellSize\x1b\\${kitty('i=31,s=1,v=1,a=q,t=d,f=24')}`;
    const card = await window.run(`node ${scripts}/ask.cjs ${output('asked', asked)}; stty size`);
    await soon(() => card.locator('.line').count()).toBe(2);
    const [answers = '', size = ''] = await window.lines(card);
    const [rows = 0, cols = 0] = size.split(' ').map(Number);
    expect(JSON.parse(answers).replaceAll('\x1b', 'ESC')).toBe(
      `ESC[?62;4;22cESC[4;${rows * 20};${cols * 8}tESC[6;20;8tESC[?2;0;16384;16384SESC]1337;ReportCellSize=20.0;8.0;1.0ESC\\ESC_Gi=31;OKESC\\ESC[0n`,
    );
  });

  test('a program finds the size of the screen in px in the terminal itself', async () => {
    const card = await window.run(`perl -e 'ioctl(STDOUT, 0x5413, my $w = ""); print join " ", unpack("S4", $w)'`);
    await card.locator('.line').first().waitFor();
    const [rows = 0, cols = 0, width, height] = ((await window.lines(card))[0] ?? '').split(' ').map(Number);
    expect([width, height]).toEqual([cols * 8, rows * 20]);
  });

  test('images over the limit of a card are placeholders that say so', async () => {
    const large = await window.run(
      `cat ${output('large', `${sixel(4000, 10)}\r\n${kitty('a=T,f=100,c=60,r=2', PNG)}\r\n`.replace('4000;10', '4000;2500'))}`,
    );
    await large.getByText('Image left out: 40 MB of pixels, the limit is 32 MB').first().waitFor();
    await large.locator('.line-image canvas').first().waitFor();
    const twice = await window.run(`cat ${output('a', `${sixel(16_000, 400)}\r\n${sixel(16_000, 400)}\r\nend\r\n`)}`);
    await twice
      .getByText('Image left out: 51 MB of pixels with those above, the limit of a card is 32 MB')
      .first()
      .waitFor();
    await twice.locator('.line-image canvas').first().waitFor();
  });

  test('damaged data is a placeholder, too', async () => {
    const card = await window.run(`printf '\\e]1337;File=inline=1;width=20;height=3:AAAA\\a\\ndone\\n'`);
    await card.getByText(strings.images.unreadable).waitFor();
    expect((await window.lines(card)).at(-1)).toBe('done');
  });

  test('an image of a card can be saved as PNG', async () => {
    const card = await window.run(`cat ${output('red', sixel(80, 60))}`);
    await window.choose(card, strings.images.show);
    const [download] = await Promise.all([
      window.page.waitForEvent('download'),
      window.dialog.getByRole('button', { name: strings.images.save }).click(),
    ]);
    expect(
      readFileSync(await download.path())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    await window.page.keyboard.press('Escape');
  });

  test('images are there after a restart of the core, read from the record', async () => {
    const marked = `cat ${FIXTURES}/img2sixel.out; echo; echo kept`;
    await window.run(marked);
    await served.app.stop();
    await served.app.start();
    const again = new TerminalWindow((await served.browser.open(served.app.url)).page);
    const card = again.card(`cat ${FIXTURES}/img2sixel.out; echo`);
    expect(await colors(card)).toEqual(ALL_RIGHT);
  });
});

test.skipIf(!existsSync(BROWSER)).each([
  { ends: 'the core was killed, which it outlives', doesRun: true },
  { ends: 'the power was cut', doesRun: false },
])('a command that ran when $ends, keeps its image', async ({ doesRun }) => {
  const served = new ServedWindow();
  try {
    const window = await served.start();
    await window.ready();
    await window.start(`cat ${FIXTURES}/timg-kitty.out; printf 'cut off\\n'; cat`);
    await soon(() => window.liveRows()).toContain('cut off');
    await (doesRun ? served.app.stop('SIGKILL') : served.app.crash());
    await served.app.start();
    const later = new TerminalWindow((await served.browser.open(served.app.url)).page);
    if (doesRun) {
      await soon(() => later.liveRows()).toContain('cut off');
      await later.page.locator('.live-host').click();
      await later.page.keyboard.press('Control+C');
    }
    expect(await colors(later.card(`cat ${FIXTURES}/timg-kitty.out; printf`))).toEqual(ALL_RIGHT);
  } finally {
    await served.dispose();
  }
});
