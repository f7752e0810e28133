import { charWidth } from './charWidth.ts';

const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const LEFT_BRACKET = 0x5b;
/** ESC = and ESC >, the keypad's modes, which zsh sets after its prompt. */
const KEYPAD_MODES = new Set([0x3d, 0x3e]);
/** SGR, mode sets and resets, EL, ED: printed by shells after the prompt, and by programs in a line of text. */
const LINE_FINALS = new Set([...'mhlKJ'].map((final) => final.charCodeAt(0)));

const COLOURS = /\x1b\[[0-9;:]*m/g;
const RIGHT_PROMPT = /^\x1b\[(\d+)C((?:[^\x00-\x1f\x7f]|\x1b\[[0-9;:]*m)*)\x1b\[(\d+)D/;
const RIGHT_PROMPT_TO_BE = /^\x1b\[\d+C(?:[^\x00-\x1f\x7f]|\x1b\[[0-9;:]*m)*(?:\x1b(?:\[[0-9;:]*)?)?$/;

/** A longer unfinished line of a job is not judged. */
const MAX_JUDGED_BYTES = 4096;

/** A command that may leave something running: a single `&`, quoted or not, or `bg`. */
const LEAVES_JOB = /(?:^|[^&>|<\\])&(?![&>])|(?:^|[;&|\n]\s*)bg\b/;

export function leavesJob(cmd: string | null): boolean {
  return cmd !== null && LEAVES_JOB.test(cmd);
}

/**
 * A number: offset in the output after the prompt of a line that only a program can have printed. `echo`: the output contains sequences of
 * a line editor (cursor moves, a lone CR, a bell), so the two are indistinguishable. `open`: no whole line yet.
 */
export type IdleVerdict = number | 'echo' | 'open';

/**
 * Judges output at the prompt before any key. Marks alone cannot distinguish a job's output from a line editor that
 * repaints, so only a whole line of printable text and colours counts, and the first sign of an editor ends the judging.
 */
export function judgeIdle(bytes: Uint8Array): IdleVerdict {
  let hasText = false;
  let from = 0;
  for (let i = 0; i < bytes.length && i < MAX_JUDGED_BYTES; i++) {
    const byte = bytes[i] as number;
    if (byte === LF) {
      if (hasText) return from;
    } else if (byte === ESC) {
      const behindPrompt = hasText ? 0 : endOfRightPrompt(bytes, i);
      const end = behindPrompt === 0 ? endOfLineSequence(bytes, i) : behindPrompt;
      if (end === null) return 'open';
      from = behindPrompt || from;
      if (end === 0) return 'echo';
      i = end - 1;
    } else if (byte === CR) {
      if (i + 1 === bytes.length) return 'open';
      if (bytes[i + 1] !== LF && bytes[i + 1] !== CR) return 'echo';
    } else if ((byte < 0x20 && byte !== 0x09) || byte === 0x7f) return 'echo';
    else hasText = true;
  }
  return bytes.length >= MAX_JUDGED_BYTES ? 'echo' : 'open';
}

/**
 * Index after a right-hand prompt that starts at `i`: the cursor goes right, text is printed, and the cursor returns.
 * 0 if there is none, null if it is incomplete.
 */
function endOfRightPrompt(bytes: Uint8Array, i: number): number | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + i, Math.min(bytes.length - i, MAX_JUDGED_BYTES)).toString();
  const [drawn, right, shown = '', left] = RIGHT_PROMPT.exec(text) ?? [];
  if (drawn === undefined) return RIGHT_PROMPT_TO_BE.test(text) ? null : 0;
  const width = [...shown.replace(COLOURS, '')].reduce((sum, char) => sum + charWidth(char.codePointAt(0) ?? 0), 0);
  return Number(right) + width === Number(left) ? i + Buffer.byteLength(drawn) : 0;
}

/** Index after the sequence at `i`; 0 if it moves the cursor or is not a CSI, null if it is incomplete. */
function endOfLineSequence(bytes: Uint8Array, i: number): number | null {
  for (let j = i + 1; j < bytes.length; j++) {
    const byte = bytes[j] as number;
    if (j === i + 1) {
      if (KEYPAD_MODES.has(byte)) return j + 1;
      if (byte !== LEFT_BRACKET) return 0;
    } else if (byte >= 0x40) return LINE_FINALS.has(byte) ? j + 1 : 0;
    else if (byte < 0x30) return 0;
  }
  return null;
}

export function isTooLong(bytes: Uint8Array): boolean {
  return bytes.length > MAX_JUDGED_BYTES;
}

/** The texts of the lines, without the escape sequences that `judgeIdle` accepts. */
export function linesOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_JUDGED_BYTES)).toString('utf8');
  return text.replace(/\x1b(?:\[[\x20-\x3f]*[\x40-\x7e]|[=>])/g, '').split(/\r*\n/);
}

export function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
