import { ToolFault } from '../../contract/mcp.ts';
import { workUs } from '../../util/runWithin.ts';
import { type CompiledPattern, compilePattern, type LineMatcher, type Span } from '../searchText.ts';
import type { ToldBatch } from './toldLines.ts';

/**
 * An expression may work so long for one call, in all. A harmless one takes three seconds for as many million lines. It is its own work that
 * counts, since a clock alone would blame it for a busy machine.
 */
const BUDGET_MS = 10_000;
/** On the clock all the same, reading included: clients give up after 60 s. */
const MOST_MS = 40_000;
/** Whoever waits for the thread (and a client that cancels) waits no longer than this and one batch. */
const PAUSE_EVERY_MS = 20;

export interface ScannedBatch {
  readonly batch: ToldBatch;
  /** Of each line: where it matches; null for nothing. */
  readonly spans: readonly (readonly Span[] | null)[];
}

/** How long one call may look for an expression. */
export class ScanBudget {
  readonly signal: AbortSignal;
  readonly #budgetMs: number;
  #workedMs = 0;
  #pausedMs = performance.now();
  readonly #endMs = performance.now() + MOST_MS;

  constructor(signal: AbortSignal, budgetMs = BUDGET_MS) {
    this.signal = signal;
    this.#budgetMs = budgetMs;
  }

  get isSpent(): boolean {
    return this.#workedMs > this.#budgetMs || performance.now() > this.#endMs;
  }

  /** null: the expression has run out of its time. */
  match(matcher: LineMatcher, lines: readonly string[]): ReturnType<LineMatcher> {
    const beganUs = workUs();
    const spans = matcher(lines);
    this.#workedMs += (workUs() - beganUs) / 1000;
    return spans;
  }

  /** Lets others have the thread now and then: lines of one piece of a file come without any wait. */
  async pause(): Promise<void> {
    if (performance.now() - this.#pausedMs < PAUSE_EVERY_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#pausedMs = performance.now();
  }
}

/**
 * Lines with what an expression finds in them, until the call is cancelled. Throws REGEX_TIMEOUT, with how far it came, for one that takes
 * too long. Of a line that is too long to be held only the first piece is looked at. `total`: lines of the output.
 */
export async function* scanLines(
  batches: AsyncIterable<ToldBatch>,
  matcher: LineMatcher,
  { budget, total }: { budget: ScanBudget; total: number },
): AsyncGenerator<ScannedBatch> {
  for await (const batch of batches) {
    if (budget.signal.aborted) return;
    if (batch.col > 0) continue;
    const spans = budget.match(matcher, batch.lines);
    const reached = batch.n + (spans === null ? 0 : batch.lines.length);
    if (spans === null || (budget.isSpent && reached < total)) throw tooSlow(reached, total);
    yield { batch, spans };
    await budget.pause();
  }
}

/** Throws BAD_REGEX. */
export function patternOf(query: string, isRegex: boolean, flags?: string): LineMatcher {
  const pattern: CompiledPattern = compilePattern(query, isRegex, flags);
  if (pattern.ok) return pattern.match;
  throw new ToolFault('BAD_REGEX', pattern.error, 'escape what is meant as it stands');
}

function tooSlow(reached: number, total: number): ToolFault {
  return new ToolFault(
    'REGEX_TIMEOUT',
    `the expression takes too long: it came to line ${reached} of ${total}`,
    `make it simpler, look for plain text, or for fewer lines at a time; from_line: ${reached} goes on there`,
    { details: { reached_line: reached, total_lines: total } },
  );
}
