import type { AgentState } from '../../contract/chat/chat.ts';
import type { FrameRow } from '../../contract/screen/frame.ts';
import type { SeqMismatch, WaitQuery, WaitResult } from '../../contract/screen/screen.ts';
import type { ScreenModel } from '../emulator/ScreenModel.ts';
import type { TakenFrame, ToldFrame } from '../frames/FrameHistory.ts';
import type { TellRows } from '../rows/RedactedRow.ts';
import { VolatileRows } from '../rows/VolatileRows.ts';
import { FrameSurroundings, withoutLast } from './FrameSurroundings.ts';
import { judgeWait, needsAllText, nextJudgeMs, type WaitInput, type WaitState, type WaitVerdict } from './judgeWait.ts';
import { beginSeen, type ScreenView, type SeenText, viewOf } from './newText.ts';
import { searchPattern } from './searchPattern.ts';

/** Rows above the screen that a search covers: as many as one read returns. */
const MAX_SEARCHED_ABOVE = 1000;
/** Rows to remember after they left, because the next rows may continue them. The longest such text is a key. */
const REMEMBERED_ROWS = 256;

/** State besides the screen that decides waits. Counts never restart. */
export interface Happened {
  ends: number;
  prompts: number;
  isAtPrompt: boolean;
  /** State of the coding agent; null without one. */
  agent: AgentState | null;
  exit: WaitResult['exit'];
}

/** A moment at which waits are judged. */
export interface Moment {
  nowMs: number;
  taken: TakenFrame;
  left: readonly FrameRow[];
  happened: Happened;
  isBehind: boolean;
}

/** The starting point of a wait. */
export interface WaitBase {
  /** The frame of `since` or `resume`, if it is still known. */
  told: ToldFrame | undefined;
  /** The reader's epoch is an earlier one of this emulator, which was emptied since: all its text is new. */
  isEmptiedSince: boolean;
  /** Latest time at which the screen may have changed. */
  changedMs: number;
}

interface OpenWait {
  state: WaitState;
  /** Counts that must be exceeded. */
  ends: number;
  prompts: number;
}

export interface WaitEvents {
  answer(call: number, verdict: WaitVerdict, moment: Moment, query: WaitQuery): void;
  /** Called after each judged wait. */
  live(): void;
}

/** The surroundings of a judged frame, and the rows that left before those of the moment. */
interface Around {
  readonly frame: FrameSurroundings;
  before(count: number): readonly FrameRow[];
}

/** All waits on one screen. They are judged at the same moments, so that they can share the rows that left in between. */
export class ScreenWaits {
  readonly #model: ScreenModel;
  readonly #events: WaitEvents;
  readonly #tell: TellRows;
  readonly #waits = new Map<number, OpenWait>();
  /** Number of waits that need all output. */
  #textWaits = 0;
  /** Rows that left while a `redacted` wait needs all output; null if there is none. */
  #gone: readonly FrameRow[] | null = null;
  /** Time of the next judgement; undefined when it must be computed again. */
  #dueMs: number | undefined = Number.POSITIVE_INFINITY;

  constructor(model: ScreenModel, events: WaitEvents, tell: TellRows) {
    this.#model = model;
    this.#events = events;
    this.#tell = tell;
  }

  get size(): number {
    return this.#waits.size;
  }

  /** True if a wait needs all output. */
  get needsAllText(): boolean {
    return this.#textWaits > 0;
  }

