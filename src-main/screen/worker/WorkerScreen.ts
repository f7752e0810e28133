import type { AgentState } from '../../contract/chat/chat.ts';
import type { ScreenStep } from '../../contract/chat/extractor.ts';
import type { TerminalColors } from '../../contract/screen/frame.ts';
import type { ScreenQuery, WaitQuery, WaitResult } from '../../contract/screen/screen.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { isOfText } from '../emulator/CommandMarks.ts';
import { ScreenModel, type ScreenSize } from '../emulator/ScreenModel.ts';
import type { TellRows } from '../rows/RedactedRow.ts';
import { ScreenWatch } from '../waits/ScreenWatch.ts';
import { BeginRows } from './BeginRows.ts';
import { FloodSkimmer } from './FloodSkimmer.ts';
import { readScreen } from './readScreen.ts';
import { ScreenStepRecorder } from './ScreenStepRecorder.ts';
import {
  type Answer,
  type FedBytes,
  type FromWorker,
  type OpenSpec,
  type PlainQuestion,
  type Question,
  type SharedProgress,
  type StateAnswer,
  threadsMs,
} from './screenProtocol.ts';
import { StepPacker } from './sendSteps.ts';
import { type BytesItem, firstLine, firstSlice, type WorkItem, WorkQueue } from './WorkQueue.ts';

/** Rows of scrollback in a checkpoint: enough to continue, and few enough to write one for each of fifty terminals. */
const CHECKPOINT_SCROLLBACK = 200;

export interface WorkerDeps {
  post(message: FromWorker): void;
  progress: SharedProgress;
  clock: Clock;
  unguarded: boolean;
  /** Redacts rows for waits whose client may not see all of them. */
  tellRows: TellRows;
}

/** One terminal in the worker: its emulator, and its queue of work. */
export class WorkerScreen implements IDisposable {
  readonly #slot: number;
  readonly #deps: WorkerDeps;
  readonly #model: ScreenModel;
  readonly #watch: ScreenWatch;
  #steps: ScreenStepRecorder | undefined;
  readonly #queue = new WorkQueue();
  readonly skimmer: FloodSkimmer;
  #offset: number;
  readonly #answersFrom: number;
  readonly #begins = new BeginRows();
  #ackedOffset: number;
  #isChanged = false;

