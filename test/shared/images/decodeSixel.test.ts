import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeSixel } from '../../../src-main/shared/images/decodeSixel.ts';
import { SixelReader } from '../../../src-main/shared/images/SixelReader.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

const LIMIT = 4_000_000;
const bytesOf = (text: string) => new TextEncoder().encode(text);

function pixel(data: string, x: number, y: number): number[] {
  const picture = decodeSixel(bytesOf(data), LIMIT);
  if (!picture) return [];
  const at = (y * picture.width + x) * 4;
  return [...picture.rgba.subarray(at, at + 4)];
}

function sizeOf(data: string): number[] {
  const picture = decodeSixel(bytesOf(data), LIMIT);
  return picture ? [picture.width, picture.height] : [];
}

describe('the size of a sixel image', () => {
  test.each([
    ['what is painted', '~~~', [3, 6]],
    ['two bands', '~-~~', [2, 12]],
    ['repeated columns', '!20~', [20, 6]],
    ['a declared size with a band that is used in part', '"1;1;5;8~~~~~-~~~~~', [5, 8]],
    ['a declared size that is wider than what is painted', '"1;1;9;6~', [9, 6]],
    ['more than was declared', '"1;1;2;6~~~~-~-~', [4, 18]],
    ['empty columns too', '???', [3, 6]],
    ['overprinted columns once', '~~$~~', [2, 6]],
    ['nothing', '', []],
    ['only a declaration', '"1;1;50;50', []],
    ['only colours', '#1;2;3;4;5', []],
    ['pixels over the limit', '"1;1;2000;2000~', []],
    ['a count beyond any image', '!99999999999~', [16_384, 6]],
  ])('counts %s', (_, data, size) => {
    expect(sizeOf(data)).toEqual(size);
  });
});

describe('the colours of a sixel image', () => {
  test.each([
    ['a register in percent of red, green and blue', '#5;2;100;50;0~', [255, 128, 0, 255]],
    ['a register by hue, lightness and saturation: blue', '#5;1;0;50;100~', [0, 0, 255, 255]],
    ['… red', '#5;1;120;50;100~', [255, 0, 0, 255]],
    ['… green', '#5;1;240;50;100~', [0, 255, 0, 255]],
    ['a register that was defined before', '#5;2;0;100;0#6;2;0;0;100#5~', [0, 255, 0, 255]],
    ["a VT340's own", '#2~', [204, 33, 33, 255]],
    ['transparency where nothing is painted', '?', [0, 0, 0, 0]],
    ['what was painted last', '#1;2;100;0;0~$#2;2;0;0;100~', [0, 0, 255, 255]],
    ['a percentage over 100 as 100', '#5;2;999;0;0~', [255, 0, 0, 255]],
  ])('are those of %s', (_, data, rgba) => {
    expect(pixel(data, 0, 0)).toEqual(rgba);
  });

  test('paint the lowest bit on top', () => {
    const picture = decodeSixel(bytesOf('#5;2;100;0;0A'), LIMIT);
    const alpha = Array.from({ length: 6 }, (_, y) => picture?.rgba[y * 4 + 3]);
    expect(alpha).toEqual([0, 255, 0, 0, 0, 0]);
  });
});

const command = fc.oneof(
  fc.constantFrom('-', '$', '#', ';', '"', '!', '~', '?', '@', '\n', 'é', '/', ','),
  fc.nat(20_000).map(String),
  fc
    .tuple(fc.constantFrom('!', '#', '"'), fc.array(fc.nat(99_999), { maxLength: 7 }))
    .map(([name, params]) => name + params.join(';')),
);
const hostile = fc.array(command, { maxLength: 60 }).map((parts) => parts.join(''));

test('any data gives a picture within the limit, or none, in bounded time', () => {
  fc.assert(
    fc.property(hostile, (data) => {
      const picture = decodeSixel(bytesOf(data), LIMIT);
      expect(picture === undefined || picture.rgba.length === picture.width * picture.height * 4).toBe(true);
      expect(picture?.rgba.length ?? 0).toBeLessThanOrEqual(LIMIT);
    }),
    fuzzRuns(500),
  );
});

test('a megabyte that paints the same pixels again and again ends', () => {
  const began = process.cpuUsage();
  decodeSixel(bytesOf('!16000~$'.repeat(125_000)), LIMIT);
  expect(process.cpuUsage(began).user / 1e6).toBeLessThan(2);
});

test('the size does not depend on where the data is cut', () => {
  fc.assert(
    fc.property(hostile, fc.nat(), (data, cut) => {
      const codes = bytesOf(data);
      const at = cut % (codes.length + 1);
      const [whole, cutOnce] = [new SixelReader(), new SixelReader()];
      whole.read(codes, 0, codes.length);
      cutOnce.read(codes, 0, at);
      cutOnce.read(codes, at, codes.length);
      expect(cutOnce.size).toEqual(whole.size);
    }),
    fuzzRuns(300),
  );
});
