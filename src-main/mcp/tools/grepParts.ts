import { type ScanBudget, scanLines } from '../../session/outside/scanLines.ts';
import type { ToldBatch } from '../../session/outside/toldLines.ts';
import type { LineMatcher } from '../../session/searchText.ts';
import { cutLine, type LineSpan, linesOf, type Part, type Parts, roomOf, type Source } from './blockParts.ts';

interface Wish {
  readonly matcher: LineMatcher;
  readonly context: number;
  readonly room: number;
  readonly budget: ScanBudget;
}

/** Lines within the spans that match, with those around them, each once. */
export async function grepParts(source: Source, spans: readonly LineSpan[], wish: Wish): Promise<Parts> {
  const { matcher, context, room, budget } = wish;
  const own: LineMatcher = source.view === 'raw_b64' ? (lines) => matcher(lines.map(withoutLineFeed)) : matcher;
  const found: Part[] = [];
  let left = room;
  let matches = 0;
  let redactions = 0;
  for (const span of spans) {
    const finder = new Finder(source, context);
    for await (const { batch, spans: hits } of scanLines(linesOf(source, span), own, {
      budget,
      total: source.size.lines,
    })) {
      redactions += batch.redactions;
      left -= finder.take(batch, (at) => hits[at] !== null);
      if (left < 0) break;
    }
    found.push(...finder.parts);
    matches += finder.matches;
    if (left < 0 || budget.signal.aborted) break;
  }
  return { ...fitted(source, found, room), matches, redactions };
}

function withoutLineFeed(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}

/** What fits. A line that alone is too long is cut, which its part says; its rest is to be had by from_line and from_col. */
function fitted({ view }: Source, parts: readonly Part[], room: number): Parts {
  let left = room;
  const kept: Part[] = [];
  for (const part of parts) {
    const count = part.lines.findIndex((line) => {
      left -= roomOf(line, view);
      return left < 0;
    });
    if (count < 0) {
      kept.push(part);
      continue;
    }
    const [long = ''] = part.lines;
    const lines = count === 0 && kept.length === 0 ? [cutLine(long, room, true)] : part.lines.slice(0, count);
    const isCut = count === 0 && lines.length === 1;
    const own = { ...part, lines, toCol: isCut ? (lines[0]?.length ?? 0) : null, bytes: bytesOf(lines, view) };
    return { parts: lines.length > 0 ? [...kept, own] : kept, resume: { line: part.from + lines.length, col: 0 } };
  }
  return { parts: kept, resume: null };
}

function bytesOf(lines: readonly string[], view: Source['view']): number {
  return lines.reduce((sum, line) => sum + (view === 'raw_b64' ? line.length : Buffer.byteLength(line) + 1), 0);
}

interface OpenPart extends Part {
  lines: string[];
  bytes: number;
}

/** One line where it stands. */
interface Seen {
  readonly batch: ToldBatch;
  readonly at: number;
}

/** Gathers matching lines with those around them. */
class Finder {
  readonly parts: OpenPart[] = [];
  readonly #source: Source;
  readonly #context: number;
  matches = 0;
  /** The last lines before a match that may still come. */
  #before: Seen[] = [];
  #after = 0;

  constructor(source: Source, context: number) {
    this.#source = source;
    this.#context = context;
  }

  /** Room that it took. */
  take(batch: ToldBatch, isMatch: (at: number) => boolean): number {
    let room = 0;
    for (let at = 0; at < batch.lines.length; at += 1) {
      if (isMatch(at)) {
        this.matches += 1;
        room += this.#keep([...this.#before, { batch, at }]);
        this.#before = [];
        this.#after = this.#context;
      } else if (this.#after > 0) {
        this.#after -= 1;
        room += this.#keep([{ batch, at }]);
      } else if (this.#context > 0) {
        this.#before.push({ batch, at });
        if (this.#before.length > this.#context) this.#before.shift();
      }
    }
    return room;
  }

  #keep(found: readonly Seen[]): number {
    let room = 0;
    for (const { batch, at } of found) {
      const n = batch.n + at;
      let part = this.parts.at(-1);
      if (!part || part.from + part.lines.length !== n) {
        part = { from: n, fromCol: 0, lines: [], toCol: null, bytes: 0, redactions: 0 };
        this.parts.push(part);
      }
      const line = batch.lines[at] ?? '';
      part.lines.push(line);
      part.bytes += batch.bytesOf(at);
      room += roomOf(line, this.#source.view);
    }
    return room;
  }
}
