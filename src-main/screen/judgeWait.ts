import type { Frame } from '../contract/frame.ts';
import type { WaitCondition, WaitMatch, WaitQuery, WaitResult } from '../contract/screen.ts';
import { looksSame } from './diffFrames.ts';
import type { TakenFrame } from './FrameHistory.ts';
import { lookForNew, type SeenText, type TextLines, viewOf } from './newText.ts';
import { JoinedText, type SearchResult } from './searchLines.ts';
import type { Pattern } from './searchPattern.ts';

/** What a wait is told: always the present frame, and what happened right there. Clock times are monotonic. */
export interface WaitInput {
  readonly nowMs: number;
  readonly taken: TakenFrame;
  /** Rows that left the screen since the input before, in order. */
  readonly left: readonly Frame['rows'][number][];
  /** A command has ended since the wait began. */
  readonly hasEnded: boolean;
  /** Output waits to be parsed, so nobody knows whether the screen is still. */
  readonly isBehind: boolean;
  /** The shell is at a trusted prompt that counts for this wait. */
  readonly isAtPrompt: boolean;
  readonly exit: WaitResult['exit'];
}

/** A wait between two inputs. */
export interface WaitState {
  readonly query: WaitQuery;
  readonly deadlineMs: number;
  /** `seq` and epoch from which on something else counts as changed. */
  readonly base: Pick<Frame, 'seq' | 'epoch'>;
  readonly seen: SeenText;
  readonly last: Frame | null;
  /** For each condition: since when nothing that counts has changed. */
  readonly stillSinceMs: readonly number[];
  /** Of the last frame, so that no pattern is tried twice on the same text. */
  readonly tries: readonly Try[];
}

/** What one search said of one frame: a match that counts, none, or what is wrong with the pattern. */
interface Try {
  readonly match: WaitMatch | null;
  readonly fault: { outcome: 'bad-pattern' | 'slow-pattern'; reason: string } | null;
}

export type WaitVerdict = Pick<WaitResult, 'outcome' | 'met' | 'match' | 'reason'>;
export type Search = (pattern: Pattern, text: string) => SearchResult;

const NOT_TRIED: Try = { match: null, fault: null };

/**
 * Judges a wait on one frame. Gives its next state, and a verdict when it is over: what is met counts before an exit, an exit before
 * the deadline. A pattern is tried once for each frame; `search` does that.
 */
export function judgeWait(state: WaitState, input: WaitInput, search: Search): [WaitState, WaitVerdict | null] {
  const next = take(state, input, search);
  const met = state.query.conditions.flatMap((condition, at) => (isMet(condition, at, next, input) ? [at] : []));
  const isOver = state.query.mode === 'any' ? met.length > 0 : met.length === state.query.conditions.length;
  const match = met.map((at) => next.tries[at]?.match ?? null).find((found) => found !== null) ?? null;
  const verdict = (outcome: WaitVerdict['outcome'], reason: string | null = null): [WaitState, WaitVerdict] => [
    next,
    { outcome, met, match, reason },
  ];
  if (isOver) return verdict('met');
  const fault = next.tries.find((tried) => tried.fault !== null)?.fault;
  if (fault) return verdict(fault.outcome, fault.reason);
  if (input.exit) return verdict('exited');
  return input.nowMs >= state.deadlineMs ? verdict('deadline') : [next, null];
}

/** When the wait must be judged again though nothing is printed. */
export function nextJudgeMs({ query, deadlineMs, stillSinceMs }: WaitState): number {
  const dues = query.conditions.flatMap((condition, at) =>
    condition.type === 'stable' ? [(stillSinceMs[at] ?? 0) + condition.ms] : [],
  );
  return Math.min(deadlineMs, ...dues);
}

/** Somebody looks for text that is new, so all that is printed must be seen. */
export function needsAllText({ conditions }: WaitQuery): boolean {
  return conditions.some((condition) => condition.type === 'match' && condition.scope === 'new');
}

function take(state: WaitState, input: WaitInput, search: Search): WaitState {
  const { frame } = input.taken;
  if (state.last && input.left.length === 0 && state.last.seq === frame.seq) return { ...state, last: frame };
  const [seen, lines] = lookForNew(state.seen, viewOf(input.taken), input.left);
  const before = state.last;
  const stillSinceMs = state.stillSinceMs.map((sinceMs, at) => {
    const condition = state.query.conditions[at];
    const ignored = condition?.type === 'stable' ? condition.ignoreRows : [];
    return before && !looksSame(without(before, ignored), without(frame, ignored)) ? input.nowMs : sinceMs;
  });
  return { ...state, seen, last: frame, stillSinceMs, tries: tryAll(state.query, lines, frame.seq, search) };
}

function tryAll({ conditions }: WaitQuery, lines: TextLines, seq: number, search: Search): Try[] {
  const all = new JoinedText(lines);
  const onScreen = new JoinedText({
    lines: lines.lines.slice(lines.above),
    newness: lines.newness.slice(lines.above),
    above: 0,
  });
  return conditions.map((condition) => {
    if (condition.type !== 'match' && condition.type !== 'absent') return NOT_TRIED;
    const isNewOnly = condition.type === 'match' && condition.scope === 'new';
    const joined = isNewOnly ? all : onScreen;
    const result = search(condition, joined.text);
    if (result.type !== 'found') return { match: null, fault: faultOf(result) };
    const found = result.found.find(({ index, text }) => !isNewOnly || joined.isNew(index, index + text.length));
    return { match: found ? joined.match(found, seq) : null, fault: null };
  });
}

function faultOf({ type, reason }: Exclude<SearchResult, { type: 'found' }>): Try['fault'] {
  return { outcome: type === 'too-slow' ? 'slow-pattern' : 'bad-pattern', reason };
}

function isMet(condition: WaitCondition, at: number, state: WaitState, input: WaitInput): boolean {
  const tried = state.tries[at] ?? NOT_TRIED;
  switch (condition.type) {
    case 'match':
      return tried.match !== null;
    case 'absent':
      return tried.match === null && tried.fault === null;
    case 'changed':
      return state.base.seq !== input.taken.frame.seq || state.base.epoch !== input.taken.frame.epoch;
    case 'stable':
      return !input.isBehind && input.nowMs - (state.stillSinceMs[at] ?? input.nowMs) >= condition.ms;
    case 'block-end':
      return input.hasEnded;
    case 'prompt':
      return input.isAtPrompt;
    case 'exit':
      return input.exit !== null;
  }
}

function without(frame: Frame, ignored: readonly number[]): Frame {
  return ignored.length === 0 ? frame : { ...frame, rows: frame.rows.filter((_, row) => !ignored.includes(row)) };
}
