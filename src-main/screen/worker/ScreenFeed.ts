import type { AgentState } from '../../contract/chat/chat.ts';
import type { ScreenStep } from '../../contract/chat/extractor.ts';
import type { Frame, TerminalColors } from '../../contract/screen/frame.ts';
import type { ScreenQuery, ScreenReading, SeqMismatch, WaitQuery, WaitResult } from '../../contract/screen/screen.ts';
import type { ScreenDelta, ScreenSnapshot } from '../../contract/screen/screenRecord.ts';
import { Disposables, type IDisposable, toDisposable } from '../../util/Disposables.ts';
import { Emitter } from '../../util/Emitter.ts';
import type { MarkKind } from '../emulator/CommandMarks.ts';
import type { ScreenSize } from '../emulator/ScreenModel.ts';
import type { ScreenInput } from '../rows/promptText.ts';
import { GONE } from '../waits/judgeStanding.ts';
import { BatchSender } from './BatchSender.ts';
import type { Batch } from './batches.ts';
import type { FeedDeps, Rebuild } from './feedDeps.ts';
import { replayFeed } from './replayFeed.ts';
import type { ScreenDegraded, ScreenHandle, ScreenReply, ScreenSpec } from './ScreenHandle.ts';
import type { Answer, BeginRow, FromWorker, Question, StateAnswer, ToWorker } from './screenProtocol.ts';
import { threadsMs } from './screenProtocol.ts';
import { StepUnpacker } from './sendSteps.ts';

export type { ScreenDegraded, ScreenHandle, ScreenSpec };

/** A backlog that is parsed in a few milliseconds: the program may continue. */
export const DRAINED_BYTES = 256 * 1024;
/** Sends one terminal's bytes to the worker and keeps what a new worker would need. */
export class ScreenFeed implements ScreenHandle {
  readonly #owned = new Disposables();
  readonly #slot: number;
  readonly #spec: ScreenSpec;
  readonly #deps: FeedDeps;
  readonly #reply = this.#owned.add(new Emitter<ScreenReply>());
  readonly #drain = this.#owned.add(new Emitter<void>());
  readonly #delta = this.#owned.add(new Emitter<ScreenDelta>());
  readonly #step = this.#owned.add(new Emitter<ScreenStep>());
  readonly #unpacker = new StepUnpacker();
  readonly #degraded = this.#owned.add(new Emitter<ScreenDegraded>());
  #size: ScreenSize;
  #colors: TerminalColors | undefined;
  #agent: AgentState | null = null;
  #exit: WaitResult['exit'] = null;
  readonly #batches: BatchSender;
  #checkpoint: StateAnswer | undefined;
  #isClosed = false;

  readonly onReply = this.#reply.on;
  readonly onDrain = this.#drain.on;
  readonly onDegraded = this.#degraded.on;

  constructor(slot: number, spec: ScreenSpec, deps: FeedDeps) {
    this.#slot = slot;
    this.#spec = spec;
    this.#deps = deps;
    this.#size = { cols: spec.cols, rows: spec.rows };
    this.#batches = this.#owned.add(
      new BatchSender(spec.startOffset, deps, (fed) => this.#post({ type: 'feed', slot, ...fed })),
    );
    this.#open(spec.startOffset, '', this.#size);
  }

  get backlogBytes(): number {
    return this.#batches.backlog.length;
  }