  constructor(slot: number, spec: OpenSpec, deps: WorkerDeps) {
    this.#slot = slot;
    this.#deps = deps;
    this.#offset = spec.offset;
    this.#answersFrom = spec.answersFrom ?? 0;
    this.#ackedOffset = spec.offset;
    this.#model = new ScreenModel({ ...spec, unguarded: deps.unguarded }, deps.clock);
    this.skimmer = new FloodSkimmer(this.#queue, this.#model);
    this.#model.isReplaying = true;
    this.#model.restore(spec.state);
    this.#model.onReply((data) => deps.post({ type: 'reply', slot, data, offset: this.#offset }));
    this.#watch = new ScreenWatch({
      terminalId: spec.terminalId,
      run: spec.run,
      model: this.#model,
      clock: deps.clock,
      tellRows: deps.tellRows,
      tell: (delta) => deps.post({ type: 'delta', slot, delta }),
      waited: (call, value) => deps.post({ type: 'answer', call, value }),
      live: () => deps.progress.live(),
      isBehind: () => this.#queue.hasBytes,
    });
  }

  /** False also while all of its work is held. */
  get hasWork(): boolean {
    return this.#queue.first !== undefined && this.#deps.clock.monotonicMs() >= this.skimmer.heldUntilMs;
  }

  feed(fed: FedBytes): void {
    this.#queue.feed(fed);
  }

  resize(size: ScreenSize): void {
    this.#queue.push({ type: 'resize', size });
  }

  setColors(colors: TerminalColors): void {
    this.#queue.push({ type: 'colors', colors });
  }

  ask(call: number, what: Question): void {
    this.#queue.push({ type: 'ask', call, what });
  }

  /** Runs before queued work, because a long queue may be the reason to stop. */
  stopWait(call: number): void {
    this.#queue.forget(call);
    this.#watch.stopWait(call);
  }

  follow(isOn: boolean): void {
    this.#queue.push({ type: 'follow', isOn });
  }

  followSteps(isOn: boolean): void {
    this.#queue.push({ type: 'steps', isOn });
  }

  agent(state: AgentState | null): void {
    this.#queue.push({ type: 'agent', state });
  }

  exited(exit: WaitResult['exit']): void {
    this.#queue.push({ type: 'exit', exit });
  }

  /** The turn is over: readers may see the screen. */
  settle(): void {
    this.#watch.settle();
    this.#steps?.settle();
  }

  /** Does the next piece of work: at most one slice of bytes. */
  step(): void {
    for (let item = this.#queue.first; item; item = this.#queue.first) {
      if (item.type === 'bytes') {
        if (!this.#skim()) this.#parseSlice();
        return;
      }
      this.#queue.shift();
      this.#perform(item);
      this.#deps.progress.live();
    }
  }

  /** Reports the parsed offset, if it moved since the last report. Held bytes count as parsed, so that more may come. */
  acknowledge(): void {
    const { first } = this.#queue;
    const isHeld = !this.hasWork && first?.type === 'bytes';
    const done = isHeld ? first.offset + first.bytes.length : this.#offset;
    if (done <= this.#ackedOffset) return;
    this.#ackedOffset = done;
    this.#deps.post({ type: 'parsed', slot: this.#slot, offset: done });
  }

  /** Sends the state, if bytes came since the last checkpoint. */
  checkpoint(): void {
    if (!this.#isChanged || this.#queue.first) return;
    this.#isChanged = false;
    this.#deps.post({ type: 'checkpoint', slot: this.#slot, state: this.#state(CHECKPOINT_SCROLLBACK) });
  }

  dispose(): void {
    this.#queue.clear();
    this.#steps?.dispose();
    this.#watch.dispose();
    this.#model.dispose();
  }

  /** Skips the beginning of a long backlog if that does not change the result. */
  #skim(): boolean {
    if (this.#watch.needsAllText || this.#steps || !this.#queue.isLong) return false;
    if (!this.#model.isAtBoundary) this.#parseSlice(firstLine); // a piece ends within a sequence or a character more often than not
    const backlog = this.#queue.joinBacklog();
    if (!backlog) return true;
    this.#deps.progress.begin(this.#slot, backlog.offset, backlog.offset + backlog.bytes.length);
    const done = this.skimmer.skim(backlog, this.#watch.hasWaits);
    this.#deps.progress.end();
    this.#offset += done;
    return done > 0;
  }

  /** Parses a slice of the first item, which `#skim` may have replaced by a joined one. */
  #parseSlice(cut = firstSlice): void {
    const item = this.#queue.first;
    if (item?.type !== 'bytes') throw new Error(`Slot ${this.#slot} has no bytes to parse`);
    const slice = cut(item.bytes);
    const end = item.offset + slice.length;
    this.#deps.progress.begin(this.#slot, item.offset, end);
    this.#model.isReplaying = item.isReplay || item.offset < this.#answersFrom;
    try {
      this.skimmer.release(this.#deps.clock.monotonicMs());
      this.#model.write(slice, item.offset);
    } catch (error) {
      // xterm has no known input that throws; if there is one, the screen is lost and the terminal continues
      this.#model.reset();
      this.#deps.post({ type: 'broken', slot: this.#slot, offset: end, reason: String(error) });
    }
    this.#deps.progress.end();
    this.#offset = end;
    if (this.#model.replyFilter.takeRefused())
      this.#deps.post({ type: 'reply', slot: this.#slot, data: '', offset: end });
    this.#isChanged = true;
    this.#watch.changed();
    this.#steps?.changed(end);
    if (slice.length === item.bytes.length) this.#queue.shift();
    else this.#queue.replaceFirst({ ...item, offset: end, bytes: item.bytes.subarray(slice.length) });
  }

  #perform(item: Exclude<WorkItem, BytesItem>): void {
    switch (item.type) {
      case 'mark':
        // a mark that says whose text follows matters even if it comes late
        if (item.mark.offset === this.#offset || isOfText(item.mark.kind)) this.#model.mark(item.mark.kind);
        else if (item.mark.kind !== 'end' && item.mark.kind !== 'prompt') this.#model.loseMarks();
        if (item.mark.kind === 'begin') this.#begins.note(item.mark.offset, this.#model);
        this.#watch.happened(item.mark.kind);
        if (item.mark.kind === 'end') this.#steps?.take(); // the output after it is the shell's
        return;
      case 'resize':
        this.#steps?.take();
        this.#model.resize(item.size);
        this.#watch.changed();
        this.#steps?.changed(this.#offset);
        return;
      case 'colors':
        this.#model.setColors(item.colors);
        return;
      case 'follow':
        this.#watch.follow(item.isOn);
        return;
      case 'steps':
        this.#takeSteps(item.isOn);
        return;
      case 'agent':
        this.#watch.agent(item.state);
        return;
      case 'exit':
        this.#steps?.take();
        if (item.exit === null && this.#watch.hasExited) this.#restarted();
        this.#watch.exited(item.exit);
        return;
      case 'ask':
        this.acknowledge(); // the receiver of the answer must see the backlog of this moment
        this.#answer(item);
    }
  }

  #restarted(): void {
    this.#model.beginAnew();
    this.#isChanged = true;
    this.#watch.changed();
    this.#steps?.changed(this.#offset);
  }

  /** When turned on again, steps restart from the beginning, for a reader that has lost track. When turned off, sends a last step. */
  #takeSteps(isOn: boolean): void {
    if (!isOn) this.#steps?.take();
    this.#steps?.dispose();
    const packer = new StepPacker();
    const tell = (step: ScreenStep): void =>
      this.#deps.post({ type: 'step', slot: this.#slot, step: packer.pack(step) });
    this.#steps = isOn ? new ScreenStepRecorder(this.#model, this.#deps.clock, tell) : undefined;
    this.#steps?.changed(this.#offset);
  }

  /** Refuses a query that throws: if it ended the worker, the next worker would get it again, forever. */
  #answer({ call, what }: WorkItem & { type: 'ask' }): void {
    try {
      if (typeof what === 'object' && 'wait' in what) this.#wait(call, what);
      else if (what === 'drawn') this.#whenDrawn(call);
      else this.#deps.post({ type: 'answer', call, value: this.#read(what) });
    } catch (error) {
      const name = typeof what === 'string' ? what : Object.keys(what).join();
      this.#deps.post({ type: 'failed', call, reason: `The screen could not tell its ${name}: ${String(error)}` });
    }
  }

  #wait(call: number, { wait, askedMs }: { wait: WaitQuery; askedMs: number }): void {
    const leftMs = Math.max(0, wait.timeoutMs - (threadsMs() - askedMs));
    const mismatch = this.#watch.wait(call, { ...wait, timeoutMs: leftMs });
    if (mismatch) this.#deps.post({ type: 'answer', call, value: mismatch });
  }

  #whenDrawn(call: number): void {
    const answer = (): void => this.#deps.post({ type: 'answer', call, value: this.#model.frame() });
    if (this.#steps) this.#steps.whenDrawn(answer);
    else answer();
  }

  #read(what: Exclude<PlainQuestion, 'drawn'> | { read: ScreenQuery }): Answer {
    if (what === 'serialize') return this.#state();
    if (what === 'beginRows') return this.#begins.rows;
    if (what === 'lastStep') this.#steps?.take();
    return what === 'lastStep' ? null : readScreen(what, { model: this.#model, watch: this.#watch });
  }

  #state(scrollbackLines?: number): StateAnswer {
    const { cols, rows } = this.#model;
    // an incomplete character is in no state: the next reader gets all of its bytes
    const offset = this.#offset - this.#model.heldBytes;
    return { data: this.#model.serialize(scrollbackLines), offset, cols, rows, ...this.#model.lines() };
  }
}
