import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { codepointsOf, type FontFile, SystemFonts } from '../../src-main/picture/fontChoice.ts';
import { type FontCoverage, readCoverage, unpackWoff } from '../../src-main/picture/fontTables.ts';

const { resolve } = createRequire(import.meta.url);
const fontOf = (script: string): Uint8Array =>
  unpackWoff(readFileSync(resolve(`@fontsource/ibm-plex-mono/files/ibm-plex-mono-${script}-400-normal.woff`)));
const coverageOf = (bytes: Uint8Array): FontCoverage | null =>
  readCoverage((offset, length) => bytes.subarray(offset, offset + length));

let latin: Uint8Array;
let cyrillic: Uint8Array;
beforeAll(() => {
  latin = fontOf('latin');
  cyrillic = fontOf('cyrillic');
});

describe('what a font can draw', () => {
  test('is read from its character map', () => {
    const found = [latin, cyrillic].map((bytes) =>
      ['A', 'é', 'Ж', '漢'].map((char) => coverageOf(bytes)?.has(char.codePointAt(0) ?? 0)),
    );
    expect(found).toEqual([
      [true, true, false, false],
      [false, false, true, false],
    ]);
  });

  test('a file that is no font, or a part of one, has nothing and does no harm', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => coverageOf(bytes)?.has(0x41)).not.toThrow();
      }),
    );
    fc.assert(
      fc.property(fc.nat(latin.length), fc.nat(latin.length), fc.nat(255), (end, at, byte) => {
        const broken = latin.slice(0, end);
        if (at < end) broken[at] = byte;
        expect(() => coverageOf(broken)?.has(0x41)).not.toThrow();
      }),
    );
  });
});

describe('fonts of the system', () => {
  const fileOf = (path: string, bytes: Uint8Array): FontFile => ({
    path,
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
  });

  test('are chosen by what is missing, the upright one of one width first, and no more than needed', () => {
    const files = ['Bold', 'Regular'].map((look) => fileOf(`/fonts/SomeMono-${look}.ttf`, cyrillic.slice()));
    const fonts = new SystemFonts([fileOf('/fonts/Sans.ttf', latin), ...files]);
    const missing = codepointsOf('Ж漢');
    expect(fonts.fontsFor(missing)).toEqual([cyrillic]);
    expect([...missing]).toEqual(['漢'.codePointAt(0)]);
  });

  test.skipIf(!existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf'))('a real one is read as it is', () => {
    const coverage = coverageOf(readFileSync('/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf'));
    expect(['✓', '●', '漢'].map((char) => coverage?.has(char.codePointAt(0) ?? 0))).toEqual([true, true, false]);
  });
});
