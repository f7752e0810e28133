import type { AgentState } from '../../contract/chat/chat.ts';
import type { ScreenQuery, ScreenReading, SeqMismatch, WaitQuery, WaitResult } from '../../contract/screen/screen.ts';
import type { ScreenDelta, ScreenSnapshot } from '../../contract/screen/screenRecord.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { MarkKind } from '../emulator/CommandMarks.ts';
import type { ScreenModel } from '../emulator/ScreenModel.ts';
import { FrameFollower } from '../frames/FrameFollower.ts';
import { FrameHistory, type TakenFrame } from '../frames/FrameHistory.ts';
import { snapshotOf } from '../frames/frameDelta.ts';
import { frameHash } from '../frames/frameHash.ts';
import type { TellRows } from '../rows/RedactedRow.ts';
import { JudgementPace } from './JudgementPace.ts';
import type { WaitVerdict } from './judgeWait.ts';
import { type Happened, isMismatch, type Moment, ScreenWaits, type WaitEvents } from './ScreenWaits.ts';
import { WakeTimer } from './WakeTimer.ts';

/** Rows of scrollback in a snapshot. */
const SNAPSHOT_SCROLLBACK = 100;

interface Deps {
  terminalId: string;
  /** The part of the epoch that is unique to this emulator. */
  run: string;
  model: ScreenModel;
  clock: Clock;
  /** Redacts rows for waits whose client may not see all of them. */
  tellRows: TellRows;
  tell(delta: ScreenDelta): void;
  waited(call: number, result: WaitResult): void;
  /** Called after each of many judgements: a thousand may take longer than a worker may be silent. */
  live(): void;
  /** True while output waits to be parsed. */
  isBehind(): boolean;
}

