import type { AgentState } from '../../contract/chat/chat.ts';
import type { Frame, FrameRow } from '../../contract/screen/frame.ts';
import type { IgnoredRows, WaitCondition, WaitMatch, WaitQuery, WaitResult } from '../../contract/screen/screen.ts';
import { looksSame } from '../frames/diffFrames.ts';
import type { TakenFrame } from '../frames/FrameHistory.ts';
import type { RedactedRow } from '../rows/RedactedRow.ts';
import type { VolatileRows } from '../rows/VolatileRows.ts';
import { lookForNew, type SeenText, type TextLines, viewOf } from './newText.ts';
import { type Found, JoinedText, type SearchResult } from './searchLines.ts';
import type { Pattern } from './searchPattern.ts';

/** The input of a judgement: always the current frame, and the events up to it. Clock times are monotonic. */
export interface WaitInput {
  readonly nowMs: number;
  readonly taken: TakenFrame;
  /** Rows that left the screen since the last input, in order. */
  readonly left: readonly FrameRow[];
  /** Returns the rows above the screen, oldest first; called only if the wait searches there. */
  above(): readonly FrameRow[];
  /** Redacts lines for a `redacted` query; null if nothing changes. */
  told(scope: Scope, lines: TextLines): readonly RedactedRow[] | null;
  /** A command has ended since the wait began. */
  readonly hasEnded: boolean;
  /** Output waits to be parsed, so it is unknown whether the screen is stable. */
  readonly isBehind: boolean;
  /** The shell is at a trusted prompt that counts for this wait. */
  readonly isAtPrompt: boolean;
  /** State of the coding agent in the terminal; null without one. */
  readonly agent: AgentState | null;
  readonly exit: WaitResult['exit'];
}

/** A wait between two inputs. */
export interface WaitState {
  readonly query: WaitQuery;
  readonly deadlineMs: number;
  /** The `seq` and epoch from which any difference counts as a change. */
  readonly base: Pick<Frame, 'seq' | 'epoch'>;
  /** The frame of `base`; null if it is no longer known. */
  readonly baseFrame: Frame | null;
  readonly seen: SeenText;
  readonly last: TakenFrame | null;
  readonly restless: VolatileRows;
  /** Per condition: the time of the last change that counts. */
  readonly stillSinceMs: readonly number[];
  readonly judgedMs: number;
  /** Results for the last frame, so that no pattern is tried twice on the same text. */
  readonly tries: readonly Try[];
}

/** Result of one search in one frame: a match that counts, none, or the pattern's fault. */
interface Try {
  readonly match: WaitMatch | null;
  /** Part of the match is new or changed since the wait began. */
  readonly isNew: boolean;
  readonly fault: { outcome: 'bad-pattern' | 'slow-pattern'; reason: string } | null;
}

export type WaitVerdict = Pick<WaitResult, 'outcome' | 'met' | 'match' | 'isImmediate' | 'reason'>;
export type Search = (pattern: Pattern, text: string) => SearchResult;

type Scope = Extract<WaitCondition, { type: 'match' }>['scope'];

const NOT_TRIED: Try = { match: null, isNew: false, fault: null };

/**
 * Judges a wait on one frame. Returns its next state, and a verdict when it is over: a met condition comes before an exit, an exit
 * before the deadline. `search` tries a pattern once per frame.
 */
export function judgeWait(state: WaitState, input: WaitInput, search: Search): [WaitState, WaitVerdict | null] {
  const next = take(state, input, search);
  const met = state.query.conditions.flatMap((condition, at) => (isMet(condition, at, next, input) ? [at] : []));
  const isOver = state.query.mode === 'any' ? met.length > 0 : met.length === state.query.conditions.length;
  const tried = met.map((at) => next.tries[at]).find((one) => one && one.match !== null);
  const match = tried?.match ?? null;
  const isImmediate = state.last === null && tried?.isNew === false;
  const verdict = (outcome: WaitVerdict['outcome'], reason: string | null = null): [WaitState, WaitVerdict] => [
    next,
    { outcome, met, match, isImmediate, reason },
  ];
  if (isOver) return verdict('met');
  const fault = next.tries.find((tried) => tried.fault !== null)?.fault;
  if (fault) return verdict(fault.outcome, fault.reason);
  if (input.exit) return verdict('exited');
  return input.nowMs >= state.deadlineMs ? verdict('deadline') : [next, null];
}

/** Time at which the wait must be judged again even without output. */
export function nextJudgeMs({ query, deadlineMs, stillSinceMs, restless, judgedMs }: WaitState): number {
  const dues = query.conditions.flatMap((condition, at) => {
    if (condition.type === 'stable') return [(stillSinceMs[at] ?? 0) + condition.ms];
    const isPending =
      condition.type === 'changed' && condition.ignoreRows === 'auto' && restless.countsFromMs > judgedMs;
    return isPending ? [restless.countsFromMs] : [];
  });
  return Math.min(deadlineMs, ...dues);
}

/** True if the wait searches new text, so that all output is needed. */
export function needsAllText({ conditions }: WaitQuery): boolean {
  return conditions.some((condition) => condition.type === 'match' && condition.scope === 'new');
}

