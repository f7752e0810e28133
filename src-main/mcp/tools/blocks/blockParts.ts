import type { Block } from '../../../contract/block.ts';
import type { OutputSize, OutputView } from '../../../search/lines/outputLines.ts';
import type { OutsideTerminal } from '../../read/McpRecord.ts';
import { redactedOutputLines, type ToldBatch } from '../../read/redactedOutputLines.ts';

/** One output in one view. */
export interface Source {
  readonly terminal: OutsideTerminal;
  readonly block: Block;
  readonly view: OutputView;
  readonly size: OutputSize;
}

/** A range [from, to) of lines. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
}

/** The start of the next page. */
export interface Place {
  readonly line: number;
  /** Offset in the redacted line in UTF-16 units; for raw bytes, in bytes. */
  readonly col: number;
}

/** Consecutive redacted lines. */
export interface Part {
  readonly from: number;
  /** If above 0, the start of the first line is missing. */
  readonly fromCol: number;
  readonly lines: readonly string[];
  /** The column at which the last line was cut; null if it is complete. */
  readonly toCol: number | null;
  /** Bytes in the record. */
  readonly bytes: number;
  readonly redactions: number;
}

export interface Parts {
  readonly parts: readonly Part[];
  /** The start of the rest of the requested lines; null if nothing is left. */
  readonly resume: Place | null;
  readonly matches?: number;
  /** For a search: requested lines that were not searched. */
  readonly notSearched?: readonly { readonly from_line: number; readonly to_line: number }[];
  /** Number of secrets in all searched lines, returned or not: a count per match would let a client guess a secret. */
  readonly redactions?: number;
}

/** A shorter piece of a line is useless. */
const MIN_CUT_CHARS = 100;

export function linesOf({ terminal, block, view }: Source, { from, to }: LineSpan): AsyncGenerator<ToldBatch> {
  return redactedOutputLines(terminal, block, { view, first: from, to });
}

/** Characters that a line takes in the answer: a line of raw bytes already includes its line feed. */
export function roomOf(line: string, view: OutputView): number {
  return line.length + (view === 'raw_b64' ? 0 : 1);
}

/** The start of a line that fits; '' if it would be useless. Never splits a character. */
export function cutLine(line: string, room: number, isFirst: boolean): string {
  if (!isFirst && room < MIN_CUT_CHARS) return '';
  return line.slice(0, wholeAt(line, Math.max(1, room)));
}

/** `at`, or the next index if `at` would split a surrogate pair. */
export function wholeAt(line: string, at: number): number {
  const code = line.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
