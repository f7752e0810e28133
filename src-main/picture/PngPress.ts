import { Resvg } from '@resvg/resvg-wasm';
import { codepointsOf, type SystemFonts } from './fontChoice.ts';
import { type FontCoverage, readCoverage, unpackWoff } from './fontTables.ts';
import type { OwnFont } from './pngProtocol.ts';
import { FONT_FAMILY } from './screenSvg.ts';

interface Face {
  readonly bytes: Uint8Array;
  readonly coverage: FontCoverage | null;
  /** Upright and of usual weight: in every picture. */
  readonly isPlain: boolean;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** Makes a PNG of a picture's SVG, in fonts of ours and, for what they lack, of the system. Works in one go: for a worker. */
export class PngPress {
  readonly #faces: readonly Face[];
  readonly #system: () => SystemFonts;

  /** `system` is called when a character is not in our fonts. The renderer must have been loaded (`initWasm`). */
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
      textRendering: 1, // letters before lines: they are read
    });
    try {
      const image = picture.render();
      try {
        return new Uint8Array(image.asPng()); // a copy: what it gives lies in its own memory
      } finally {
        image.free();
      }
    } finally {
      picture.free();
    }
  }

  /** `missing`: what no font draws. */
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

/** The fonts that have it are those of the Latin script, in which every picture is set. */
const ASCII = 0x41;

/** Characters set by themselves (see runSvg): one, or several that a terminal shows as one. */
const ALONE = /(text-anchor="middle">)([^<&]+)(?=<)/g;

/** Of several characters that make one, and that no font draws all of, only the first is set: one box, not a stack of them. */
function withoutStacks(svg: string, missing: ReadonlySet<number>): string {
  return svg.replace(ALONE, (whole: string, before: string, text: string) => {
    const [first = '', ...others] = text;
    const isStack = others.length > 0 && [...text].some((one) => missing.has(one.codePointAt(0) ?? 0));
    return isStack ? `${before}${first}` : whole;
  });
}