function take(state: WaitState, input: WaitInput, search: Search): WaitState {
  const { taken, nowMs } = input;
  const judged = { ...state, last: taken, judgedMs: nowMs };
  if (input.left.length === 0 && isSameText(state, taken)) return judged;
  const [seen, lines] = lookForNew(state.seen, viewOf(taken), input.left);
  const { restless, isStirred } = restlessAfter(state, input);
  const before = state.last?.frame;
  const stillSinceMs = state.stillSinceMs.map((sinceMs, at) => {
    const condition = state.query.conditions[at];
    const ignored = condition?.type === 'stable' ? condition.ignoreRows : [];
    return before && hasChanged(before, taken.frame, { ignored, isStirred }) ? nowMs : sinceMs;
  });
  const tries = tryAll(state.query, { lines, seq: taken.frame.seq, input }, search);
  return { ...judged, seen, restless, stillSinceMs, tries };
}

/** True if a search would find the same text as at the last judgement: rows may have scrolled past while the screen looks the same. */
function isSameText({ last, query }: WaitState, { frame, scrolled, uncounted }: TakenFrame): boolean {
  if (last?.frame.seq !== frame.seq) return false;
  return (last.scrolled === scrolled && last.uncounted === uncounted) || !looksAbove(query);
}

function looksAbove({ conditions }: WaitQuery): boolean {
  return conditions.some((condition) => condition.type === 'match' && condition.scope === 'scrollback');
}

/** If a wait begins with an earlier frame, the changes up to its first judgement are dated to the screen's last change. */
function restlessAfter(
  { restless, last, baseFrame, stillSinceMs }: WaitState,
  { taken, nowMs }: WaitInput,
): { restless: VolatileRows; isStirred: boolean } {
  const before = last?.frame ?? baseFrame;
  if (!before) return { restless, isStirred: false };
  const atMs = last ? nowMs : Math.min(nowMs, ...stillSinceMs);
  const { next, isStirred } = restless.after(before, taken.frame, atMs);
  return { restless: next, isStirred };
}

function hasChanged(
  before: Frame,
  now: Frame,
  { ignored, isStirred }: { ignored: IgnoredRows; isStirred: boolean },
): boolean {
  return ignored === 'auto' ? isStirred : !looksSame(without(before, ignored), without(now, ignored));
}

interface SearchedText {
  readonly lines: TextLines;
  readonly seq: number;
  readonly input: Pick<WaitInput, 'above' | 'told'>;
}

function tryAll({ conditions, redacted }: WaitQuery, { lines, seq, input }: SearchedText, search: Search): Try[] {
  const texts = textsOf(lines, { above: () => input.above(), told: (...of) => (redacted ? input.told(...of) : null) });
  return conditions.map((condition) => {
    if (condition.type !== 'match' && condition.type !== 'absent') return NOT_TRIED;
    const scope = condition.type === 'match' ? condition.scope : 'screen';
    const isNewOnly = scope === 'new';
    const joined = texts(scope);
    const result = search(condition, joined.text);
    if (result.type !== 'found') return { ...NOT_TRIED, fault: faultOf(result) };
    const isNew = ({ index, text }: Found): boolean => joined.isNew(index, index + text.length);
    const found = result.found.find((one) => !isNewOnly || isNew(one));
    return found ? { match: joined.match(found, seq), isNew: isNew(found), fault: null } : NOT_TRIED;
  });
}

/** The text that each scope searches, made when it is first needed. */
function textsOf(lines: TextLines, { above, told }: SearchedText['input']): (scope: Scope) => JoinedText {
  const made = new Map<Scope, JoinedText>();
  const screen = lines.lines.slice(lines.above);
  const onScreen = { lines: screen, newness: lines.newness.slice(lines.above), above: 0 };
  const make: Record<Scope, () => TextLines> = {
    new: () => lines,
    screen: () => onScreen,
    scrollback: () => {
      const held = above();
      return { lines: [...held, ...screen], newness: [], above: held.length };
    },
  };
  return (scope) => {
    const known = made.get(scope);
    if (known) return known;
    const own = make[scope]();
    const text = new JoinedText(own, told(scope, own));
    made.set(scope, text);
    return text;
  };
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
      return isChanged(condition.ignoreRows ?? [], state, input);
    case 'stable':
      return !input.isBehind && input.nowMs - (state.stillSinceMs[at] ?? input.nowMs) >= condition.ms;
    case 'block-end':
      return input.hasEnded;
    case 'prompt':
      return input.isAtPrompt;
    case 'agent':
      return input.agent !== null && condition.states.includes(input.agent);
    case 'exit':
      return input.exit !== null;
  }
}

/** True if the screen differs from the wait's start. With `auto`, a change of few rows counts once it is known not to be a clock's. */
function isChanged(ignored: IgnoredRows, state: WaitState, { taken: { frame }, nowMs }: WaitInput): boolean {
  const { base, baseFrame, restless } = state;
  if (base.seq === frame.seq && base.epoch === frame.epoch) return false;
  if (!baseFrame || ignored.length === 0) return true;
  if (ignored === 'auto') return nowMs >= restless.countsFromMs;
  return !looksSame(without(baseFrame, ignored), without(frame, ignored));
}

function without(frame: Frame, ignored: readonly number[]): Frame {
  return ignored.length === 0 ? frame : { ...frame, rows: frame.rows.filter((_, row) => !ignored.includes(row)) };
}
