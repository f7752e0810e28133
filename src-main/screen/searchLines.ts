import type { WaitMatch } from '../contract/screen.ts';
import type { TextLines } from './newText.ts';

/** A match in a text, as offsets. */
export interface Found {
  readonly index: number;
  readonly text: string;
  readonly groups: readonly (string | null)[];
}

/** What became of one search. `too-slow` and `invalid` are the pattern's fault. */
export type SearchResult =
  | { readonly type: 'found'; readonly found: readonly Found[] }
  | { readonly type: 'too-slow' | 'invalid'; readonly reason: string };

interface Part {
  start: number;
  line: number;
  chars: number;
}

/** Lines as one text: soft wraps joined, a LF between others, nothing behind the last line that holds something. */
export class JoinedText {
  readonly text: string;
  readonly #parts: Part[] = [];
  readonly #lines: TextLines;

  constructor(lines: TextLines) {
    this.#lines = lines;
    const end = lines.lines.findLastIndex((line) => line.text !== '') + 1;
    let text = '';
    lines.lines.slice(0, end).forEach((line, at) => {
      if (at > 0 && !line.wrapped) text += '\n';
      this.#parts.push({ start: text.length, line: at, chars: line.text.length });
      text += line.text;
    });
    this.text = text;
  }

  /** Something of the text from `from` to `to` is new; an empty stretch lies in something new or at its border. */
  isNew(from: number, to: number): boolean {
    return this.#parts.some(({ start, line, chars }) => {
      const newness = this.#lines.newness[line];
      if (!newness) return false;
      const newFrom = start + newness.head;
      const newTo = start + chars - newness.tail;
      return from === to ? from >= newFrom && from <= newTo : Math.max(from, newFrom) < Math.min(to, newTo);
    });
  }

  /** Row and column at `offset`; rows above the screen are negative. */
  placeOf(offset: number): { row: number; col: number } {
    const part = this.#parts.findLast(({ start }) => start <= offset);
    if (!part) return { row: 0, col: 0 };
    return { row: part.line - this.#lines.above, col: Math.min(offset - part.start, part.chars) };
  }

  match({ index, text, groups }: Found, seq: number): WaitMatch {
    return { text, groups, ...this.placeOf(index), resume: { seq, ...this.placeOf(index + text.length) } };
  }
}
