/** Maximum side of a sixel image; the rest is cut. */
export const MAX_SIXEL_PX = 16_384;
/** A sixel is a column of six pixels. */
export const BAND_PX = 6;

const REPEAT = 0x21;
const RASTER = 0x22;
const COLOR = 0x23;
const RETURN = 0x24;
const NEXT_BAND = 0x2d;

/** Commands of a sixel stream, one call each. Numbers are as printed, at most `MAX_NUMBER`. */
export interface SixelSink {
  /** Paints `bits` (lowest on top) in `count` columns from `x` on, in the band that begins at `y`. */
  paint(bits: number, count: number, at: { x: number; y: number }): void;
  color(params: readonly number[]): void;
}

const MAX_NUMBER = 0xffff;
/** Most parameters of any command: `#number;system;x;y;z`. */
const MAX_PARAMS = 5;

/**
 * Reads the data of a sixel sequence (DEC STD 070, chapter 9) byte by byte, in pieces cut anywhere. Stores only its position and the
 * extent of the painted area.
 */
export class SixelReader {
  readonly #sink: SixelSink | undefined;
  #command = 0;
  #params: number[] = [];
  #x = 0;
  #y = 0;
  #repeat = 1;
  #raster = { width: 0, height: 0 };
  #painted = { width: 0, height: 0 };

  constructor(sink?: SixelSink) {
    this.#sink = sink;
  }

  /** `codes` may be bytes or code points; skips those that are not sixel characters. */
  read(codes: ArrayLike<number>, from: number, to: number): void {
    for (let at = from; at < to; at += 1) this.#take(codes[at] as number);
  }

  /** The image's size so far: the declared one, enlarged by painting beyond it. Zero if nothing is visible. */
  get size(): { width: number; height: number } {
    if (this.#painted.width === 0) return { width: 0, height: 0 };
    const { width, height } = this.#raster;
    const isWithin = this.#painted.height - height < BAND_PX; // the last band may be used in part
    return {
      width: Math.max(width, this.#painted.width),
      height: height > 0 && isWithin ? height : this.#painted.height,
    };
  }

  #take(code: number): void {
    if (code >= 0x30 && code <= 0x39) this.#digit(code - 0x30);
    else if (code === 0x3b) this.#separate();
    else if (code >= 0x3f && code <= 0x7e) this.#paint(code - 0x3f);
    else if (code >= REPEAT && code <= 0x2f) this.#start(code);
  }

  #digit(digit: number): void {
    if (this.#command === 0) return;
    const last = Math.max(0, this.#params.length - 1);
    this.#params[last] = Math.min(MAX_NUMBER, (this.#params[last] ?? 0) * 10 + digit);
  }

  #separate(): void {
    if (this.#command === 0) return;
    if (this.#params.length === 0) this.#params.push(0);
    if (this.#params.length < MAX_PARAMS) this.#params.push(0);
  }

  #start(code: number): void {
    this.#finish();
    if (code === RETURN) this.#x = 0;
    else if (code === NEXT_BAND) {
      this.#x = 0;
      this.#y = Math.min(MAX_SIXEL_PX, this.#y + BAND_PX);
    } else if (code === REPEAT || code === RASTER || code === COLOR) this.#command = code;
  }

  /** Any character but a parameter completes the command before it. */
  #finish(): void {
    const params = this.#params;
    if (this.#command === REPEAT) this.#repeat = Math.max(1, params[0] ?? 1);
    else if (this.#command === COLOR) this.#sink?.color(params);
    else if (this.#command === RASTER) {
      const [, , width = 0, height = 0] = params;
      this.#raster = { width: Math.min(width, MAX_SIXEL_PX), height: Math.min(height, MAX_SIXEL_PX) };
    }
    if (this.#command !== 0) this.#params = [];
    this.#command = 0;
  }

  #paint(bits: number): void {
    this.#finish();
    const count = Math.min(this.#repeat, MAX_SIXEL_PX - this.#x);
    this.#repeat = 1;
    if (count <= 0 || this.#y >= MAX_SIXEL_PX) return;
    if (bits !== 0) this.#sink?.paint(bits, count, { x: this.#x, y: this.#y });
    this.#x += count;
    this.#painted.width = Math.max(this.#painted.width, this.#x);
    this.#painted.height = Math.max(this.#painted.height, this.#y + BAND_PX);
  }
}
