import { inflateSync } from 'node:zlib';

/** Pixels of a PNG. `readPng` supports only the variants that Hansard writes (8 bits, RGB or RGBA, not interlaced) and throws for others. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** `#rrggbb` */
  at(x: number, y: number): string;
}

const SIGNATURE = '89504e470d0a1a0a';

export function readPng(bytes: Uint8Array): Pixels {
  const png = Buffer.from(bytes);
  if (png.toString('hex', 0, 8) !== SIGNATURE) throw new Error('no PNG');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const [depth, color, , , interlace] = png.subarray(24, 29);
  const channels = color === 6 ? 4 : color === 2 ? 3 : 0;
  if (depth !== 8 || channels === 0 || interlace !== 0) throw new Error(`depth ${depth}, colour ${color}`);
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const pixels = unfilter(inflateSync(Buffer.concat(parts)), { rowBytes: width * channels, height, channels });
  return {
    width,
    height,
    at: (x, y) => `#${pixels.toString('hex', (y * width + x) * channels, (y * width + x) * channels + 3)}`,
  };
}

/** PNG specification, §9: the first byte of each row is its filter type. */
function unfilter(
  data: Buffer,
  { rowBytes, height, channels }: { rowBytes: number; height: number; channels: number },
): Buffer {
  const out = Buffer.alloc(rowBytes * height);
  for (let row = 0; row < height; row += 1) {
    const filter = data[row * (rowBytes + 1)] ?? 0;
    for (let at = 0; at < rowBytes; at += 1) {
      const left = at < channels ? 0 : (out[row * rowBytes + at - channels] ?? 0);
      const up = row === 0 ? 0 : (out[(row - 1) * rowBytes + at] ?? 0);
      const corner = row === 0 || at < channels ? 0 : (out[(row - 1) * rowBytes + at - channels] ?? 0);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      out[row * rowBytes + at] = ((data[row * (rowBytes + 1) + 1 + at] ?? 0) + guess) & 255;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}
