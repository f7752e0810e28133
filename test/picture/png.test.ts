import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { initWasm } from '@resvg/resvg-wasm';
import { afterAll, describe, expect, test } from 'vitest';
import { SystemFonts } from '../../src-main/picture/fontChoice.ts';
import { CELL, MARGIN_PX } from '../../src-main/picture/geometry.ts';
import { PngPainter } from '../../src-main/picture/PngPainter.ts';
import { PngPress } from '../../src-main/picture/PngPress.ts';
import { readPictureFiles } from '../../src-main/picture/pictureFiles.ts';
import { screenSvg } from '../../src-main/picture/screenSvg.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { ScreenPictures } from '../../src-main/terminal/screen/ScreenPictures.ts';
import { frameOf } from '../support/frames.ts';
import { type Pixels, readPng } from '../support/readPng.ts';
import { ROOT } from '../support/sourceFiles.ts';

const workerUrl = pathToFileURL(join(ROOT, 'src-main/picture/pngWorker.ts'));
const pictures = new ScreenPictures({ workerUrl, theme: () => 'dark' });
afterAll(() => pictures.dispose());

async function painted(output: string, size = { cols: 20, rows: 3 }): Promise<Pixels> {
  const model = new ScreenModel({ ...size, scrollbackLines: 0 });
  try {
    model.write(Buffer.from(output));
    const picture = await pictures.of(model.frame(), { format: 'png' });
    if (!picture.ok) throw new Error(picture.reason);
    return readPng(picture.bytes);
  } finally {
    model.dispose();
  }
}

/** The colours of a cell's pixels, each once. */
function colorsOf(pixels: Pixels, row: number, col: number): Set<string> {
  const colors = new Set<string>();
  for (let y = 0; y < CELL.height; y += 1)
    for (let x = 0; x < CELL.width; x += 1)
      colors.add(pixels.at(MARGIN_PX + col * CELL.width + x, MARGIN_PX + row * CELL.height + y));
  return colors;
}

describe('a PNG of a screen', () => {
  test('has the colours of all cells exactly, up to their edges', async () => {
    const pixels = await painted(
      '\x1b[?25l\x1b[41m \x1b[48;5;208m \x1b[48;2;1;2;3m \x1b[0;7m \x1b[0m \x1b[32m█\x1b[0m',
    );
    expect([pixels.width, pixels.height]).toEqual([20 * CELL.width + 20, 3 * CELL.height + 20]);
    const colors = Array.from({ length: 6 }, (_, col) => [...colorsOf(pixels, 0, col)]);
    expect(colors).toEqual([['#e0695f'], ['#ff8700'], ['#010203'], ['#e8e4db'], ['#14161a'], ['#5fbb8d']]);
  });

  test('draws letters of all scripts of the typeface, also bold and slanted, in their cells', async () => {
    const pixels = await painted('\x1b[?25la\x1b[1mb\x1b[3mc\x1b[0mЖ őạ');
    const inked = Array.from({ length: 8 }, (_, col) => colorsOf(pixels, 0, col).size > 2);
    expect(inked).toEqual([true, true, true, true, false, true, true, false]);
  });

  test('shows what no font has as one box, however many characters it is made of', async () => {
    const { wasm, fonts } = await readPictureFiles();
    await initWasm(wasm);
    const press = new PngPress(fonts, () => new SystemFonts([]));
    const [one, joined, none] = ['\u{1f469}', '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}', '  '].map((text) =>
      press.press(screenSvg(frameOf([text], { cols: 3, cursor: { row: 0, col: 2, visible: false } }), 'dark')),
    );
    expect(joined).toEqual(one);
    expect(one).not.toEqual(none);
  });

  test('is refused with what to do where the screen is too large for one', async () => {
    const huge = frameOf(['x'], { cols: 501 });
    expect(await pictures.of(huge, { format: 'png' })).toEqual({
      ok: false,
      reason: 'a picture has at most 500 × 200 cells, and this screen has 501 × 1',
    });
    expect((await pictures.of(huge, { format: 'svg' })).ok).toBe(false);
  });

  test('several can be asked for at once', async () => {
    const all = await Promise.all(['\x1b[41m ', '\x1b[42m ', '\x1b[44m '].map((output) => painted(output)));
    expect(all.map((pixels) => [...colorsOf(pixels, 0, 0)][0])).toEqual(['#e0695f', '#5fbb8d', '#86b3dd']);
  });

  test('the core goes on while one is made', async () => {
    let turns = 0;
    const beat = setInterval(() => (turns += 1), 1);
    await painted('x'.repeat(10_000), { cols: 200, rows: 50 });
    clearInterval(beat);
    expect(turns).toBeGreaterThan(10);
  });
});

describe('the worker', () => {
  test('that could not be started is told of, and started for the next picture', async () => {
    let tries = 0;
    const painter = new PngPainter({
      workerUrl,
      readFiles: () => {
        tries += 1;
        return tries === 1 ? Promise.reject(new Error('no fonts here')) : readPictureFiles();
      },
    });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="1"/>';
    await expect(painter.paint(svg)).rejects.toThrow('no fonts here');
    expect(readPng(await painter.paint(svg)).width).toBe(2);
    painter.dispose();
  });

  test('tells what is wrong with a picture, and goes on', async () => {
    const painter = new PngPainter({ workerUrl, readFiles: readPictureFiles });
    await expect(painter.paint('<svg')).rejects.toThrow();
    expect(
      (await painter.paint('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')).length,
    ).toBeGreaterThan(0);
    painter.dispose();
  });
});
