import { BAND_PX, SixelReader } from './SixelReader.ts';

/** Plain pixels: RGBA, 4 bytes each, row by row. */
export interface Pixels {
  width: number;
  height: number;
  rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** Most pixels to paint, including repainted ones: 16 for each of the largest image. A hostile stream stops there, unfinished. */
const MAX_PAINTED = 128 * 1024 * 1024;
/** Number of colour registers; higher ones wrap around. */
const REGISTERS = 1024;

/** The first sixteen colours of a VT340, in percent of red, green and blue. */
const VT340 = [
  [0, 0, 0],
  [20, 20, 80],
  [80, 13, 13],
  [20, 80, 20],
  [80, 20, 80],
  [20, 80, 80],
  [80, 80, 20],
  [53, 53, 53],
  [26, 26, 26],
  [33, 33, 60],
  [60, 26, 26],
  [33, 60, 33],
  [60, 33, 60],
  [33, 60, 60],
  [60, 60, 33],
  [80, 80, 80],
] as const;

/**
 * Decodes the data of a sixel sequence. Unpainted pixels are transparent. undefined without pixels, or with more than `maxBytes` of them;
 * allocates nothing before that is known.
 */
export function decodeSixel(data: Uint8Array, maxBytes: number): Pixels | undefined {
  const sizing = new SixelReader();
  sizing.read(data, 0, data.length);
  const { width, height } = sizing.size;
  if (width === 0 || height === 0 || width * height * 4 > maxBytes) return undefined;
  const pixels = new Uint32Array(width * height);
  const registers = new Uint32Array(REGISTERS);
  VT340.forEach((rgb, at) => {
    registers[at] = packed(rgb.map(percent) as [number, number, number]);
  });
  let color = registers[0] as number;
  let left = MAX_PAINTED;
  new SixelReader({
    color: (params) => {
      color = setColor(registers, params);
    },
    paint: (bits, count, { x, y }) => {
      const end = Math.min(width, x + count);
      for (let bit = 0; bit < BAND_PX && y + bit < height && left > 0; bit += 1) {
        if ((bits & (1 << bit)) === 0 || end <= x) continue;
        pixels.fill(color, (y + bit) * width + x, (y + bit) * width + end);
        left -= end - x;
      }
    },
  }).read(data, 0, data.length);
  return { width, height, rgba: new Uint8ClampedArray(pixels.buffer) };
}

/** Chooses a register, and defines it if `params` do: 1 is hue, lightness and saturation, 2 is red, green and blue. */
function setColor(registers: Uint32Array, [number = 0, system, x = 0, y = 0, z = 0]: readonly number[]): number {
  const register = number % REGISTERS;
  if (system === 2) registers[register] = packed([percent(x), percent(y), percent(z)]);
  else if (system === 1) registers[register] = packed(rgbOfHls(x, y, z));
  return registers[register] as number;
}

function percent(value: number): number {
  return Math.round((Math.min(100, value) * 255) / 100);
}

/** Packs a colour in memory order; the lowest byte is red on every machine on which Chromium and Node run. */
function packed([red, green, blue]: readonly [number, number, number]): number {
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

/** DEC counts the hue from blue: 0 is blue, 120 red, 240 green. */
function rgbOfHls(hue: number, lightness: number, saturation: number): [number, number, number] {
  const light = Math.min(100, lightness) / 100;
  const chroma = (1 - Math.abs(2 * light - 1)) * (Math.min(100, saturation) / 100);
  const channel = (degrees: number): number => {
    const sector = (((hue + degrees) % 360) + 360) % 360;
    const rise = sector < 60 ? sector / 60 : sector < 180 ? 1 : sector < 240 ? (240 - sector) / 60 : 0;
    return Math.round((light - chroma / 2 + chroma * rise) * 255);
  };
  return [channel(0), channel(240), channel(120)];
}
