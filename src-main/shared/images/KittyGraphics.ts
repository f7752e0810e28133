import { type ByteRange, CELL_PX, type ImageRef, MAX_IMAGE_CELLS } from '../../contract/image.ts';
import { bytesOfBase64 } from './base64.ts';
import { fitSize, imageAsIs } from './fitImage.ts';
import { imageSize } from './imageSize.ts';

/** Base64 of a PNG's signature and size. */
const HEAD_CHARS = 32;
/** Most images to keep for later display; kitty has 320 MB for them. */
const MAX_IMAGES = 256;
/** Maximum length of an image's side: kitty's own limit. */
const MAX_SIDE_PX = 10_000;

/** The keys of one command, `a=T,f=100,…`: one letter each, a number or a letter as value. */
export type KittyKeys = ReadonlyMap<string, string>;

/** A sent image, identified by its bytes. */
interface Sent {
  range: ByteRange;
  width: number;
  height: number;
}

interface Transmission {
  keys: KittyKeys;
  from: number;
  head: string;
}

/** An image at the cursor, and its owner: the numbers by which a program moves or deletes it. */
export interface KittyPlacement {
  image: ImageRef;
  owner: KittyOwner;
  /** C=1: the cursor stays. */
  staysPut: boolean;
}

export interface KittyOwner {
  id: number;
  placement: number;
}

/** Images to remove: those of an owner, at cells, or all. */
export type KittyRemoval =
  | { by: 'all' }
  | { by: 'owner'; id: number; placement: number }
  | { by: 'cursor' }
  | { by: 'cell'; col: number; row: number };

export interface KittyResult {
  reply?: string;
  place?: KittyPlacement;
  remove?: KittyRemoval;
}

class Refused extends Error {}

/**
 * The part of kitty's graphics protocol that tools use: images sent in the sequences themselves (t=d; PNG, RGB, RGBA, with or without zlib, in
 * chunks), shown at once or later, queries and deletions. Refuses files and shared memory, because output must never make the terminal read a
 * file. Also refuses placeholders (U=1), animations and relative placements. Pure: returns what to answer, place and remove.
 */
export class KittyGraphics {
  readonly #sent = new Map<number, Sent>();
  readonly #numbered = new Map<number, number>();
  #open: Transmission | undefined;
  #nextId = 1;

  get open(): Transmission | undefined {
    return this.#open;
  }

  /** `control`: the text before the semicolon; `head`: the first characters after it; `range`: the sequence. */
  take(control: string, head: string, range: ByteRange): KittyResult {
    const own = readKeys(control);
    const open = this.#open;
    const isPart = open !== undefined && (own.has('m') || own.size === 0) && !own.has('a');
    const keys = isPart ? open.keys : own;
    try {
      if (isPart) return this.#part(open, own, head, range);
      this.#open = undefined;
      if (own.get('m') === '1' && isTransmission(own)) {
        this.#open = { keys: own, from: range.from, head: head.slice(0, HEAD_CHARS) };
        return {};
      }
      return this.#perform(own, head, range);
    } catch (error) {
      this.#open = undefined;
      if (!(error instanceof Refused)) throw error;
      return replyTo(keys, error.message);
    }
  }

  /** All state on which later commands depend, for another parser: see `restore`. */
  state(): string[] {
    const sent = [...this.#sent].map(([id, { range, width, height }]) => {
      const number = [...this.#numbered].find(([, numbered]) => numbered === id)?.[0] ?? 0;
      return `hk;${[id, number, range.from, range.to, width, height].join(',')}`;
    });
    const keys = (open: Transmission) => [...open.keys].map(([key, value]) => `${key}=${value}`).join(',');
    return this.#open ? [...sent, `ho;${this.#open.from},${this.#open.head};${keys(this.#open)}`] : sent;
  }