/** The readers, the waits and the record of one screen. Takes frames only for them, and never more than they can use. */
export class ScreenWatch implements IDisposable {
  readonly #deps: Deps;
  readonly #history = new FrameHistory();
  readonly #waits: ScreenWaits;
  readonly #follower: FrameFollower;
  #isFollowed = false;
  readonly #happened: Happened = {
    ends: 0,
    prompts: 0,
    isAtPrompt: false,
    agent: null,
    exit: null,
  };
  /** Bytes were parsed since waits, or the follower, last got a frame. */
  #isUnjudged = false;
  #isUntold = false;
  #lastJudged: TakenFrame | undefined;
  readonly #pace = new JudgementPace();
  /** Latest time at which the screen may have changed. */
  #changedMs: number;
  readonly #timer: WakeTimer;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#changedMs = deps.clock.monotonicMs();
    this.#timer = new WakeTimer(deps.clock, () => this.#woken());
    this.#follower = new FrameFollower((taken) => this.#epochOf(taken));
    const events = {
      answer: (...[call, ...rest]: Parameters<WaitEvents['answer']>) => this.#answer(call, ...rest),
      live: deps.live,
    };
    this.#waits = new ScreenWaits(deps.model, events, deps.tellRows);
  }

  /** True if no output may be skipped, because a wait searches text that may scroll off at once. */
  get needsAllText(): boolean {
    return this.#waits.needsAllText;
  }

  /** The shell has exited, and no other was started. */
  get hasExited(): boolean {
    return this.#happened.exit !== null;
  }

  get hasWaits(): boolean {
    return this.#waits.size > 0;
  }

  /** Call this when the screen may have changed. */
  changed(): void {
    this.#isUnjudged = true;
    this.#isUntold = true;
    this.#changedMs = this.#deps.clock.monotonicMs();
  }

  /** Call this after the last parsing of a turn: judges and sends frames if there are readers. */
  settle(): void {
    if (this.#waits.size === 0 && !this.#isFollowed && !this.#timer.isSet) return;
    const { clock, isBehind } = this.#deps;
    const nowMs = clock.monotonicMs();
    if (this.#waits.size > 0 && this.#isUnjudged && this.#pace.isTime(nowMs, isBehind)) this.#judge();
    if (this.#isFollowed && this.#isUntold && nowMs >= this.#follower.dueMs) this.#tellFollower(nowMs);
    this.#plan();
  }

  read(query: ScreenQuery): ScreenReading | SeqMismatch {
    return this.#reading(query, this.#deps.model.frames.take());
  }

  wait(call: number, query: WaitQuery): SeqMismatch | null {
    // skipped if nothing has changed: a thousand new waits must not cost a million judgements
    if (this.#waits.size > 0 && this.#isUnjudged) this.#judge();
    const moment = this.#moment();
    this.#isUnjudged = this.#deps.model.frames.holdMs > 0;
    this.#lastJudged = moment.taken;
    const { frame } = moment.taken;
    const mismatch = this.#isOurs(query.epoch, frame.epoch) ? isMismatch(query, frame.seq) : null;
    if (mismatch) return mismatch;
    const since = query.resume?.seq ?? query.since;
    const known = since !== undefined && this.#isOurs(query.epoch, frame.epoch) ? this.#history.find(since) : undefined;
    const told = known?.frame.epoch === frame.epoch ? known : undefined;
    const isEmptiedSince = since !== undefined && !told && this.#isEarlier(query.epoch, known, frame.epoch);
    this.#waits.open(call, query, { told, isEmptiedSince, changedMs: this.#changedMs, moment });
    this.#plan();
    return null;
  }

  stopWait(call: number): void {
    this.#waits.close(call);
    this.#plan();
  }

  follow(isOn: boolean): void {
    this.#isFollowed = isOn;
    this.#follower.restart();
    this.#isUntold = true;
    this.settle();
  }

  snapshot(): ScreenSnapshot {
    if (this.#isFollowed) this.#tellFollower(this.#deps.clock.monotonicMs());
    const { frames } = this.#deps.model;
    const taken = frames.take();
    return snapshotOf(taken.frame, frames.rowsAbove(SNAPSHOT_SCROLLBACK), this.#stamp(taken));
  }

  /** The shell's cycle reaches `kind` right after the parsed bytes. */
  happened(kind: MarkKind): void {
    if (kind === 'begin') this.#happened.isAtPrompt = false;
    else if (kind === 'end') this.#happened.ends += 1;
    else if (kind === 'prompt') {
      this.#happened.prompts += 1;
      this.#happened.isAtPrompt = true;
    } else return;
    this.#isUnjudged = true;
    // waits that `kind` ends need a frame of this exact position; output that consists only of marks is judged at intervals
    const isResting = this.#pace.isResting(this.#deps.clock.monotonicMs());
    if (this.#waits.size > 0 && (!isResting || this.#waits.endsWith(kind))) this.#judge();
  }

  agent(state: AgentState | null): void {
    this.#happened.agent = state;
    if (this.#waits.size > 0) this.#judge();
  }

  exited(exit: WaitResult['exit']): void {
    this.#happened.exit = exit;
    this.#happened.isAtPrompt = false;
    if (this.#waits.size > 0) this.#judge();
  }

  dispose(): void {
    this.#timer.dispose();
  }

  #judge(): void {
    const { clock } = this.#deps;
    const beganMs = clock.monotonicMs();
    const moment = this.#moment();
    this.#lastJudged = moment.taken;
    this.#isUnjudged = this.#deps.model.frames.holdMs > 0;
    this.#waits.judge(moment);
    this.#pace.judged(beganMs, clock.monotonicMs());
  }

  /** The current frame; in a synchronized update the one judged before, and rows that leave meanwhile are reported when it ends. */
  #moment(): Moment {
    const { model, clock, isBehind } = this.#deps;
    const isHeld = model.frames.holdMs > 0 && this.#lastJudged !== undefined && this.#waits.size > 0;
    const taken = isHeld && this.#lastJudged ? this.#lastJudged : model.frames.take();
    return {
      nowMs: clock.monotonicMs(),
      taken,
      left: isHeld ? [] : model.leaving.take(),
      happened: { ...this.#happened },
      isBehind: isBehind(),
    };
  }

  #tellFollower(nowMs: number): void {
    const delta = this.#follower.tell(this.#deps.model.frames.take(), nowMs);
    this.#isUntold = this.#deps.model.frames.holdMs > 0;
    if (delta) this.#deps.tell(delta);
  }

  /** Sets the timer for the next work that is due without output. */
  #plan(): void {
    const { clock, model } = this.#deps;
    const { holdMs } = model.frames;
    const nowMs = clock.monotonicMs();
    const dues: number[] = [];
    if (this.#waits.size > 0) {
      dues.push(this.#waits.dueMs);
      if (this.#isUnjudged) dues.push(Math.max(this.#pace.restUntilMs, nowMs + holdMs));
    }
    if (this.#isFollowed && this.#isUntold) dues.push(Math.max(this.#follower.dueMs, nowMs + holdMs));
    this.#timer.set(Math.min(Number.POSITIVE_INFINITY, ...dues), nowMs);
  }

  #woken(): void {
    if (this.#waits.size > 0) this.#judge();
    this.settle();
  }

  #reading(query: ScreenQuery, taken: TakenFrame): ScreenReading | SeqMismatch {
    const { terminalId, model } = this.#deps;
    const { frame, atMs } = taken;
    const epoch = this.#epochOf(taken);
    const answer = this.#history.answer(query, frame, epoch);
    if ('error' in answer) return answer;
    this.#history.push({ ...taken, ends: this.#happened.ends, prompts: this.#happened.prompts });
    const scrollback = query.scrollback > 0 ? model.frames.rowsAbove(query.scrollback) : [];
    const hash = frameHash(frame);
    const shown = answer.full || !query.withFrame ? answer : { ...answer, frame };
    return { terminalId, seq: frame.seq, epoch, hash, atMs, source: 'live', scrollback, ...shown };
  }

  #answer(call: number, verdict: WaitVerdict, { taken, happened }: Moment, query: WaitQuery): void {
    const since = query.whole ? undefined : (query.resume?.seq ?? query.since);
    const { epoch, scrollback } = query;
    const reading = this.#reading({ since, epoch, scrollback } as ScreenQuery, taken);
    const { exit } = happened;
    const commandLines = this.#deps.model.shellText.isKnown ? 'excluded' : 'unknown';
    this.#deps.waited(call, {
      ...verdict,
      commandLines,
      waitedMs: 0,
      exit,
      reading: 'error' in reading ? null : reading,
    });
  }

  #epochOf({ frame }: TakenFrame): string {
    return `${this.#deps.run}.${frame.epoch}`;
  }

  #stamp(taken: TakenFrame): { epoch: string; ts: number } {
    return { epoch: this.#epochOf(taken), ts: taken.atMs };
  }

  /** Without an epoch, a query means the current one. */
  #isOurs(epoch: string | undefined, now: number): boolean {
    return epoch === undefined || epoch === `${this.#deps.run}.${now}`;
  }

  /** True if the epoch, or the known frame's, is an earlier one of this emulator. */
  #isEarlier(epoch: string | undefined, known: TakenFrame | undefined, now: number): boolean {
    if (known) return known.frame.epoch < now;
    return epoch !== undefined && !this.#isOurs(epoch, now) && epoch.startsWith(`${this.#deps.run}.`);
  }
}
