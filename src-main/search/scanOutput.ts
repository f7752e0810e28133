import type { Block } from '../contract/block.ts';
import { LINES_ABOVE } from '../redaction/redactedLines.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import { ByteScanner, type ScannedLine } from './ByteScanner.ts';
import { hintOf } from './lines/LineHint.ts';
import { type OutputView, outputBytes } from './lines/outputLines.ts';
import { RedactingBytes } from './lines/RedactingBytes.ts';
import { compilePattern } from './lines/searchText.ts';

/** A request to a worker to search one output. */
export interface OutputScan {
  readonly dataFolder: string;
  readonly terminalId: string;
  readonly block: Block;
  readonly view: OutputView;
  readonly query: string;
  readonly isRegex: boolean;
  readonly flags?: string | undefined;
  /** Lines [from, to), ascending and without overlaps. */
  readonly spans: readonly { readonly from: number; readonly to: number }[];
  readonly context: number;
  /** Stops after the line that exceeds it; returns at least one line. */
  readonly maxChars?: number;
  /** Stops before the next match after so many. */
  readonly maxMatches?: number;
  readonly deadlineMs: number;
}

export interface OutputScanned {
  readonly lines: readonly ScannedLine[];
  readonly matches: number;
  /** Number of secrets in all searched lines, whether they match or not: otherwise a client could guess a secret from the count. */
  readonly redactions: number;
  readonly bytes: number;
  /** The line at which to continue; null if every line was searched. */
  readonly next: number | null;
  readonly why: 'end' | 'room' | 'time' | 'slow-line';
  /** Lines that are too long to search. */
  readonly tooLong: readonly number[];
}

/** The event loop turns this often, so that a search can be stopped. */
const PAUSE_EVERY_MS = 20;

/** Finds the matching lines of an output after redaction. Throws for an invalid expression. */
export async function scanOutput(scan: OutputScan, signal: AbortSignal): Promise<OutputScanned> {
  const run = new ScanRun(scan, signal);
  for (const span of scan.spans) if (!(await run.through(span))) break;
  return run.result;
}

interface Progress {
  readonly scanner: ByteScanner;
  hasMoved(): boolean;
}

class ScanRun {
  readonly #scan: OutputScan;
  readonly #signal: AbortSignal;
  readonly #endMs: number;
  readonly #lines: ScannedLine[] = [];
  readonly #tooLong: number[] = [];
  #matches = 0;
  #chars = 0;
  #bytes = 0;
  #redactions = 0;
  #pausedMs = performance.now();
  #stop: Pick<OutputScanned, 'next' | 'why'> = { next: null, why: 'end' };

  constructor(scan: OutputScan, signal: AbortSignal) {
    this.#scan = scan;
    this.#signal = signal;
    this.#endMs = performance.now() + scan.deadlineMs;
  }

  get result(): OutputScanned {
    return {
      ...{ lines: this.#lines, matches: this.#matches, redactions: this.#redactions, bytes: this.#bytes },
      ...{ tooLong: this.#tooLong, ...this.#stop },
    };
  }

  /** False when the search is over. */
  async through({ from, to }: { from: number; to: number }): Promise<boolean> {
    const { view, query, isRegex, flags, context, terminalId, dataFolder, block } = this.#scan;
    const compiled = compilePattern(query, isRegex, flags);
    if (!compiled.ok) throw new Error(compiled.error);
    const encoding = view === 'raw_b64' ? 'latin1' : 'utf8';
    const redacting = view === 'raw_b64' ? null : new RedactingBytes();
    const folder = new SessionFolder(dataFolder, terminalId);
    const { n, pieces } = await outputBytes(folder, block, { view, first: Math.max(0, from - LINES_ABOVE) });
    const scanner = new ByteScanner({
      ...{ pattern: compiled.pattern, hint: hintOf(compiled.source, compiled.flags, encoding) },
      ...{ encoding, context, n, from, to },
      ...(redacting && { shown: (bytes: Buffer) => redacting.take(bytes) }),
    });
    const hasMoved = (): boolean => scanner.reached > from;
    const take = (found: Generator<ScannedLine | null>): Promise<boolean> => this.#take(found, { scanner, hasMoved });
    let goesOn = true;
    for await (const piece of pieces) {
      this.#bytes += piece.length;
      goesOn = await take(scanner.feed(piece));
      if (!goesOn || scanner.isOver) break;
    }
    if (goesOn && !scanner.isOver) goesOn = await take(scanner.end());
    if (goesOn && scanner.slowLine !== null) this.#stop = { next: scanner.slowLine, why: 'slow-line' };
    this.#redactions += redacting?.redactions ?? 0;
    this.#tooLong.push(...scanner.tooLong);
    return goesOn && this.#stop.why === 'end';
  }

  async #take(found: Generator<ScannedLine | null>, at: Progress): Promise<boolean> {
    for (const line of found) {
      if (line ? !this.#add(line) : !(await this.#mayGoOn(at))) return false;
    }
    return true;
  }

  #add(line: ScannedLine): boolean {
    const { maxChars = Number.POSITIVE_INFINITY, maxMatches = Number.POSITIVE_INFINITY } = this.#scan;
    if (line.spans && this.#matches === maxMatches) {
      this.#stop = { next: line.n, why: 'room' };
      return false;
    }
    const isFirst = this.#lines.length === 0;
    const chars = this.#chars + line.text.length + 1;
    if (chars > maxChars) this.#stop = { next: isFirst ? line.n + 1 : line.n, why: 'room' };
    if (chars > maxChars && !isFirst) return false;
    this.#lines.push(line);
    this.#matches += line.spans ? 1 : 0;
    this.#chars = chars;
    return chars <= maxChars;
  }

  async #mayGoOn({ scanner, hasMoved }: Progress): Promise<boolean> {
    const nowMs = performance.now();
    if (nowMs - this.#pausedMs > PAUSE_EVERY_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#pausedMs = performance.now();
    }
    // a call must make progress, or the caller would repeat it forever; the same is true for a call that ends at the end
    const isInTime = nowMs < this.#endMs || scanner.isOver || !hasMoved();
    if (!this.#signal.aborted && isInTime) return true;
    this.#stop = { next: scanner.reached, why: 'time' };
    return false;
  }
}
