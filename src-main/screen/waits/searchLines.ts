import type { WaitMatch } from '../../contract/screen/screen.ts';
import { ownCol, type RedactedRow } from '../rows/RedactedRow.ts';
import { isAllShell, withoutShellText } from '../rows/ShellText.ts';
import type { TextLines } from './newText.ts';

/** A match in a text, as offsets. */
export interface Found {
  readonly index: number;
  readonly text: string;
  readonly groups: readonly (string | null)[];
}

/** Result of a search. `too-slow` and `invalid` are the pattern's fault. */
export type SearchResult =
  | { readonly type: 'found'; readonly found: readonly Found[] }
  | { readonly type: 'too-slow' | 'invalid'; readonly reason: string };

interface Part {
  start: number;
  line: number;
  row: RedactedRow;
}

/**
 * Joins lines to one text: without soft wraps, with LF between other lines, without blank lines at the end and without the shell's own
 * text. With `told`, the text consists of the redacted lines; offsets refer to that text, but positions to the lines.
 */
export class JoinedText {
  readonly text: string;
  readonly #parts: Part[] = [];
  readonly #lines: TextLines;

  constructor(lines: TextLines, told: readonly RedactedRow[] | null = null) {
    this.#lines = lines;
    const end = lines.lines.findLastIndex((line) => line.text !== '') + 1;
    let text = '';
    lines.lines.slice(0, end).forEach((line, at) => {
      if (isAllShell(line)) return;
      const own = told?.[at] ?? asItIs(line);
      const row = line.shellText ? withoutShellText(line, own) : own;
      if (this.#parts.length > 0 && !line.wrapped) text += '\n';
      this.#parts.push({ start: text.length, line: at, row });
      text += row.text;
    });
    this.text = text;
  }

  /** True if part of the text from `from` to `to` is new; an empty range counts as new inside new text or at its border. */
  isNew(from: number, to: number): boolean {
    return this.#parts.some(({ start, line, row }) => {
      const newness = this.#lines.newness[line];
      if (!newness || to < start || from > start + row.text.length) return false;
      const [own, end] = [ownCol(row, from - start, 'start'), ownCol(row, to - start, 'end')];
      const newTo = (this.#lines.lines[line]?.text.length ?? 0) - newness.tail;
      return own >= end ? own >= newness.head && own <= newTo : Math.max(own, newness.head) < Math.min(end, newTo);
    });
  }

  /** Row and column at `offset`; rows above the screen are negative. Inside a placeholder: the start or end of the text that it replaces. */
  placeOf(offset: number, side: 'start' | 'end' = 'start'): { row: number; col: number } {
    const part = this.#parts.findLast(({ start }) => start <= offset);
    if (!part) return { row: 0, col: 0 };
    const { start, line, row } = part;
    return { row: line - this.#lines.above, col: ownCol(row, Math.min(offset - start, row.text.length), side) };
  }

  match({ index, text, groups }: Found, seq: number): WaitMatch {
    const end = index + text.length;
    const redactions = this.#standInsWithin(index, end);
    return {
      text,
      groups,
      ...this.placeOf(index),
      resume: { seq, ...this.placeOf(end, 'end') },
      ...(redactions > 0 && { redactions }),
    };
  }

  /** Number of placeholders; one that continues on the next line counts once. */
  #standInsWithin(from: number, to: number): number {
    let count = 0;
    let isOpen = false;
    for (const { start, line, row } of this.#parts) {
      for (const { at, chars, from: own } of row.standIns)
        if (chars > 0 && start + at < to && start + at + chars > from && !(isOpen && own === 0)) count += 1;
      const end = this.#lines.lines[line]?.text.trimEnd().length ?? 0;
      if (end > 0) isOpen = row.standIns.at(-1)?.to === end;
    }
    return count;
  }
}

function asItIs({ text }: { readonly text: string }): RedactedRow {
  return { text, standIns: [] };
}
