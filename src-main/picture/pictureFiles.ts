import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { OwnFont, PngStart } from './pngProtocol.ts';

const { resolve } = createRequire(import.meta.url);
/** Parts of the typeface, in the order in which characters are searched. */
const SCRIPTS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'];
const FACES = [
  { name: '400-normal', isBold: false, isItalic: false },
  { name: '600-normal', isBold: true, isItalic: false },
  { name: '400-italic', isBold: false, isItalic: true },
  { name: '600-italic', isBold: true, isItalic: true },
];

/** Reads the renderer and the window's typeface from their packages. */
export async function readPictureFiles(): Promise<PngStart> {
  const fonts = SCRIPTS.flatMap((script) =>
    FACES.map(async ({ name, isBold, isItalic }): Promise<OwnFont> => {
      const path = resolve(`@fontsource/ibm-plex-mono/files/ibm-plex-mono-${script}-${name}.woff`);
      return { woff: await readFile(path), isBold, isItalic };
    }),
  );
  const wasm = readFile(resolve('@resvg/resvg-wasm/index_bg.wasm'));
  return { wasm: await wasm, fonts: await Promise.all(fonts) };
}
