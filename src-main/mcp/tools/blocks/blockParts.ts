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

/** [from, to) of lines. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
}

/** Where the next page begins. */
export interface Place {
  readonly line: number;
  /** UTF-16 units of the line as it is told; of raw bytes, bytes. */
  readonly col: number;
}

/** Consecutive lines as they are told. */
export interface Part {
  readonly from: number;
  /** Above 0: the start of the first line is left out. */
  readonly fromCol: number;
  readonly lines: readonly string[];
  /** The last line goes on at this column; null when it is told to its end. */
  readonly toCol: number | null;
  /** Of the record. */
  readonly bytes: number;
  readonly redactions: number;
}

export interface Parts {
  readonly parts: readonly Part[];
  /** Not all of what was asked for; null at the end. */
  readonly resume: Place | null;
  readonly matches?: number;
  /** Of a search: lines that were asked for and not looked at. */
  readonly notSearched?: readonly { readonly from_line: number; readonly to_line: number }[];
  /** Secrets in what was looked through, told or not: a client could guess one by counting those it has met. */
  readonly redactions?: number;
}

/** Below this a piece of a line is of no use. */
const MIN_CUT_CHARS = 100;

export function linesOf({ terminal, block, view }: Source, { from, to }: LineSpan): AsyncGenerator<ToldBatch> {
  return redactedOutputLines(terminal, block, { view, first: from, to });
}

/** What a line takes of the room: a line of raw bytes has its line feed already. */
export function roomOf(line: string, view: OutputView): number {
  return line.length + (view === 'raw_b64' ? 0 : 1);
}

/** As much of a line as there is room for; '' where that is no use. Never half of a character. */
export function cutLine(line: string, room: number, isFirst: boolean): string {
  if (!isFirst && room < MIN_CUT_CHARS) return '';
  return line.slice(0, wholeAt(line, Math.max(1, room)));
}

/** `at`, or one after it where it would part a surrogate pair. */
export function wholeAt(line: string, at: number): number {
  const code = line.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
