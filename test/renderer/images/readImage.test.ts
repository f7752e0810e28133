import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesOfBase64 } from '../../../src-main/shared/images/base64.ts';
import { imageSize } from '../../../src-main/shared/images/imageSize.ts';
import { inflate } from '../../../src-renderer/images/decodeImage.ts';
import { readImage, rgbaOf } from '../../../src-renderer/images/readImage.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { imageStream, kitty, osc1337, PNG, sixel } from '../../support/imageStreams.ts';

const fixture = (name: string) => readFileSync(`test/fixtures/images/${name}`);
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('the bytes of an image', () => {
  test.each(['timg-kitty.out', 'timg-iterm.out'])('are a PNG in %s', (name) => {
    const source = readImage(fixture(name));
    expect(source?.kind === 'file' && imageSize(source.bytes)).toEqual({ format: 'png', width: 200, height: 100 });
  });

  test('are all pixels of chunks that are padded each by itself, as chafa prints them', () => {
    const source = readImage(fixture('chafa-kitty.out'));
    expect(source).toMatchObject({ kind: 'pixels', bytesEach: 4, isDeflated: false });
    expect(source?.kind === 'pixels' && source.bytes.length).toBe(160 * 40 * 4);
  });

  test.each(['img2sixel.out', 'chafa-sixel.out'])('are sixel data in %s', (name) => {
    expect(readImage(fixture(name))?.kind).toBe('sixel');
  });

  test.each([
    [
      'in parts',
      `\x1b]1337;MultipartFile=inline=1\x07text\x1b]1337;FilePart=${PNG.slice(0, 40)}\x07\x1b]1337;FilePart=${PNG.slice(40)}\x07\x1b]1337;FileEnd\x07`,
    ],
    ['in one sequence', osc1337('inline=1')],
    ['without the terminator', osc1337('inline=1').slice(0, -1)],
    ["in kitty's chunks", kitty('a=T,f=100,m=1', PNG.slice(0, 40)) + kitty('m=0', PNG.slice(40))],
    ['behind other output', `text\x1b[1m\x1b]0;title\x07${osc1337('inline=1')}`],
  ])('are found %s', (_, output) => {
    const source = readImage(bytesOf(output));
    expect(source?.kind === 'file' && source.bytes).toEqual(bytesOfBase64(PNG));
  });

  test.each(['', 'text', '\x1b[1m', '\x1b]0;title\x07', '\x1bP$qm\x1b\\', '\x1b'])('are not found in %j', (output) => {
    expect(readImage(bytesOf(output))).toBeUndefined();
  });

  test('are read from any output without an error', () => {
    fc.assert(
      fc.property(imageStream, fc.nat(), (stream, from) => {
        readImage(stream.subarray(from % (stream.length + 1)));
      }),
      fuzzRuns(500),
    );
  });
});

test('pixels that are missing are transparent, and those that are too many are left out', () => {
  const size = { width: 2, height: 1 };
  expect([...rgbaOf({ bytes: Uint8Array.of(1, 2, 3), bytesEach: 3 }, size)]).toEqual([1, 2, 3, 255, 0, 0, 0, 0]);
  const many = new Uint8Array(100).fill(7);
  expect([...rgbaOf({ bytes: many, bytesEach: 4 }, size)]).toEqual(new Array(8).fill(7));
});

test('a zlib stream is read no further than the image needs', async () => {
  const bomb = Uint8Array.from(deflateSync(Buffer.alloc(50_000_000, 9)));
  const plain = await inflate(bomb, 12);
  expect([...plain]).toEqual(new Array(12).fill(9));
});

test('the size of a file is found in its first bytes, of PNG, JPEG and GIF only', () => {
  const gif = bytesOf('GIF89a\x05\x00\x07\x00');
  const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 11, 8, 0, 7, 0, 5, 3);
  expect(imageSize(bytesOfBase64(PNG))).toEqual({ format: 'png', width: 1, height: 1 });
  expect(imageSize(gif)).toEqual({ format: 'gif', width: 5, height: 7 });
  expect(imageSize(jpeg)).toEqual({ format: 'jpeg', width: 5, height: 7 });
  expect(imageSize(bytesOf('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="7"/>'))).toBeUndefined();
});

test('any first bytes give a size or none', () => {
  const magic = fc.constantFrom(
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    [0xff, 0xd8],
    [...bytesOf('GIF89a')],
    [],
  );
  fc.assert(
    fc.property(magic, fc.uint8Array({ maxLength: 60 }), (head, rest) => {
      imageSize(Uint8Array.from([...head, ...rest]));
    }),
    fuzzRuns(1000),
  );
});

test('sixel data is what is between the name and the terminator', () => {
  const source = readImage(bytesOf(sixel(2, 6)));
  expect(source?.kind === 'sixel' && new TextDecoder().decode(source.data)).toBe('"1;1;2;6#1;2;80;20;20#1!2~');
});
