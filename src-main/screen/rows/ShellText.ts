import type { FrameRow } from '../../contract/screen/frame.ts';
import type { XtermCore } from '../../shared/xterm/xtermInternals.ts';
import type { RedactedRow, RedactionPlaceholder } from './RedactedRow.ts';

/** The highest bit of a cell's `bg`, unused by xterm 6.0.0: the shell wrote the cell. The bit moves with the cell, also when lines reflow. */
export const SHELL_TEXT = 0x80000000 | 0;

export type ShellTextRanges = NonNullable<FrameRow['shellText']>;

/** Marks the cells that are printed while the shell draws its prompt and edits the command line. */
export class ShellText {
  /** True while output is the shell's own text. */
  isOn = false;
  /** The shell has reported at least once whose text follows. */
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

/** Collects the shell's ranges of one row, whose text comes from left to right. Includes blanks between two ranges, or at an end. */
export class ShellRanges {
  readonly #ranges: [number, number][] = [];
  #at: number;
  /** Start of the blanks before `#at`. */
  #blanksFrom: number;

  /** `before`: units of text before the first one collected; `isBlank`: they are all blanks. */
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

  /** The row's ranges; undefined without any. */
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

/** True if the whole row is the shell's. */
export function isAllShell({ text, shellText }: FrameRow): boolean {
  const [first] = shellText ?? [];
  return first !== undefined && first[0] === 0 && first[1] === text.length;
}

/** The redacted text of `line` without the shell's text, which gets no placeholder. Keeps a placeholder unless all of its text is the shell's. */
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

/** The parts of a range outside of all others, which are ascending. */
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
