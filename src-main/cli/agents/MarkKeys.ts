import { MARK_KINDS, type MarkKind } from './marks.ts';

/** Ctrl+], as terminals send it: alone, by the kitty keyboard protocol, by modifyOtherKeys. */
const MARK_KEY = /\x1d|\x1b\[93;5(?::1)?u|\x1b\[27;5;93~/;
/** A key, or a report that is not from a key. */
const KEY = /\x1b\[[\d;:<?]*[@-~]|\x1bO.|\x1b|[\s\S]/gu;
/** A key of the kitty protocol: its code point, its modifiers (1 = no modifier), its event (3 = released). */
const KITTY = /^\x1b\[(\d+)(?::[\d:]*)?(?:;(\d+)(?::(\d))?)?(?:;[\d:]*)?u$/;
const CTRL = 5;
const ESCAPE = '\x1b';
/** Far more than a person types in one row, because a paste may contain a whole answer. */
const MAX_TEXT_CHARS = 20_000;

export interface MarkMade {
  readonly kind: MarkKind;
  readonly text: string;
}

export interface KeysTaken {
  /** Bytes for the program. */
  readonly passed: Uint8Array;
  /** The mark key was pressed: the current moment gets marked. */
  readonly isBegun: boolean;
  readonly made: readonly MarkMade[];
}

type Step = { readonly type: 'off' } | { readonly type: 'menu' } | { readonly type: 'text'; readonly kind: MarkKind };

/**
 * Finds the mark key in the typed bytes, then the key of a kind, then its text up to Return; all other bytes go to the program unchanged. The mark
 * key pressed twice goes to the program once; Escape cancels. In the text, Ctrl+J, or Return in a paste, is a line break.
 */
export class MarkKeys {
  readonly #suggested: () => string;
  readonly #decoder = new TextDecoder();
  #step: Step = { type: 'off' };
  #text = '';
  #isPaste = false;

  /** `suggested`: the initial text of a mark for sent text. */
  constructor(suggested: () => string = () => '') {
    this.#suggested = suggested;
  }

  get isOn(): boolean {
    return this.#step.type !== 'off';
  }

  /** The row to show while a mark is made, otherwise null. */
  get row(): string | null {
    if (this.#step.type === 'off') return null;
    if (this.#step.type === 'text') return `Mark: ${this.#step.kind.asks} ${this.#text.replaceAll('\n', '⏎')}▏`;
    return `${MARK_KINDS.map(({ key, label }) => `${key} ${label}`).join('  ')}  Esc`;
  }

  feed(bytes: Uint8Array): KeysTaken {
    if (this.isOn) return this.#mark(this.#decoder.decode(bytes, { stream: true }));
    const text = Buffer.from(bytes).toString('latin1');
    const found = MARK_KEY.exec(text);
    if (!found) return { passed: bytes, isBegun: false, made: [] };
    this.#step = { type: 'menu' };
    const rest = Buffer.from(text.slice(found.index + found[0].length), 'latin1');
    const taken = this.#mark(this.#decoder.decode(rest, { stream: true }));
    return { ...taken, passed: Buffer.concat([bytes.subarray(0, found.index), taken.passed]), isBegun: true };
  }

  /** Handles keys while a mark is made; keys after its end are handled as usual. */
  #mark(keys: string): KeysTaken {
    const made: MarkMade[] = [];
    for (const { 0: sequence, index } of keys.matchAll(KEY)) {
      const rest = keys.slice(index + sequence.length);
      const isTwice = this.#step.type === 'menu' && MARK_KEY.test(sequence);
      if (isTwice) this.#step = { type: 'off' };
      else made.push(...this.#key(keyOf(sequence)));
      if (this.isOn) continue;
      const taken = this.feed(Buffer.from(rest));
      const passed = Buffer.concat([Buffer.from(isTwice ? sequence : ''), taken.passed]);
      return { ...taken, passed, made: [...made, ...taken.made] };
    }
    return { passed: new Uint8Array(0), isBegun: false, made };
  }

  #key(key: string): MarkMade[] {
    if (key === '\x1b[200~' || key === '\x1b[201~') this.#isPaste = key === '\x1b[200~';
    else if (key === ESCAPE && !this.#isPaste) this.#step = { type: 'off' };
    else if (this.#step.type === 'menu') this.#choose(key.toLowerCase());
    else if (this.#step.type === 'text') return this.#edit(key, this.#step.kind);
    return [];
  }

  #choose(key: string): void {
    const kind = MARK_KINDS.find((one) => one.key === key);
    if (!kind) return;
    this.#step = { type: 'text', kind };
    this.#text = kind.says === 'user' ? this.#suggested() : '';
  }

  #edit(key: string, kind: MarkKind): MarkMade[] {
    if (key === '\r' && !this.#isPaste) {
      this.#step = { type: 'off' };
      return [{ kind, text: this.#text.trim() }];
    }
    if (key === '\x7f' || key === '\b') this.#text = [...this.#text].slice(0, -1).join('');
    else if (key === '\x15') this.#text = '';
    else if (key === '\r' || key === '\n') this.#put('\n');
    else if (!/^[\x00-\x1f]/.test(key)) this.#put(key);
    return [];
  }

  #put(text: string): void {
    if (this.#text.length < MAX_TEXT_CHARS) this.#text += text;
  }
}

/** The character of a kitty protocol key; other sequences are returned unchanged. */
function keyOf(sequence: string): string {
  const [, code, modifiers = '1', event] = KITTY.exec(sequence) ?? [];
  if (code === undefined) return sequence;
  if (event === '3') return ''; // released
  const char = String.fromCodePoint(Math.min(Number(code), 0x10ffff));
  return Number(modifiers) === CTRL ? String.fromCharCode(char.charCodeAt(0) & 0x1f) : char;
}
