import type { BlockMarkEvent } from '../../contract/event.ts';
import { isJoinOf } from '../../shells/isJoinOf.ts';

type Begin = Extract<BlockMarkEvent, { type: 'begin' }>;

const PASTE_START = '\x1b[200~';
const PASTE_END = '\x1b[201~';
/** Limit of the entered lines that no command has taken, in UTF-16 units; beyond it all are dropped. */
const MAX_KEPT = 1024 * 1024;

interface Run {
  /** Index after its last line. */
  end: number;
  text: string;
}

/**
 * The lines that keys and pastes entered, for a shell whose history has a command's lines only joined to one. Keys whose effect
 * depends on the shell make a line unknown (null). The result is checked against the shell's history, so lines that a program
 * read, or that custom key bindings changed, name no command.
 */
export class EnteredLines {
  /** Lines that no command has taken yet. */
  #lines: (string | null)[] = [];
  #line: string | null = '';
  #kept = 0;
  #isPasting = false;
  /** Start of a sequence that a later call completes. */
  #rest = '';

  /** The last entered line: null if its text is unknown, undefined if there is none. */
  get newest(): string | null | undefined {
    return this.#lines.at(-1);
  }

  typed(keys: string | Uint8Array): void {
    let text = this.#rest + (typeof keys === 'string' ? keys : Buffer.from(keys).toString('utf8'));
    this.#rest = '';
    this.#kept += text.length;
    if (this.#kept > MAX_KEPT) this.#forget(null);
    while (text !== '') {
      const bracket = this.#isPasting ? PASTE_END : PASTE_START;
      const at = text.indexOf(bracket);
      const upTo = at < 0 ? text.length - overlap(text, bracket) : at;
      if (this.#isPasting) this.#append(text.slice(0, upTo).replaceAll('\r', '\n'));
      else for (const char of text.slice(0, upTo)) this.#key(char);
      if (at < 0) {
        this.#rest = text.slice(upTo);
        return;
      }
      this.#isPasting = !this.#isPasting;
      text = text.slice(upTo + bracket.length);
    }
  }

  /** Adds the text of the entered lines to a begin if the shell's history proves it. */
  named(begin: Begin): Begin {
    const { cmd, joined, lines: count = 1 } = begin;
    if (cmd !== null) this.#drop(this.#runs(cmd.split('\n').length, (lines) => lines.join('\n') === cmd)[0]);
    if (cmd !== null || joined === undefined || !begin.trusted) return begin;
    const typedLines = this.#lines.slice(-count);
    const found = this.#runs(count, (lines) => isJoinOf(joined, lines));
    this.#drop(found.at(-1));
    const texts = new Set(found.map(({ text }) => text));
    return texts.size === 1 ? { ...begin, cmd: found[0]?.text ?? null } : { ...begin, typedLines };
  }

  /** Every run of `count` known lines for which `isMeant` is true, in order. */
  #runs(count: number, isMeant: (lines: string[]) => boolean): Run[] {
    const runs: Run[] = [];
    for (let end = count; end <= this.#lines.length; end++) {
      const lines = this.#lines.slice(end - count, end).filter((line) => line !== null);
      if (lines.length === count && isMeant(lines)) runs.push({ end, text: lines.join('\n') });
    }
    return runs;
  }

  /** Drops the lines that a command took and all before them; without a run, all lines entered so far. */
  #drop(taken: Run | undefined): void {
    this.#lines = taken === undefined ? [] : this.#lines.slice(taken.end);
    this.#kept = this.#lines.reduce((sum, line) => sum + (line?.length ?? 0) + 1, this.#line?.length ?? 0);
  }

  #key(char: string): void {
    switch (char) {
      case '\r':
      case '\n':
        this.#lines.push(...(this.#line?.split('\n') ?? [null]));
        this.#line = '';
        return;
      case '\x03':
        this.#forget('');
        return;
      case '\x04':
        this.#forget(this.#line === '' ? '' : null);
        return;
      case '\x15':
        this.#line = '';
        return;
      case '\x7f':
      case '\b':
        // Backspace may remove several characters if marks combine.
        this.#line = this.#line === '' || /[ -~]$/.test(this.#line ?? '') ? (this.#line?.slice(0, -1) ?? null) : null;
        return;
      default:
        if (char < ' ') this.#line = null;
        else this.#append(char);
    }
  }

  #append(text: string): void {
    if (this.#line !== null) this.#line += text;
  }

  #forget(line: string | null): void {
    this.#lines = [];
    this.#line = line;
    this.#kept = 0;
  }
}

/** Length of the end of `text` that may be the start of `sequence`. */
function overlap(text: string, sequence: string): number {
  for (let length = Math.min(text.length, sequence.length - 1); length > 0; length--)
    if (text.endsWith(sequence.slice(0, length))) return length;
  return 0;
}
