import type { ControlToken, TokenKind } from '../../events/ControlTokens.ts';

/** Modes that are on in a terminal that was just started: wrap at the margin, repeat keys, show the cursor. */
const ON_AT_START: ReadonlySet<number> = new Set([7, 8, 25]);
/** Which screen is shown; leaving it by the newest of them also puts the cursor back. */
const ALT_MODES: ReadonlySet<number> = new Set([47, 1047, 1049]);
/** What decides about the bytes of keys, mouse and pastes. */
const INPUT_MODES: ReadonlySet<number> = new Set([1, 9, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004]);
/** Save the cursor, and set 132 columns: acts, not states. */
const NO_STATES: ReadonlySet<number> = new Set([3, 1048]);

/** What a terminal saves with its cursor (DECSC) and brings back with it: the look of text, character sets, origin and wrap. */
const SAVED_OTHERS: readonly string[] = ['look', 'shift', 'set (', 'set )', 'set *', 'set +'];
const SAVED_MODES: readonly number[] = [6, 7];
const SAVES: ReadonlySet<string> = new Set(['\x1b7', '\x1b[s']);
const RESTORES: ReadonlySet<string> = new Set(['\x1b8', '\x1b[u']);
/** With the cursor these save (h) and restore (l) all of that. */
const SAVING_MODES: ReadonlySet<number> = new Set([1048, 1049]);

const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;
const DIGIT_0 = 0x30;
const SEMICOLON = 0x3b;
const LOOK = 0x6d;
/** Finals of all other CSI sequences that leave something on, or take it back: modes, region, shape of the cursor, saving. */
const OTHER_FINALS: ReadonlySet<number> = new Set(Buffer.from('hlrqpsu'));

const REGION_END = '\x1b[r';

