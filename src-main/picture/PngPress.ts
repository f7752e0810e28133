import { Resvg } from '@resvg/resvg-wasm';
import { codepointsOf, type SystemFonts } from './fontChoice.ts';
import { type FontCoverage, readCoverage, unpackWoff } from './fontTables.ts';
import type { OwnFont } from './pngProtocol.ts';
import { FONT_FAMILY } from './screenSvg.ts';

interface Face {
  readonly bytes: Uint8Array;
  readonly coverage: FontCoverage | null;
  /** Upright and of regular weight: used by every picture. */
  readonly isPlain: boolean;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** Converts a picture's SVG to PNG, with our fonts and, for missing characters, the system's. Synchronous: use it in a worker. */
export class PngPress {
  readonly #faces: readonly Face[];
  readonly #system: () => SystemFonts;

  /** `system` is called for a character outside our fonts. The renderer must already be loaded (`initWasm`). */
  constructor(fonts: readonly OwnFont[], system: () => SystemFonts) {
    this.#faces = fonts.map(({ woff, isBold, isItalic }) => {
      const bytes = unpackWoff(woff);
      const coverage = readCoverage((offset, length) => bytes.subarray(offset, offset + length));
      return { bytes, coverage, isPlain: !isBold && !isItalic, isBold, isItalic };
    });
    this.#system = system;
  }

  press(svg: string): Uint8Array<ArrayBuffer> {
    const { fonts, missing } = this.#fontsFor(svg);
    const picture = new Resvg(missing.size === 0 ? svg : withoutStacks(svg, missing), {
      font: { fontBuffers: fonts, defaultFontFamily: FONT_FAMILY, loadSystemFonts: false },
      textRendering: 1, // optimizes legibility
    });
    try {
      const image = picture.render();
      try {
        return new Uint8Array(image.asPng()); // a copy, because the original is in the renderer's memory
      } finally {
        image.free();
      }
    } finally {
      picture.free();
    }
  }

  /** `missing`: characters that no font draws. */
  #fontsFor(svg: string): { fonts: Uint8Array[]; missing: ReadonlySet<number> } {
    const missing = codepointsOf(svg);
    const isBold = svg.includes('font-weight="600"');
    const isItalic = svg.includes('font-style="italic"');
    const used = this.#faces.filter((face) => (isBold || !face.isBold) && (isItalic || !face.isItalic));
    const needed = used.filter(
      ({ coverage }) => coverage?.has(ASCII) || [...missing].some((one) => coverage?.has(one)),
    );
    for (const codepoint of missing)
      if (needed.some(({ coverage, isPlain }) => isPlain && coverage?.has(codepoint))) missing.delete(codepoint);
    const others = missing.size === 0 ? [] : this.#system().fontsFor(missing);
    return { fonts: [...needed.map(({ bytes }) => bytes), ...others], missing };
  }
}

/** Fonts with this character are those of the Latin script, in which every picture is set. */
const ASCII = 0x41;

/** Characters set individually (see runSvg): one code point, or several that a terminal shows as one. */
const ALONE = /(text-anchor="middle">)([^<&]+)(?=<)/g;

/** If no font draws all code points of a character, keeps only the first: one box instead of a stack of boxes. */
function withoutStacks(svg: string, missing: ReadonlySet<number>): string {
  return svg.replace(ALONE, (whole: string, before: string, text: string) => {
    const [first = '', ...others] = text;
    const isStack = others.length > 0 && [...text].some((one) => missing.has(one.codePointAt(0) ?? 0));
    return isStack ? `${before}${first}` : whole;
  });
}
