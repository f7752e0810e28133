import type { Frame, FrameRow } from '../../contract/screen/frame.ts';

/** FNV-1a with 64 bits, in two halves of 32: BigInt is thirty times slower. Prime 2^40 + 0x1b3. */
const OFFSET_HIGH = 0xcbf29ce4;
const OFFSET_LOW = 0x84222325;
const PRIME_LOW = 0x1b3;

export class Fnv64 {
  high = OFFSET_HIGH;
  low = OFFSET_LOW;

  byte(value: number): void {
    const low = (this.low ^ value) >>> 0;
    const product = low * PRIME_LOW; // below 2^41
    this.high = (this.high * PRIME_LOW + Math.floor(product / 0x1_0000_0000) + ((low << 8) >>> 0)) >>> 0;
    this.low = product >>> 0;
  }

  number(value: number): void {
    for (let shift = 0; shift < 32; shift += 8) this.byte((value >>> shift) & 0xff);
  }

  /** Hashes UTF-16 units, low byte first. */
  text(value: string): void {
    for (let at = 0; at < value.length; at++) {
      const unit = value.charCodeAt(at);
      this.byte(unit & 0xff);
      this.byte(unit >>> 8);
    }
  }

  get hex(): string {
    return [this.high, this.low].map((half) => half.toString(16).padStart(8, '0')).join('');
  }
}

/** Frames share rows, so most are hashed once. */
const known = new WeakMap<FrameRow, Fnv64>();

function rowHash(row: FrameRow): Fnv64 {
  const before = known.get(row);
  if (before) return before;
  const hash = new Fnv64();
  hash.text(`${row.wrapped ? 'w' : ' '}${JSON.stringify(row.spans)}`);
  known.set(row, hash);
  return hash;
}

/**
 * Equal for frames that look alike: text, attributes, size, row of the cursor, title and buffer. 16 hex digits of FNV-1a 64 over the
 * hashes of the rows and the rest.
 */
export function frameHash({ rows, cursor, title, altScreen, cols, rowsCount }: Frame): string {
  const hash = new Fnv64();
  for (const row of rows) {
    const { high, low } = rowHash(row);
    hash.number(high);
    hash.number(low);
  }
  for (const value of [cursor.row, cols, rowsCount, altScreen ? 1 : 0]) hash.number(value);
  hash.text(title);
  return hash.hex;
}