  write(bytes: Uint8Array, offset: number): void {
    if (this.#isClosed || bytes.length === 0) return;
    this.#batches.write(bytes, offset);
  }

  mark(kind: MarkKind, offset: number): void {
    if (this.#isClosed) return;
    this.#batches.mark({ kind, offset });
  }

  resize(size: ScreenSize): void {
    this.#batches.flush();
    this.#size = { cols: size.cols, rows: size.rows };
    this.#post({ type: 'resize', slot: this.#slot, size: this.#size });
  }

  setColors(colors: TerminalColors): void {
    this.#colors = colors;
    this.#post({ type: 'colors', slot: this.#slot, colors });
  }

  async serialize(): Promise<StateAnswer> {
    return (await this.#ask('serialize')) as StateAnswer;
  }

  async frame(): Promise<Frame> {
    return (await this.#ask('frame')) as Frame;
  }

  async read(query: ScreenQuery): Promise<ScreenReading | SeqMismatch> {
    return (await this.#ask({ read: query })) as ScreenReading | SeqMismatch;
  }

  async wait(query: WaitQuery, signal?: AbortSignal): Promise<WaitResult | SeqMismatch> {
    const beganMs = this.#deps.clock.monotonicMs();
    const waitedMs = () => Math.round(this.#deps.clock.monotonicMs() - beganMs);
    try {
      const result = (await this.#ask({ wait: query, askedMs: threadsMs() }, signal)) as WaitResult | SeqMismatch;
      return 'error' in result ? result : { ...result, waitedMs: waitedMs() };
    } catch (error) {
      if (signal?.aborted || !this.#isClosed) throw error;
      return { ...GONE, waitedMs: waitedMs() };
    }
  }

  async snapshot(): Promise<ScreenSnapshot> {
    return (await this.#ask('snapshot')) as ScreenSnapshot;
  }

  follow(listener: (delta: ScreenDelta) => void): IDisposable {
    let hasKeyframe = false;
    const following = this.#delta.on((delta) => {
      hasKeyframe ||= delta.keyframe === true;
      if (hasKeyframe) listener(delta);
    });
    this.keyframe();
    return toDisposable(() => {
      following.dispose();
      if (this.#delta.size === 0) this.#post({ type: 'follow', slot: this.#slot, isOn: false });
    });
  }

  keyframe(): void {
    this.#batches.flush();
    this.#post({ type: 'follow', slot: this.#slot, isOn: true });
  }

  followSteps(listener: (step: ScreenStep) => void): IDisposable {
    const following = this.#step.on(listener);
    this.#followSteps(true);
    return toDisposable(() => {
      following.dispose();
      if (this.#step.size === 0) this.#followSteps(false);
    });
  }

  async lastStep(): Promise<void> {
    await this.#ask('lastStep');
  }

  async drawn(): Promise<Frame> {
    return (await this.#ask('drawn')) as Frame;
  }

  agent(state: AgentState | null): void {
    if (state === this.#agent) return;
    this.#batches.flush();
    this.#agent = state;
    this.#post({ type: 'agent', slot: this.#slot, state });
  }

  exited(exit: WaitResult['exit']): void {
    this.#batches.flush();
    this.#exit = exit;
    this.#post({ type: 'exit', slot: this.#slot, exit });
  }

  async commandText(): Promise<string | null> {
    return (await this.#ask('commandText')) as string | null;
  }

  async beginRows(): Promise<BeginRow[]> {
    return (await this.#ask('beginRows')) as BeginRow[];
  }

  async bracketedPaste(): Promise<boolean> {
    return (await this.#ask('bracketedPaste')) as boolean;
  }

  async input(isMarked = false): Promise<ScreenInput> {
    return (await this.#ask(isMarked ? 'markInput' : 'input')) as ScreenInput;
  }

  dispose(): void {
    if (this.#isClosed) return;
    this.#post({ type: 'close', slot: this.#slot });
    this.#isClosed = true;
    this.#owned.dispose();
    this.#deps.closed();
  }

  /** Handles a message of the worker about this terminal. */
  handleMessage(message: Extract<FromWorker, { slot: number }>): void {
    switch (message.type) {
      case 'parsed':
        this.#parsedTo(message.offset);
        return;
      case 'reply':
        this.#reply.fire({
          ...{ text: message.data, offset: message.offset },
          isLate: message.offset < this.#batches.commandEnd,
        });
        return;
      case 'delta':
        this.#delta.fire(message.delta);
        return;
      case 'step':
        this.#step.fire(this.#unpacker.unpack(message.step));
        return;
      case 'checkpoint':
        this.#checkpoint = message.state;
        this.#batches.passed.forgetBefore(message.state.offset);
        return;
      case 'broken':
        this.#checkpoint = undefined;
        this.#degraded.fire({ offset: message.offset, reason: message.reason });
    }
  }

  /** There will be no worker any more: resolves everything that waits, so that the program is not blocked. */
  giveUp(reason: string): void {
    this.#isClosed = true;
    this.#batches.backlog.giveUp();
    this.#degraded.fire({ offset: this.#batches.backlog.sentEnd, reason });
    this.#parsedTo(this.#batches.backlog.sentEnd);
  }

  /** Brings a new worker up to date, see `replayFeed`. If bytes are missing, the screen reports that it is degraded. */
  rebuild(skip: { from: number; to: number } | undefined, { reason, questions }: Rebuild): void {
    const base = this.#checkpoint ?? { data: '', offset: this.#spec.startOffset, ...this.#size };
    this.#open(base.offset, base.data, base);
    if (base.cols !== this.#size.cols || base.rows !== this.#size.rows) {
      this.#post({ type: 'resize', slot: this.#slot, size: this.#size });
    }
    if (this.#colors) this.#post({ type: 'colors', slot: this.#slot, colors: this.#colors });
    const held = this.#heldSince(base.offset);
    const { parsedEnd, sentEnd } = this.#batches.backlog;
    const again = { held, skip, parsedEnd, sentEnd, base: base.offset, passed: this.#batches.passed, questions };
    replayFeed(again, (fed) => this.#post({ type: 'feed', slot: this.#slot, ...fed }));
    const start = held[0]?.offset ?? sentEnd;
    if (skip || start > base.offset) this.#degraded.fire({ offset: skip?.to ?? start, reason });
    if (this.#agent) this.#post({ type: 'agent', slot: this.#slot, state: this.#agent });
    if (this.#exit) this.#post({ type: 'exit', slot: this.#slot, exit: this.#exit });
    if (this.#delta.size > 0) this.#post({ type: 'follow', slot: this.#slot, isOn: true });
    if (this.#step.size > 0) this.#followSteps(true);
  }

  #followSteps(isOn: boolean): void {
    this.#batches.flush();
    this.#post({ type: 'steps', slot: this.#slot, isOn });
  }

  #open(offset: number, state: string, size: ScreenSize): void {
    const { scrollbackLines, answersFrom = 0 } = this.#spec;
    this.#post({
      type: 'open',
      slot: this.#slot,
      spec: {
        terminalId: this.#deps.id,
        run: this.#deps.nameRun(),
        cols: size.cols,
        rows: size.rows,
        ...{ scrollbackLines, offset, state, answersFrom },
      },
    });
  }

  /** All bytes sent since `offset` that are still available, in order. */
  #heldSince(offset: number): Batch[] {
    const replay = this.#spec.replayFrom?.(offset);
    if (replay) return [{ offset, bytes: replay.subarray(0, this.#batches.backlog.sentEnd - offset) }];
    return this.#batches.backlog.sentSince(offset);
  }

  #post(message: ToWorker): void {
    if (!this.#isClosed) this.#deps.post(message);
  }

  #ask(what: Question, signal?: AbortSignal): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(new Error(`The screen in slot ${this.#slot} is closed`));
    this.#batches.flush();
    return this.#deps.ask({ slot: this.#slot, what, offset: this.#batches.backlog.sentEnd }, signal);
  }

  #parsedTo(offset: number): void {
    const before = this.backlogBytes;
    this.#batches.parsedTo(offset);
    if (before > DRAINED_BYTES && this.backlogBytes <= DRAINED_BYTES) this.#drain.fire();
  }
}