  restore(text: string): void {
    const [name, values = '', control = ''] = text.split(';');
    if (name === 'hk') {
      const [id = 0, number = 0, from = 0, to = 0, width = 0, height = 0] = values.split(',').map(Number);
      this.#keep(id, { range: { from, to }, width, height });
      if (number > 0) this.#numbered.set(number, id);
      this.#nextId = Math.max(this.#nextId, id + 1);
    } else if (name === 'ho') {
      const [from = '0', head = ''] = values.split(',');
      this.#open = { from: Number(from), head, keys: readKeys(control) };
    }
  }

  reset(): void {
    this.#sent.clear();
    this.#numbered.clear();
    this.#open = undefined;
  }

  #part(open: Transmission, own: KittyKeys, head: string, range: ByteRange): KittyResult {
    if (open.head.length < HEAD_CHARS) open.head = (open.head + head).slice(0, HEAD_CHARS);
    if (own.get('m') === '1') return {};
    this.#open = undefined;
    return this.#perform(open.keys, open.head, { from: open.from, to: range.to });
  }

  #perform(keys: KittyKeys, head: string, range: ByteRange): KittyResult {
    switch (keys.get('a') ?? 't') {
      case 't':
        return replyTo(this.#store(keys, head, range).keys, 'OK');
      case 'T': {
        const stored = this.#store(keys, head, range);
        return { ...this.#place(stored.keys, stored.id, stored.sent), ...replyTo(stored.keys, 'OK') };
      }
      case 'q':
        describe(keys, head);
        return replyTo(keys, 'OK');
      case 'p': {
        const id = this.#idOf(keys);
        const sent = this.#sent.get(id);
        if (!sent) throw new Refused('ENOENT:no image of that number');
        return { ...this.#place(keys, id, sent), ...replyTo(keys, 'OK') };
      }
      case 'd':
        return this.#remove(keys);
      default:
        throw new Refused('EINVAL:not supported by this terminal');
    }
  }

  #store(keys: KittyKeys, head: string, range: ByteRange): { keys: KittyKeys; id: number; sent: Sent } {
    const sent = { range, ...describe(keys, head) };
    const named = number(keys, 'i');
    if (named > 0 && number(keys, 'I') > 0) throw new Refused('EINVAL:both i and I');
    const id = named > 0 ? named : this.#nextId;
    this.#nextId = Math.max(this.#nextId, id + 1);
    this.#keep(id, sent);
    if (number(keys, 'I') === 0) return { keys, id, sent };
    this.#numbered.set(number(keys, 'I'), id);
    return { keys: new Map([...keys, ['i', String(id)]]), id, sent };
  }

  #keep(id: number, sent: Sent): void {
    this.#sent.delete(id);
    this.#sent.set(id, sent);
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > MAX_IMAGES && oldest !== undefined) this.#sent.delete(oldest);
    for (const [own, numbered] of this.#numbered) if (!this.#sent.has(numbered)) this.#numbered.delete(own);
  }

  #idOf(keys: KittyKeys): number {
    return number(keys, 'i') || (this.#numbered.get(number(keys, 'I')) ?? 0);
  }

  #place(keys: KittyKeys, id: number, sent: Sent): Pick<KittyResult, 'place' | 'remove'> {
    if (keys.get('U') === '1') return {}; // the program prints placeholders, which appear as ordinary characters
    if (number(keys, 'P') > 0) throw new Refused('EINVAL:relative placements are not supported');
    const owner = { id, placement: number(keys, 'p') };
    const place = { image: placed(keys, sent), owner, staysPut: keys.get('C') === '1' };
    return owner.placement > 0 ? { place, remove: { by: 'owner', ...owner } } : { place };
  }

  #remove(keys: KittyKeys): KittyResult {
    const what = keys.get('d') ?? 'a';
    const frees = what === what.toUpperCase();
    const id = this.#idOf(keys);
    switch (what.toLowerCase()) {
      case 'a':
        if (frees) this.reset();
        return { remove: { by: 'all' } };
      case 'i':
      case 'n':
        if (frees) this.#sent.delete(id);
        return id > 0 ? { remove: { by: 'owner', id, placement: number(keys, 'p') } } : {};
      case 'c':
        return { remove: { by: 'cursor' } };
      case 'p':
        return { remove: { by: 'cell', col: number(keys, 'x') - 1, row: number(keys, 'y') - 1 } };
      default:
        return {};
    }
  }
}

