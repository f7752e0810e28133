import type { ControlToken, TokenKind } from '../../events/ControlTokens.ts';

/** Modes that are on in a new terminal: wrap at the margin, repeat keys, show the cursor. */
const ON_AT_START: ReadonlySet<number> = new Set([7, 8, 25]);
/** Modes of the alternate screen; leaving it by the newest also restores the cursor. */
const ALT_MODES: ReadonlySet<number> = new Set([47, 1047, 1049]);
/** Modes that change the bytes of keys, mouse and pastes. */
const INPUT_MODES: ReadonlySet<number> = new Set([1, 9, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004]);
/** Save the cursor, and set 132 columns: actions instead of states. */
const NO_STATES: ReadonlySet<number> = new Set([3, 1048]);

/** State that a terminal saves with its cursor (DECSC) and restores with it: text attributes, character sets, origin and wrap. */
const SAVED_OTHERS: readonly string[] = ['shift', 'set (', 'set )', 'set *', 'set +'];
const SAVED_MODES: readonly number[] = [6, 7];
const SAVES: ReadonlySet<string> = new Set(['\x1b7', '\x1b[s']);
const RESTORES: ReadonlySet<string> = new Set(['\x1b8', '\x1b[u']);
/** These save (h) and restore (l) all of that together with the cursor. */
const SAVING_MODES: ReadonlySet<number> = new Set([1048, 1049]);

const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;
const DIGIT_0 = 0x30;
const SEMICOLON = 0x3b;
const LOOK = 0x6d;
/** Final bytes of other CSI sequences that change or reset a lasting state: modes, region, cursor shape, saving. */
const OTHER_FINALS: ReadonlySet<number> = new Set(Buffer.from('hlrqpsu'));

const REGION_END = '\x1b[r';
const LOOK_END = '\x1b[m';

const PRIVATE_MODE = /^\x1b\[\?([0-9;]+)([hl])$/;
const ANSI_MODE = /^\x1b\[([0-9;]+)([hl])$/;
/** Sequences that set colours; each has a sequence that resets it. */
const COLOR = /^\x1b\](4|10|11|12|17|19);/;

/**
 * Tracks the modes that a program has left on in the terminal, from its output. Each mode is kept with the sequence that resets it, so that exactly
 * these are written when the terminal is released.
 */
export class TerminalModeTracker {
  readonly #private = new Map<number, boolean>();
  /** Sequence that resets a mode, by its subject. */
  readonly #others = new Map<string, string>();
  /** Whether text attributes are on. Not one of `#others`: coloured output sets and resets it with every word, which is slow in a map. */
  #hasLook = false;
  /**
   * All modes that were on at a save of the cursor. Terminals differ in how many saved states they keep, so every mode that a restore may bring back
   * is reset; resetting a mode that is off has no effect.
   */
  readonly #saved = { modes: new Map<number, boolean>(), others: new Map<string, string>(), hasLook: false };

  feed(tokens: readonly ControlToken[]): void {
    for (const { kind, bytes } of tokens) this.take(kind, bytes, 0, bytes.length);
  }

  /** Takes one token of `ControlTokens.scan`. Colours are parsed from bytes, because output may consist mostly of them. */
  take(kind: TokenKind, bytes: Uint8Array, from: number, end: number): void {
    if (kind === 'text') this.#takeText(bytes, from, end);
    else if (kind === 'csi') this.#takeCsi(bytes, from, end);
    else if (kind === 'esc') this.#takeEsc(textOf(bytes.subarray(from, end)));
    else if (kind === 'osc') this.#takeOsc(textOf(bytes.subarray(from, Math.min(end, from + 64))));
  }

  /** Returns the sequences that reset all modes that are on, or ''; all modes are off afterwards. */
  takeReset(): string {
    const modes = [...this.#private].filter(([mode, isOn]) => isOn !== ON_AT_START.has(mode));
    const alt = modes.filter(([mode]) => ALT_MODES.has(mode)).map(([mode]) => `\x1b[?${mode}l`);
    const rest = modes.filter(([mode]) => !ALT_MODES.has(mode)).map(endOfMode);
    // Some terminals have a scroll region per screen.
    const region = alt.length > 0 && this.#others.has('region') ? REGION_END : '';
    // Leaving the alternate screen restores the state saved when it was entered.
    const { hasLook, others, modes: saved } = this.#saved;
    const again = alt.length > 0 ? [hasLook ? LOOK_END : '', ...others.values(), ...[...saved].map(endOfMode)] : [];
    const look = this.#hasLook ? LOOK_END : '';
    const text = [look, ...this.#others.values(), ...rest, ...alt, region, ...again].join('');
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

  /** SGR with its parameters from `from` to before `end`: `0` or no parameter resets all attributes. Other sequences that end in `m` are not SGR. */
  #takeLook(bytes: Uint8Array, from: number, end: number): void {
    let isOn = false;
    for (let i = from; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte < DIGIT_0 || byte > SEMICOLON) return;
      if (byte !== DIGIT_0 && byte !== SEMICOLON) isOn = true;
    }
    this.#hasLook = isOn;
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
    this.#saved.hasLook ||= this.#hasLook;
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
    this.#hasLook ||= this.#saved.hasLook;
    for (const [mode, isOn] of this.#saved.modes) this.#private.set(mode, isOn);
    for (const [what, end] of this.#saved.others) this.#others.set(what, end);
  }

  #forget(): void {
    for (const kept of [this.#private, this.#others, this.#saved.modes, this.#saved.others]) kept.clear();
    this.#hasLook = false;
    this.#saved.hasLook = false;
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
    if (isOn === this.#others.has(what)) return; // the reset sequence of a mode never changes
    if (isOn) this.#others.set(what, end);
    else this.#others.delete(what);
  }

  /** A region reset on the other screen may still be on in terminals with one per screen. */
  #setRegion(isOn: boolean): void {
    const isOther = [...ALT_MODES].some((mode) => this.#private.get(mode));
    if (isOn || !isOther) this.#put('region', isOn, REGION_END);
  }

  /** RIS: resets all modes, except for a hidden cursor, which xterm.js does not show again. */
  #fullReset(): void {
    const isHidden = this.#private.get(25) === false;
    this.#forget();
    if (isHidden) this.#private.set(25, false);
  }

  /** DECSTR: resets some modes; others (mouse, pastes, the alternate screen) stay on. */
  #softReset(): void {
    this.#hasLook = false;
    for (const what of ['mode 4', 'keypad', 'shift', 'set (', 'set )', 'set *', 'set +']) this.#others.delete(what);
    this.#setRegion(false);
    for (const mode of [1, 6, 25]) this.#private.delete(mode);
  }
}

function endOfMode([mode, isOn]: readonly [number, boolean]): string {
  return `\x1b[?${mode}${isOn ? 'l' : 'h'}`;
}

/** Whether the token changes only the bytes of keys, mouse and pastes, not the screen. */
export function isInputMode({ kind, bytes }: ControlToken): boolean {
  if (kind === 'esc') return bytes.length === 2 && (bytes[1] === 0x3d || bytes[1] === 0x3e);
  if (kind !== 'csi' || bytes.length > 64) return false;
  const [, numbers] = PRIVATE_MODE.exec(textOf(bytes)) ?? [];
  return numbers?.split(';').every((one) => INPUT_MODES.has(Number(one))) ?? false;
}

/** C1 introducers are converted to ESC and a letter. */
function textOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return text.replace(
    /^\xc2([\x80-\x9f])/,
    (_, control: string) => `\x1b${String.fromCharCode(control.charCodeAt(0) - 0x40)}`,
  );
}