  /** Time at which waits must be judged again even without output. */
  get dueMs(): number {
    this.#dueMs ??= [...this.#waits.values()].reduce(
      (least, { state }) => Math.min(least, nextJudgeMs(state)),
      Number.POSITIVE_INFINITY,
    );
    return this.#dueMs;
  }

  /** True if `kind` alone ends a wait, whatever its other conditions. */
  endsWith(kind: 'begin' | 'end' | 'prompt'): boolean {
    const type = kind === 'end' ? 'block-end' : kind;
    return [...this.#waits.values()].some(
      ({ state: { query } }) => query.mode === 'any' && query.conditions.some((condition) => condition.type === type),
    );
  }

  /** Begins a wait and judges it at once. Any other open wait must have been judged at the same `moment`. */
  open(call: number, query: WaitQuery, base: WaitBase & { moment: Moment }): void {
    const { told, moment } = base;
    const isSince = query.since !== undefined || query.resume !== undefined;
    const [seen, left] = this.#begin(query, base);
    const { frame } = moment.taken;
    const seq = base.isEmptiedSince ? -1 : (query.resume?.seq ?? query.since ?? frame.seq);
    const wait: OpenWait = {
      state: {
        query,
        deadlineMs: moment.nowMs + query.timeoutMs,
        base: { seq, epoch: frame.epoch },
        baseFrame: told?.frame ?? (isSince ? null : frame),
        seen,
        last: null,
        restless: VolatileRows.NONE,
        stillSinceMs: query.conditions.map(() => base.changedMs),
        judgedMs: moment.nowMs,
        tries: [],
      },
      ends: told?.ends ?? moment.happened.ends,
      prompts: isSince ? (told?.prompts ?? moment.happened.prompts) : -1,
    };
    this.#waits.set(call, wait);
    if (needsAllText(query)) this.#textWaits += 1;
    const dueMs = this.#dueMs;
    const around = new FrameSurroundings(this.#model, moment.taken);
    const before = (count: number) => withoutLast(around.above(count + left.length), left.length);
    this.#judge(call, wait, { moment: { ...moment, left }, around: { frame: around, before } });
    if (isTold(query) && this.#waits.has(call)) this.#gone ??= around.above(REMEMBERED_ROWS);
    if (dueMs !== undefined && this.#waits.has(call)) this.#dueMs = Math.min(dueMs, nextJudgeMs(wait.state));
    this.#model.leaving.collect(this.needsAllText);
  }

  close(call: number): void {
    const query = this.#waits.get(call)?.state.query;
    if (!query) return;
    this.#waits.delete(call);
    this.#dueMs = undefined;
    if (needsAllText(query)) this.#textWaits -= 1;
    if (![...this.#waits.values()].some(({ state }) => isTold(state.query))) this.#gone = null;
    this.#model.leaving.collect(this.needsAllText);
  }

  judge(moment: Moment): void {
    const gone = this.#gone ?? [];
    const around = {
      frame: new FrameSurroundings(this.#model, moment.taken),
      before: (count: number) => gone.slice(Math.max(0, gone.length - count)),
    };
    for (const [call, wait] of [...this.#waits]) this.#judge(call, wait, { moment, around });
    if (moment.left.length > 0) this.#gone &&= [...this.#gone, ...moment.left].slice(-REMEMBERED_ROWS);
  }

  #judge(call: number, wait: OpenWait, { moment, around }: { moment: Moment; around: Around }): void {
    const { happened, ...seen } = moment;
    const input: WaitInput = {
      ...seen,
      above: () => around.frame.above(MAX_SEARCHED_ABOVE),
      told: (scope, lines) => around.frame.told(scope, lines, { tell: this.#tell, before: around.before }),
      hasEnded: happened.ends > wait.ends,
      isAtPrompt: happened.isAtPrompt && happened.prompts > wait.prompts,
      agent: happened.agent,
      exit: happened.exit,
    };
    const [state, verdict] = judgeWait(wait.state, input, searchPattern);
    wait.state = state;
    this.#dueMs = undefined;
    this.#events.live();
    if (!verdict) return;
    this.close(call);
    this.#events.answer(call, verdict, moment, state.query);
  }

  /** The text that the wait has seen, and the rows that left since. Without a known start frame nothing is new yet: old text must not match. */
  #begin(
    { resume }: WaitQuery,
    { told, isEmptiedSince, moment }: WaitBase & { moment: Moment },
  ): [SeenText, FrameRow[]] {
    const hidden = this.#model.frames.hiddenRows();
    const now = viewOf(moment.taken);
    if (isEmptiedSince) return [beginSeen(now, hidden, { row: 0, col: 0 }), []];
    if (!told) return [beginSeen(now, hidden), []];
    const isHere = told.frame.altScreen === moment.taken.frame.altScreen;
    const hiddenThen = told.frame.altScreen && isHere ? hidden : null;
    const scrolled = now.scrolled - told.scrolled;
    const wanted = Math.max(0, -(resume?.row ?? 0));
    const left = now.altScreen ? [] : this.#model.frames.rowsAbove(scrolled + wanted);
    const above = left.slice(0, Math.max(0, left.length - scrolled));
    const place = resume && { row: Math.max(0, resume.row), col: above.length < wanted ? 0 : resume.col };
    return [beginSeen(withAbove(viewOf(told), above), hiddenThen, place), left];
  }
}

/** True if the wait searches redacted rows, including rows that have left. */
function isTold(query: WaitQuery): boolean {
  return query.redacted === true && needsAllText(query);
}

/** The screen extended by rows from above it. */
function withAbove(view: ScreenView, above: readonly FrameRow[]): ScreenView {
  return { ...view, rows: [...above, ...view.rows], scrolled: view.scrolled - above.length };
}

export function isMismatch(
  query: { since?: number | undefined; resume?: WaitQuery['resume'] },
  seq: number,
): SeqMismatch | null {
  const since = query.resume?.seq ?? query.since;
  return since !== undefined && since > seq ? { error: 'seq-mismatch', seq } : null;
}
