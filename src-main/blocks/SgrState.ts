import type { SgrColor, StyledSpan } from '../contract/block.ts';

const BOLD = 1;
const DIM = 2;
const ITALIC = 4;
const UNDERLINE = 8;
const INVERSE = 16;
const STRIKE = 32;

/** Flags that SGR 1–9 set. Blink and conceal are ignored, so that all text is readable. */
const SETS: readonly number[] = [0, BOLD, DIM, ITALIC, UNDERLINE, 0, 0, INVERSE, 0, STRIKE];
/** Flags that SGR 21–29 clear (21 is a double underline, so it sets one). */
const CLEARS: readonly number[] = [0, 0, BOLD | DIM, ITALIC, UNDERLINE, 0, 0, INVERSE, 0, STRIKE];

const DEFAULT = -1;
/** Marks a colour as 24-bit; below it is an index of the palette. */
const RGB = 0x1000000;
/** The limit of xterm.js. */
const MAX_PARAMS = 32;

/** Attributes set by SGR sequences: two colours and a set of flags. Contains only numbers. */
export class SgrState {
  #fg = DEFAULT;
  #bg = DEFAULT;
  #flags = 0;
  /** Parameters of the sequence at hand; a sub-parameter is stored as -2 - value, an absent one as -1. */
  readonly #params = new Int32Array(MAX_PARAMS);

  get isDefault(): boolean {
    return this.#flags === 0 && this.#fg === DEFAULT && this.#bg === DEFAULT;
  }

  reset(): void {
    this.#fg = DEFAULT;
    this.#bg = DEFAULT;
    this.#flags = 0;
  }

  /** Applies the parameter bytes `from..to` of one SGR sequence, which must contain only digits, `;` and `:`. */
  take(bytes: Uint8Array, from: number, to: number): void {
    if (from === to) {
      this.reset();
      return;
    }
    const count = this.#parse(bytes, from, to);
    for (let i = 0; i < count; ) i = this.#apply(i, count);
  }

  /** The sequence that sets these attributes, regardless of earlier ones; '' for the default. */
  toSequence(): string {
    if (this.isDefault) return '';
    const parts = ['0'];
    for (let n = 1; n < SETS.length; n++) if (((SETS[n] as number) & this.#flags) !== 0) parts.push(String(n));
    if (this.#fg !== DEFAULT) parts.push(colorParams(38, this.#fg));
    if (this.#bg !== DEFAULT) parts.push(colorParams(48, this.#bg));
    return `\x1b[${parts.join(';')}m`;
  }

  /** The attributes as fields of a span. */
  toSpan(): Omit<StyledSpan, 'text'> {
    return {
      ...(this.#fg === DEFAULT ? {} : { fg: toColor(this.#fg) }),
      ...(this.#bg === DEFAULT ? {} : { bg: toColor(this.#bg) }),
      ...(this.#flags & BOLD ? { bold: true } : {}),
      ...(this.#flags & DIM ? { dim: true } : {}),
      ...(this.#flags & ITALIC ? { italic: true } : {}),
      ...(this.#flags & UNDERLINE ? { underline: true } : {}),
      ...(this.#flags & INVERSE ? { inverse: true } : {}),
      ...(this.#flags & STRIKE ? { strike: true } : {}),
    };
  }

  /** Equal keys mean equal attributes. */
  get key(): string {
    return `${this.#fg} ${this.#bg} ${this.#flags}`;
  }

  #parse(bytes: Uint8Array, from: number, to: number): number {
    let count = 0;
    let value = -1;
    let isSub = false;
    for (let i = from; i <= to; i++) {
      const byte = i < to ? (bytes[i] as number) : 0x3b;
      if (byte !== 0x3a && byte !== 0x3b) value = Math.min(Math.max(value, 0) * 10 + byte - 0x30, 0xffff);
      else {
        if (count === MAX_PARAMS) break;
        this.#params[count++] = isSub ? -2 - Math.max(value, 0) : Math.max(value, 0);
        isSub = byte === 0x3a;
        value = -1;
      }
    }
    return count;
  }

  /** Applies the parameter at `i` and its sub-parameters; returns the index of the next one. */
  #apply(i: number, count: number): number {
    const code = this.#params[i] as number;
    let next = i + 1;
    while (next < count && (this.#params[next] as number) < -1) next++;
    if (code === 38 || code === 48) return this.#extendedColor(i, next, count);
    if (code === 4 && next > i + 1) this.#setFlag(UNDERLINE, this.#params[i + 1] !== -2);
    else this.#simple(code);
    return next;
  }

  #simple(code: number): void {
    if (code === 0) this.reset();
    else if (code < 0) return;
    else if (code < 10) this.#flags |= SETS[code] as number;
    else if (code === 21) this.#flags |= UNDERLINE;
    else if (code >= 20 && code < 30) this.#flags &= ~(CLEARS[code - 20] as number);
    else if (code >= 30 && code < 38) this.#fg = code - 30;
    else if (code === 39) this.#fg = DEFAULT;
    else if (code >= 40 && code < 48) this.#bg = code - 40;
    else if (code === 49) this.#bg = DEFAULT;
    else if (code >= 90 && code < 98) this.#fg = code - 90 + 8;
    else if (code >= 100 && code < 108) this.#bg = code - 100 + 8;
  }

  #setFlag(flag: number, on: boolean): void {
    this.#flags = on ? this.#flags | flag : this.#flags & ~flag;
  }

  /** `38;5;n`, `38;2;r;g;b` and the forms with colons, of which `38:2` may have a colour space before its red. */
  #extendedColor(i: number, next: number, count: number): number {
    const hasSubs = next > i + 1;
    const at = (k: number) => (i + k < (hasSubs ? next : count) ? toValue(this.#params[i + k] as number) : -1);
    const kind = at(1);
    const end = hasSubs ? next : Math.min(count, i + (kind === 5 ? 3 : kind === 2 ? 5 : 2));
    const first = hasSubs && kind === 2 && next - i > 5 ? 3 : 2;
    let color = DEFAULT;
    if (kind === 5 && at(2) >= 0) color = at(2) & 0xff;
    else if (kind === 2 && at(first + 2) >= 0)
      color = RGB | ((at(first) & 0xff) << 16) | ((at(first + 1) & 0xff) << 8) | (at(first + 2) & 0xff);
    if (color === DEFAULT) return end;
    if (this.#params[i] === 38) this.#fg = color;
    else this.#bg = color;
    return end;
  }
}

function toValue(param: number): number {
  return param < -1 ? -2 - param : param;
}

function toColor(color: number): SgrColor {
  return color < RGB ? color : `#${(color & 0xffffff).toString(16).padStart(6, '0')}`;
}

function colorParams(base: 38 | 48, color: number): string {
  if (color < RGB) return `${base};5;${color}`;
  return `${base};2;${(color >> 16) & 0xff};${(color >> 8) & 0xff};${color & 0xff}`;
}
