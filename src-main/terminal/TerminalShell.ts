import type { TerminalEvent } from '../contract/event.ts';
import type { MaskedChunk } from '../events/masks/NonceMask.ts';
import { PtyDataProcessor } from '../events/PtyDataProcessor.ts';
import type { PtyExit, PtyProcess, RecordedChunk } from '../pty/PtyProcess.ts';
import type { ScreenHandle, ScreenReply } from '../screen/worker/ScreenHandle.ts';
import type { LaunchPlan } from '../shells/launchPlan.ts';
import { Disposables, type IDisposable } from '../util/Disposables.ts';
import { nearestFolder } from '../util/nearestFolder.ts';
import { detach } from '../util/strayErrors.ts';
import type { AdoptedShell, Size } from './AdoptedShell.ts';
import { hangUp } from './hangUp.ts';
import { ShellOutput, type ShellOutputDeps, shellNote } from './ShellOutput.ts';
import type { TerminalDeps } from './TerminalDeps.ts';
import type { TerminalRecord } from './TerminalRecord.ts';
import type { TerminalStatus } from './TerminalStatus.ts';

/** A shell without marks until then has no integration. */
const NO_MARKS_AFTER_MS = 10_000;

/** The shell's view of its terminal. */
export interface ShellOf {
  readonly screen: ScreenHandle;
  readonly status: TerminalStatus;
  /** Gets the output with its nonce masked, in order. */
  take(chunk: MaskedChunk): void;
  /** Gets the events that only the end of the output shows. */
  event(event: TerminalEvent): void;
  noMarks(): void;
  /** The output of an adopted shell has been processed. */
  caughtUp(): void;
  /** The screen shows all of it. */
  shown(): void;
  exited(exit: PtyExit): void;
}

/** The shell of a terminal, and its later ones: process, output and the events in it. After an exit, `start` starts another one. */
export class TerminalShell implements IDisposable {
  readonly #deps: TerminalDeps;
  readonly #record: TerminalRecord;
  readonly #of: ShellOf;
  #process: PtyProcess | null = null;
  #output: ShellOutput | null = null;
  #events: PtyDataProcessor | null = null;
  /** Set while catching up with a shell that ran before this core. */
  #adopted: AdoptedShell | null = null;
  /** Resources of the current shell. */
  #owned = new Disposables();

  constructor(deps: TerminalDeps, record: TerminalRecord, of: ShellOf) {
    this.#deps = deps;
    this.#record = record;
    this.#of = of;
  }

  /** Null if no shell runs. */
  get process(): PtyProcess | null {
    return this.#process;
  }

  get nonce(): string {
    return this.#output?.nonce ?? '';
  }

  /** True once the hook has reported something. */
  get hasHook(): boolean {
    return this.#events?.hasHook === true;
  }

  get isCatchingUp(): boolean {
    return this.#adopted !== null;
  }

  /** The moment of the output that is being processed. */
  now(): { atMs: number; monoMs: number } {
    const { clock } = this.#deps;
    return this.#adopted?.moment(clock) ?? { atMs: clock.nowMs(), monoMs: clock.monotonicMs() };
  }

  /** Starts a shell. `begun` is called with its command line before any output. Throws the system's error if it cannot start. */
  start(begun: (argv: readonly string[]) => void): void {
    const { nonce, nonceFile, plan, env } = this.#deps.launch(this.#record.meta);
    const { cwd: last, cols, rows } = this.#of.status.view;
    const cwd = this.#record.size > 0 ? nearestFolder(last) : last; // in a folder that is gone, no later shell would start
    const output = this.#record.outputOf(nonce, shellNote(plan, env));
    const process = this.#deps.spawnPty({ file: plan.file, argv: plan.args, cwd, env, cols, rows, output });
    begun([plan.file, ...plan.args]);
    this.#attach(process, nonce, plan);
    this.#owned.add(this.#deps.hookLoader.removeOnceRead(nonceFile, this.#of.status.onChange));
  }

