import type { ControlToken } from '../../events/ControlTokens.ts';

/** Modes that are on in a terminal that was just started: wrap at the margin, repeat keys, show the cursor. */
const ON_AT_START: ReadonlySet<number> = new Set([7, 8, 25]);
/** Which screen is shown; leaving it by the newest of them also puts the cursor back. */
const ALT_MODES: ReadonlySet<number> = new Set([47, 1047, 1049]);
/** What decides about the bytes of keys, mouse and pastes. */
const INPUT_MODES: ReadonlySet<number> = new Set([1, 9, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004]);
/** Save the cursor, and set 132 columns: acts, not states. */
const NO_STATES: ReadonlySet<number> = new Set([3, 1048]);

const REGION_END = '\x1b[r';

const PRIVATE_MODE = /^\x1b\[\?([0-9;]+)([hl])$/;
const ANSI_MODE = /^\x1b\[([0-9;]+)([hl])$/;
/** Colours that a program has set, with the sequence that takes them back. */
const COLOR = /^\x1b\](4|10|11|12|17|19);/;

/**
 * What a program has left on in the terminal that it was shown on, told by the sequences that passed. Each thing is kept with the
 * sequence that ends it, so that exactly these are written when the terminal is given back.
 */
export class LocalModes {
  readonly #private = new Map<number, boolean>();
  /** By what it is about; the sequence that ends it. */
  readonly #others = new Map<string, string>();

  feed(tokens: readonly ControlToken[]): void {
    for (const token of tokens) this.#take(token);
  }

  /** Sequences that end what is on; '' when nothing is. Nothing is on afterwards. */
  takeReset(): string {
    const modes = [...this.#private].filter(([mode, isOn]) => isOn !== ON_AT_START.has(mode));
    const alt = modes.filter(([mode]) => ALT_MODES.has(mode)).map(([mode]) => `\x1b[?${mode}l`);
    const rest = modes
      .filter(([mode]) => !ALT_MODES.has(mode))
      .map(([mode, isOn]) => `\x1b[?${mode}${isOn ? 'l' : 'h'}`);
    // Some terminals have a scroll region for each of the two screens.
    const region = alt.length > 0 && this.#others.has('region') ? REGION_END : '';
    const text = [...this.#others.values(), ...rest, ...alt].join('') + region;
    this.#private.clear();
    this.#others.clear();
    return text;
  }

  #take({ kind, bytes }: ControlToken): void {
    if (kind === 'text') this.#takeText(bytes);
    else if (kind === 'csi') this.#takeCsi(textOf(bytes));
    else if (kind === 'esc') this.#takeEsc(textOf(bytes));
    else if (kind === 'osc') this.#takeOsc(textOf(bytes.subarray(0, 64)));
  }

  #takeText(bytes: Uint8Array): void {
    const [out, back] = [bytes.lastIndexOf(0x0e), bytes.lastIndexOf(0x0f)];
    if (out >= 0 || back >= 0) this.#put('shift', out > back, '\x0f');
  }

  #takeCsi(sequence: string): void {
    const [, numbers, final] = PRIVATE_MODE.exec(sequence) ?? [];
    if (numbers) for (const mode of numbers.split(';').map(Number)) this.#setPrivate(mode, final === 'h');
    const [, ansi = '', ansiFinal] = ANSI_MODE.exec(sequence) ?? [];
    for (const mode of ansi.split(';').filter((one) => one === '4' || one === '20'))
      this.#put(`mode ${mode}`, ansiFinal === 'h', `\x1b[${mode}l`);
    if (/^\x1b\[[0-9;:]*m$/.test(sequence)) this.#put('look', !/^\x1b\[0*(?:;0*)*m$/.test(sequence), '\x1b[m');
    else if (/^\x1b\[[0-9;]*r$/.test(sequence)) this.#put('region', /[1-9]/.test(sequence), REGION_END);
    else if (/^\x1b\[[0-9]* q$/.test(sequence)) this.#put('cursor', !/\[0* q$/.test(sequence), '\x1b[0 q');
    else if (sequence === '\x1b[!p') this.#softReset();
  }

  #setPrivate(mode: number, isOn: boolean): void {
    if (!NO_STATES.has(mode)) this.#private.set(mode, isOn);
  }

  #takeEsc(sequence: string): void {
    if (sequence === '\x1b=' || sequence === '\x1b>') this.#put('keypad', sequence === '\x1b=', '\x1b>');
    const [, level = '', set] = /^\x1b([()*+])(.)$/.exec(sequence) ?? [];
    if (set) this.#put(`set ${level}`, set !== 'B', `\x1b${level}B`);
    if (sequence === '\x1bn' || sequence === '\x1bo') this.#put('shift', true, '\x0f');
    if (sequence !== '\x1bc') return;
    this.#private.clear();
    this.#others.clear();
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
    if (isOn) this.#others.set(what, end);
    else this.#others.delete(what);
  }

  /** DECSTR: what it resets is off, and what it does not (mouse, pastes, the other screen) stays. */
  #softReset(): void {
    for (const what of ['look', 'region', 'mode 4', 'keypad', 'shift', 'set (', 'set )', 'set *', 'set +'])
      this.#others.delete(what);
    for (const mode of [1, 6, 25]) this.#private.delete(mode);
  }
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
