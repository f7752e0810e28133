import type { FrameRow } from '../../contract/screen/frame.ts';
import type { XtermCore } from '../../shared/xterm/xtermInternals.ts';
import type { RedactedRow, RedactionPlaceholder } from './RedactedRow.ts';

/** The highest bit of a cell's `bg`, which xterm 6.0.0 leaves free: the shell wrote the cell itself. It moves with the cell, also when lines are reflowed. */
export const SHELL_TEXT = 0x80000000 | 0;

export type ShellTextRanges = NonNullable<FrameRow['shellText']>;

/** Marks the cells that are printed while the shell draws its prompt and edits the command line. */
export class ShellText {
  /** What is printed now is the shell's own. */
  isOn = false;
  /** The shell has said at least once whose text is whose. */
  isKnown = false;

  constructor(core: XtermCore) {
    const handler = core._inputHandler;
    const print = handler.print;
    handler.print = (data, start, end) => {
      if (!this.isOn) return print.call(handler, data, start, end);
      const pen = handler._curAttrData;
      const { bg } = pen;
      pen.bg = bg | SHELL_TEXT;
      try {
        print.call(handler, data, start, end);
      } finally {
        pen.bg = bg;
      }
    };
  }

  set(isOn: boolean): void {
    this.isOn = isOn;
    this.isKnown ||= isOn;
  }
}

/** Collects the shell's ranges of one row, whose text comes from left to right. Blanks between two of them, or at an end, belong to them. */
export class ShellRanges {
  readonly #ranges: [number, number][] = [];
  #at: number;
  /** Where the blanks before `#at` begin. */
  #blanksFrom: number;

  /** So many units of text come before the first one that is taken; `isBlank`: nothing but blanks. */
  constructor(before: number, isBlank: boolean) {
    this.#at = before;
    this.#blanksFrom = isBlank ? 0 : before;
  }

  take(chars: string, bg: number): void {
    const from = this.#at;
    this.#at += chars.length;
    if ((bg & SHELL_TEXT) !== 0) {
      const last = this.#ranges.at(-1);
      const goesOn = last && last[1] >= this.#blanksFrom;
      if (goesOn) last[1] = this.#at;
      else this.#ranges.push([this.#blanksFrom === 0 ? 0 : from, this.#at]);
      this.#blanksFrom = this.#at;
    } else if (chars.trim() !== '') this.#blanksFrom = this.#at;
  }

  /** undefined for a row without any. */
  end(): ShellTextRanges | undefined {
    const last = this.#ranges.at(-1);
    if (last && last[1] >= this.#blanksFrom) last[1] = this.#at;
    return last && Object.freeze(this.#ranges);
  }
}

export function isSameShellText({ shellText: a }: FrameRow, { shellText: b }: FrameRow): boolean {
  if (a === b) return true;
  return a?.length === b?.length && (a?.every(([from, to], at) => b?.[at]?.[0] === from && b[at][1] === to) ?? false);
}

/** All that stands in the row is the shell's. */
export function isAllShell({ text, shellText }: FrameRow): boolean {
  const [first] = shellText ?? [];
  return first !== undefined && first[0] === 0 && first[1] === text.length;
}

/** What is told of `line`, without what the shell wrote: nothing stands for that. A placeholder stays unless all it stands for is the shell's. */
export function withoutShellText(line: FrameRow, told: RedactedRow): RedactedRow {
  const ranges = line.shellText ?? [];
  const kept = told.standIns
    .filter(({ from, to }) => !ranges.some(([start, end]) => start <= from && end >= to))
    .map(({ at, chars, from, to }) => ({ from, to, text: told.text.slice(at, at + chars) }));
  const cuts = ranges.flatMap((range) => withoutAll(range, kept)).map(([from, to]) => ({ from, to, text: '' }));
  const standIns: RedactionPlaceholder[] = [];
  let [text, own] = ['', 0];
  for (const { from, to, text: placeholder } of [...kept, ...cuts].sort((a, b) => a.from - b.from)) {
    text += line.text.slice(own, from);
    standIns.push({ at: text.length, chars: placeholder.length, from, to });
    text += placeholder;
    own = to;
  }
  return { text: text + line.text.slice(own), standIns };
}

/** What of a range lies in none of the others, which come in order. */
function withoutAll(
  [from, to]: readonly [number, number],
  others: readonly { from: number; to: number }[],
): [number, number][] {
  const left: [number, number][] = [];
  let start = from;
  for (const other of others) {
    if (other.to <= start || other.from >= to) continue;
    if (other.from > start) left.push([start, other.from]);
    start = other.to;
  }
  return start < to ? [...left, [start, to]] : left;
}