const PRIVATE_MODE = /^\x1b\[\?([0-9;]+)([hl])$/;
const ANSI_MODE = /^\x1b\[([0-9;]+)([hl])$/;
/** Colours that a program has set, with the sequence that takes them back. */
const COLOR = /^\x1b\](4|10|11|12|17|19);/;

/**
 * What a program has left on in the terminal that it was shown on, told by the sequences that passed. Each thing is kept with the
 * sequence that ends it, so that exactly these are written when the terminal is given back.
 */
export class TerminalModeTracker {
  readonly #private = new Map<number, boolean>();
  /** By what it is about; the sequence that ends it. */
  readonly #others = new Map<string, string>();
  /**
   * What was on at any time that the cursor was saved. Terminals differ in how many places they have for it: what a restore may bring back
   * is ended, and ending what is not on does nothing.
   */
  readonly #saved = { modes: new Map<number, boolean>(), others: new Map<string, string>() };

  feed(tokens: readonly ControlToken[]): void {
    for (const { kind, bytes } of tokens) this.take(kind, bytes, 0, bytes.length);
  }

  /** One token, as `ControlTokens.scan` has it. Colours are judged by their bytes: output may be nearly all of them. */
  take(kind: TokenKind, bytes: Uint8Array, from: number, end: number): void {
    if (kind === 'text') this.#takeText(bytes, from, end);
    else if (kind === 'csi') this.#takeCsi(bytes, from, end);
    else if (kind === 'esc') this.#takeEsc(textOf(bytes.subarray(from, end)));
    else if (kind === 'osc') this.#takeOsc(textOf(bytes.subarray(from, Math.min(end, from + 64))));
  }

  /** Sequences that end what is on; '' when nothing is. Nothing is on afterwards. */
  takeReset(): string {
    const modes = [...this.#private].filter(([mode, isOn]) => isOn !== ON_AT_START.has(mode));
    const alt = modes.filter(([mode]) => ALT_MODES.has(mode)).map(([mode]) => `\x1b[?${mode}l`);
    const rest = modes.filter(([mode]) => !ALT_MODES.has(mode)).map(endOfMode);
    // Some terminals have a scroll region for each of the two screens.
    const region = alt.length > 0 && this.#others.has('region') ? REGION_END : '';
    // Leaving the other screen brings back what was saved when it was entered.
    const again = alt.length > 0 ? [...this.#saved.others.values(), ...[...this.#saved.modes].map(endOfMode)] : [];
    const text = [...this.#others.values(), ...rest, ...alt, region, ...again].join('');
    this.#forget();
    return text;
  }

  #takeText(bytes: Uint8Array, from: number, end: number): void {
    for (let i = end - 1; i >= from; i--) {
      const byte = bytes[i];
      if (byte === SHIFT_OUT || byte === SHIFT_IN) return this.#put('shift', byte === SHIFT_OUT, '\x0f');
    }
  }

  #takeCsi(bytes: Uint8Array, from: number, end: number): void {
    const final = bytes[end - 1] as number;
    if (final === LOOK) this.#takeLook(bytes, from + 2, end - 1);
    else if (OTHER_FINALS.has(final)) this.#takeRareCsi(textOf(bytes.subarray(from, end)));
  }

  /** SGR with its parameters from `from` to before `end`: `0` and nothing take every look back. Others that end in `m` are no SGR. */
  #takeLook(bytes: Uint8Array, from: number, end: number): void {
    let isOn = false;
    for (let i = from; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte < DIGIT_0 || byte > SEMICOLON) return;
      if (byte !== DIGIT_0 && byte !== SEMICOLON) isOn = true;
    }
    this.#put('look', isOn, '\x1b[m');
  }

  #takeRareCsi(sequence: string): void {
    const [, numbers, final] = PRIVATE_MODE.exec(sequence) ?? [];
    if (numbers) for (const mode of numbers.split(';').map(Number)) this.#setPrivate(mode, final === 'h');
    const [, ansi = '', ansiFinal] = ANSI_MODE.exec(sequence) ?? [];
    for (const mode of ansi.split(';').filter((one) => one === '4' || one === '20'))
      this.#put(`mode ${mode}`, ansiFinal === 'h', `\x1b[${mode}l`);
    if (/^\x1b\[[0-9;]*r$/.test(sequence)) this.#setRegion(/[1-9]/.test(sequence));
    else if (/^\x1b\[[0-9]* q$/.test(sequence)) this.#put('cursor', !/\[0* q$/.test(sequence), '\x1b[0 q');
    else if (sequence === '\x1b[!p') this.#softReset();
    else if (SAVES.has(sequence)) this.#save();
    else if (RESTORES.has(sequence)) this.#restore();
  }

  #setPrivate(mode: number, isOn: boolean): void {
    if (isOn && SAVING_MODES.has(mode)) this.#save();
    if (!NO_STATES.has(mode)) this.#private.set(mode, isOn);
    if (!isOn && SAVING_MODES.has(mode)) this.#restore();
  }

  #save(): void {
    for (const mode of SAVED_MODES) {
      const isOn = this.#private.get(mode);
      if (isOn !== undefined && isOn !== ON_AT_START.has(mode)) this.#saved.modes.set(mode, isOn);
    }
    for (const what of SAVED_OTHERS) {
      const end = this.#others.get(what);
      if (end !== undefined) this.#saved.others.set(what, end);
    }
  }

  #restore(): void {
    for (const [mode, isOn] of this.#saved.modes) this.#private.set(mode, isOn);
    for (const [what, end] of this.#saved.others) this.#others.set(what, end);
  }

  #forget(): void {
    for (const kept of [this.#private, this.#others, this.#saved.modes, this.#saved.others]) kept.clear();
  }

  #takeEsc(sequence: string): void {
    if (sequence === '\x1b=' || sequence === '\x1b>') this.#put('keypad', sequence === '\x1b=', '\x1b>');
    const [, level = '', set] = /^\x1b([()*+])(.)$/.exec(sequence) ?? [];
    if (set) this.#put(`set ${level}`, set !== 'B', `\x1b${level}B`);
    if (sequence === '\x1bn' || sequence === '\x1bo') this.#put('shift', true, '\x0f');
    if (SAVES.has(sequence)) this.#save();
    if (RESTORES.has(sequence)) this.#restore();
    if (sequence === '\x1bc') this.#fullReset();
  }

  #takeOsc(sequence: string): void {
    const [, ident] = COLOR.exec(sequence) ?? [];
    if (ident) this.#put(`colour ${ident}`, true, `\x1b]${100 + Number(ident)}\x1b\\`);
    const [, back] = /^\x1b\](104|11[0-9])(?:;|\x07|\x1b)/.exec(sequence) ?? [];
    if (back) this.#others.delete(`colour ${Number(back) - 100}`);
    if (sequence.startsWith('\x1b]8;'))
      this.#put('link', !/^\x1b\]8;[^;]*;(?:\x07|\x1b)/.test(sequence), '\x1b]8;;\x1b\\');
    if (sequence.startsWith('\x1b]9;4;')) this.#put('progress', !/^\x1b\]9;4;0/.test(sequence), '\x1b]9;4;0\x1b\\');
  }

  #put(what: string, isOn: boolean, end: string): void {
    if (isOn === this.#others.has(what)) return; // what ends a thing never changes
    if (isOn) this.#others.set(what, end);
    else this.#others.delete(what);
  }

  /** Ended on the other screen, it may still be on where some terminals have one for each. */
  #setRegion(isOn: boolean): void {
    const isOther = [...ALT_MODES].some((mode) => this.#private.get(mode));
    if (isOn || !isOther) this.#put('region', isOn, REGION_END);
  }

  /** RIS: nothing is on, but for a hidden cursor, which xterm.js does not show again. */
  #fullReset(): void {
    const isHidden = this.#private.get(25) === false;
    this.#forget();
    if (isHidden) this.#private.set(25, false);
  }

  /** DECSTR: what it resets is off, and what it does not (mouse, pastes, the other screen) stays. */
  #softReset(): void {
    for (const what of ['look', 'mode 4', 'keypad', 'shift', 'set (', 'set )', 'set *', 'set +'])
      this.#others.delete(what);
    this.#setRegion(false);
    for (const mode of [1, 6, 25]) this.#private.delete(mode);
  }
}

function endOfMode([mode, isOn]: readonly [number, boolean]): string {
  return `\x1b[?${mode}${isOn ? 'l' : 'h'}`;
}

/** Whether the token changes what keys, mouse and pastes send, and nothing that is seen. */
export function isInputMode({ kind, bytes }: ControlToken): boolean {
  if (kind === 'esc') return bytes.length === 2 && (bytes[1] === 0x3d || bytes[1] === 0x3e);
  if (kind !== 'csi' || bytes.length > 64) return false;
  const [, numbers] = PRIVATE_MODE.exec(textOf(bytes)) ?? [];
  return numbers?.split(';').every((one) => INPUT_MODES.has(Number(one))) ?? false;
}

/** C1 introducers are written as ESC and a letter. */
function textOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return text.replace(
    /^\xc2([\x80-\x9f])/,
    (_, control: string) => `\x1b${String.fromCharCode(control.charCodeAt(0) - 0x40)}`,
  );
}
