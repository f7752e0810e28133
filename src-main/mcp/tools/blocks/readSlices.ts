import type { ToldBatch } from '../../read/redactedOutputLines.ts';
import {
  cutLine,
  type LineSpan,
  linesOf,
  type Part,
  type Parts,
  type Place,
  roomOf,
  type Source,
  wholeAt,
} from './blockParts.ts';

/** Reads as many spans of lines as fit, in order; the first begins at `fromCol` of its first line. */
export async function readSlices(
  source: Source,
  spans: readonly LineSpan[],
  { room, fromCol }: { room: number; fromCol: number },
): Promise<Parts> {
  const parts: Part[] = [];
  let left = room;
  for (const [at, span] of spans.entries()) {
    const page = new Page(source, { line: span.from, col: at === 0 ? fromCol : 0 }, left, parts.length === 0);
    for await (const batch of linesOf(source, span)) if (!page.take(batch)) break;
    const { part, resume } = page;
    if (part.lines.length > 0) parts.push(part);
    if (resume) return { parts, resume };
    left = page.left;
  }
  return { parts, resume: null };
}

/** Collects lines from a position until the room is used up. */
class Page {
  readonly #source: Source;
  readonly #start: Place;
  readonly #isFirst: boolean;
  readonly #lines: string[] = [];
  left: number;
  #bytes = 0;
  #redactions = 0;
  #toCol: number | null = null;
  resume: Place | null = null;

  constructor(source: Source, start: Place, room: number, isFirst: boolean) {
    this.#source = source;
    this.#start = start;
    this.left = room;
    this.#isFirst = isFirst;
  }

  get part(): Part {
    const { line: from, col: fromCol } = this.#start;
    return {
      ...{ from, fromCol, lines: this.#lines, toCol: this.#toCol },
      ...{ bytes: this.#bytes, redactions: this.#redactions },
    };
  }

  /** False if nothing more fits. */
  take(batch: ToldBatch): boolean {
    this.#redactions += batch.redactions;
    for (const [at, line] of batch.lines.entries()) {
      const skipped = batch.n + at === this.#start.line ? Math.max(0, this.#start.col - batch.col) : 0;
      if (skipped > 0 && skipped >= line.length && line.length > 0 && batch.lines.length === 1) continue; // continues in the next piece, or ends
      if (!this.#add(line.slice(skipped), { line: batch.n + at, col: batch.col + skipped })) return false;
      this.#bytes += skipped > 0 ? Buffer.byteLength(line.slice(skipped)) : batch.bytesOf(at);
    }
    return true;
  }

  #add(line: string, { line: n, col }: Place): boolean {
    const isFirst = this.#isFirst && this.#lines.length === 0;
    const needed = roomOf(line, this.#source.view);
    if (needed <= this.left || (isFirst && line.length <= this.left)) {
      this.left -= needed;
      this.#keep(line, n);
      return true;
    }
    const piece = cutLine(line, this.left, isFirst);
    const isLong = isFirst || this.#joins(n);
    this.resume = { line: n, col: isLong ? col + piece.length : col };
    if (!isLong) return false;
    this.#keep(piece, n);
    this.#bytes += Buffer.byteLength(piece, this.#source.view === 'raw_b64' ? 'latin1' : 'utf8');
    this.#toCol = col + piece.length;
    return false;
  }

  /** Whether the line is a further piece of the last one. */
  #joins(n: number): boolean {
    return n < this.#start.line + this.#lines.length;
  }

  #keep(line: string, n: number): void {
    const last = this.#lines.length - 1;
    if (this.#joins(n)) this.#lines[last] += line;
    else this.#lines.push(line);
  }
}

/** Reads the last lines of a span that fit: the end of an output is the most useful, so its first lines are left out. */
export async function readEnd(source: Source, span: LineSpan, room: number): Promise<Parts> {
  const end = new End(source, span.from);
  for await (const batch of linesOf(source, span)) {
    end.take(batch);
    end.trim(room);
  }
  const { part } = end;
  return { parts: part.lines.length === 0 ? [] : [part], resume: null };
}

/** Keeps the end of its input. */
class End {
  readonly #source: Source;
  #lines: { text: string; bytes: number }[] = [];
  #from: number;
  #fromCol = 0;
  #redactions = 0;

  constructor(source: Source, from: number) {
    this.#source = source;
    this.#from = from;
  }

  get part(): Part {
    return {
      ...{ from: this.#from, fromCol: this.#fromCol, lines: this.#lines.map(({ text }) => text), toCol: null },
      ...{ bytes: this.#lines.reduce((sum, { bytes }) => sum + bytes, 0), redactions: this.#redactions },
    };
  }

  take(batch: ToldBatch): void {
    this.#redactions += batch.redactions;
    const last = this.#lines.at(-1);
    if (batch.col > 0 && last) {
      last.text += batch.lines[0] ?? '';
      last.bytes += batch.bytesOf(0);
      return;
    }
    for (const [at, text] of batch.lines.entries()) this.#lines.push({ text, bytes: batch.bytesOf(at) });
  }

  trim(room: number): void {
    let used = 0;
    const last = this.#lines.findLastIndex(({ text }) => {
      used += roomOf(text, this.#source.view);
      return used > room;
    });
    if (last < 0) return;
    const isAlone = last === this.#lines.length - 1;
    const dropped = isAlone ? last : last + 1;
    this.#lines = this.#lines.slice(dropped);
    this.#from += dropped;
    if (dropped > 0) this.#fromCol = 0;
    const [only] = this.#lines;
    if (!isAlone || !only || only.text.length <= room) return;
    const cut = wholeAt(only.text, only.text.length - room);
    this.#fromCol += cut;
    only.text = only.text.slice(cut);
    const lineFeed = roomOf(only.text, this.#source.view) - only.text.length;
    only.bytes = lineFeed + Buffer.byteLength(only.text, lineFeed === 0 ? 'latin1' : 'utf8');
  }
}