/** Skips keys that are not `letter=value`. */
export function readKeys(control: string): KittyKeys {
  const keys = new Map<string, string>();
  for (const pair of control.split(',')) {
    const [, key, value] = /^([A-Za-z])=([A-Za-z]|-?\d{1,10})$/.exec(pair.trim()) ?? [];
    if (key !== undefined && value !== undefined) keys.set(key, value);
  }
  return keys;
}

function isTransmission(keys: KittyKeys): boolean {
  return ['t', 'T', 'q'].includes(keys.get('a') ?? 't');
}

function number(keys: KittyKeys, key: string): number {
  const value = Number(keys.get(key) ?? 0);
  return Number.isFinite(value) && value > 0 ? Math.min(value, 0xffffffff) : 0;
}

/** The size of a sent image. Refuses unsupported ones. */
function describe(keys: KittyKeys, head: string): { width: number; height: number } {
  if ((keys.get('t') ?? 'd') !== 'd') throw new Refused('EINVAL:only direct transmission is supported');
  const format = keys.get('f') ?? '32';
  if (!['24', '32', '100'].includes(format)) throw new Refused('EINVAL:unknown format');
  if (keys.has('o') && keys.get('o') !== 'z') throw new Refused('EINVAL:unknown compression');
  const isDeflatedPng = format === '100' && keys.has('o');
  if (isDeflatedPng) throw new Refused('EINVAL:a PNG is compressed already');
  const told = { width: number(keys, 's'), height: number(keys, 'v') };
  const png = format === '100' ? imageSize(bytesOfBase64(head)) : undefined;
  const { width, height } = png ?? told;
  if (width === 0 || height === 0 || (format === '100' && png?.format !== 'png'))
    throw new Refused('EINVAL:no size, or no image');
  if (width > MAX_SIDE_PX || height > MAX_SIDE_PX) throw new Refused('EINVAL:too large');
  return { width, height };
}

/** Display of an image according to its placement's keys: the part x y w h of it, in c columns and r rows if given. */
function placed(keys: KittyKeys, { range, width, height }: Sent): ImageRef {
  const x = Math.min(number(keys, 'x'), width - 1);
  const y = Math.min(number(keys, 'y'), height - 1);
  const part = {
    x,
    y,
    width: Math.min(number(keys, 'w') || width, width - x),
    height: Math.min(number(keys, 'h') || height, height - y),
  };
  const isWhole = part.width === width && part.height === height;
  const cols = Math.min(number(keys, 'c'), MAX_IMAGE_CELLS);
  const rows = Math.min(number(keys, 'r'), MAX_IMAGE_CELLS);
  const wanted = {
    width: cols > 0 ? { cells: cols } : undefined,
    height: rows > 0 ? { cells: rows } : undefined,
    keepsShape: false,
  };
  const unbounded = { width: MAX_SIDE_PX, height: MAX_SIDE_PX };
  const shown = cols > 0 || rows > 0 ? fitSize(part, wanted, unbounded) : part;
  return {
    ...imageAsIs(range, { width, height }),
    shownWidth: Math.min(shown.width, MAX_IMAGE_CELLS * CELL_PX.width),
    shownHeight: Math.min(shown.height, MAX_IMAGE_CELLS * CELL_PX.height),
    stretched: cols > 0 && rows > 0,
    crop: isWhole ? null : part,
  };
}

/** No answer without an id that the program could recognize, or if the program wants none (q=1, q=2). */
function replyTo(keys: KittyKeys, message: string): { reply?: string } {
  const quiet = number(keys, 'q');
  if (quiet >= 2 || (quiet === 1 && message === 'OK')) return {};
  const [id, own, placement] = [number(keys, 'i'), number(keys, 'I'), number(keys, 'p')];
  if (id === 0 && own === 0) return {};
  const named = [`i=${id}`, own > 0 && `I=${own}`, placement > 0 && `p=${placement}`].filter(Boolean).join(',');
  return { reply: `\x1b_G${named};${message}\x1b\\` };
}