  /** Takes over a shell that an earlier core left running, and catches up with its output. */
  adopt(shell: AdoptedShell): void {
    this.#adopted = shell;
    shell.showBefore(this.#of.screen);
    this.#attach(shell.process, shell.nonce, shell.plan);
    if (shell.isUnmarked) this.#noMarks(shell.process);
    if (shell.isCaughtUp) this.#caughtUp(shell);
  }

  /** Finds the events in a chunk of the output. */
  read(chunk: MaskedChunk): readonly TerminalEvent[] {
    return this.#events?.feed(chunk, this.#deps.clock.monotonicMs()) ?? [];
  }

  /** Returns a title that came too fast to be passed on at once, if no event followed it. */
  settle(): readonly TerminalEvent[] {
    return this.#events?.settle(this.#deps.clock.monotonicMs()) ?? [];
  }

  /** Types the screen's answer to a query, unless it is late or was given before this core adopted the shell. */
  answer(reply: ScreenReply): void {
    const { text, offset, isLate } = reply;
    const recorded = this.#process?.recorded;
    const typed = isLate ? '' : text;
    if (recorded === undefined) return typed === '' ? undefined : this.#process?.write(typed);
    if (text === '') recorded.settled(offset);
    else if (this.#adopted) this.#adopted.answer(reply);
    else recorded.answer(typed, offset);
  }

  /** Resizes the PTY, after the output of its size before, the screen and the record. `isSweep`: for a moment, see `TerminalRecord.resized`. */
  resize(size: Size, isSweep: boolean): void {
    this.#output?.flush();
    this.#process?.resize(size.cols, size.rows);
    this.#of.screen.resize(size);
    this.#record.resized(size, isSweep);
  }

  /** Gives everything the size that the terminal has now; while catching up, once the output of the size before has been processed. */
  fit(): void {
    const { cols, rows } = this.#of.status.view;
    const { meta } = this.#record;
    if (!this.isCatchingUp && (cols !== meta.cols || rows !== meta.rows)) this.resize({ cols, rows }, false);
  }

  /** Lets a next core start reading at `at`, once all before it is `processed`; not while the disk refuses what was made of it. */
  keepFrom(at: number, processed: () => Promise<void>): void {
    const recorded = this.#process?.recorded;
    if (!recorded) return;
    detach(
      'TerminalShell',
      processed().then(() => this.#record.fault === null && recorded.keepFrom(at)),
    );
  }

  /** Leaves the shell to the next core; false if that cannot take it over. */
  leave(): boolean {
    const recorded = this.#process?.recorded;
    recorded?.leave();
    return recorded !== undefined;
  }

  /** Ends the shell, and resolves when it has exited. */
  async hangUp(): Promise<void> {
    if (this.#process) await hangUp(this.#process, this.#deps.clock);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #attach(process: PtyProcess, nonce: string, plan: LaunchPlan): void {
    const { clock, hostName } = this.#deps;
    this.#events = new PtyDataProcessor({ startOffset: this.#record.size, hostName });
    this.#process = process;
    this.#owned.dispose();
    this.#owned = new Disposables();
    const take: ShellOutputDeps['take'] = (chunk, recorded) => this.#take(chunk, recorded);
    this.#output = this.#owned.add(new ShellOutput(process, { clock, nonce, record: this.#record, take }));
    this.#owned.add(process.onExit((exit) => this.#exited(exit)));
    this.#owned.add(clock.after(NO_MARKS_AFTER_MS, () => this.#noMarks(process)));
    this.#of.status.reports.began(nonce, this.#adopted);
    this.#of.status.started(plan);
  }

  #take(chunk: MaskedChunk, recorded?: RecordedChunk): void {
    const shell = this.#adopted;
    if (shell && recorded) shell.before(recorded, this.#of.screen);
    this.#of.take(chunk);
    if (shell && recorded && shell.after(recorded)) this.#caughtUp(shell);
  }

  #caughtUp(shell: AdoptedShell): void {
    this.#of.caughtUp();
    const { view } = this.#of.status;
    if (shell.isResizedTo(view)) this.#record.resized(view);
    detach(
      'TerminalShell',
      shell.finish(this.#of.screen, view).then(() => {
        this.#adopted = null;
        this.fit(); // it may have changed since
        this.#of.shown();
      }),
    );
  }

  #noMarks(process: PtyProcess): void {
    if (process === this.#process && !this.hasHook) this.#of.noMarks();
  }

  #exited(exit: PtyExit): void {
    this.#output?.end();
    for (const event of this.#events?.end() ?? []) this.#of.event(event);
    this.#process = null;
    this.#of.exited(exit);
  }
}
