import type { PtyProcess, RecordedChunk } from '../pty/PtyProcess.ts';
import type { ScreenHandle, ScreenReply } from '../screen/worker/ScreenHandle.ts';
import type { LaunchPlan } from '../shells/launchPlan.ts';
import type { Clock } from '../util/Clock.ts';
import { detach } from '../util/strayErrors.ts';
import type { SavedReports } from './ShellReports.ts';

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** Start of a screen in output.raw, and its size there. */
export interface ScreenStart {
  readonly offset: number;
  readonly size: Size;
  /** See `ScreenSpec`. */
  readonly answersFrom: number;
}

/** Output that only the screen needs, because its blocks are in the record. */
export interface ShownPiece {
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly size: Size | null;
}

export interface AdoptedSpec {
  readonly process: PtyProcess;
  readonly nonce: string;
  readonly plan: LaunchPlan;
  /** What an earlier core saved; null if that cannot be read. */
  readonly reports: SavedReports | null;
  readonly shown: readonly ShownPiece[];
  /** Offsets at which an earlier core went, the next one came, that one went, and so on. */
  readonly attendance: readonly number[];
  /** These cores answered all queries before `at`, and the first `count` after it. */
  readonly answered: { readonly at: number; readonly count: number };
  /** End of the output when this core started. */
  readonly end: number;
  /** Offset at which reading starts. */
  readonly from: number;
  readonly size: Size;
  /** Its only block is the whole session, because the shell has no marks. */
  readonly isUnmarked: boolean;
  /** True if the owner of the PTY gave this answer while there was no core. */
  isAnswered(reply: string): boolean;
}

type Phase = 'answered' | 'attended' | 'unattended' | 'over';

/** A shell that ran before this core, while the core catches up with its output. Answers no query twice; times are those of the output. */
export class AdoptedShell {
  readonly #spec: AdoptedSpec;
  #atMs: number | null = null;
  /** Which queries the screen is answering now: those of `answered`, others of a time with an earlier core or without one, or new ones. */
  #phase: Phase = 'answered';
  /** Starts of the phases to come, in this order. */
  readonly #borders: { readonly at: number; readonly phase: Phase }[];
  /** Number of the next answers that the earlier core has given. */
  #given: number;

  constructor(spec: AdoptedSpec) {
    this.#spec = spec;
    const { answered, from, attendance } = spec;
    const isBefore = answered.at < from;
    this.#given = isBefore ? 0 : answered.count;
    const start = isBefore ? from : answered.at;
    const phaseAt = (offset: number): Phase =>
      attendance.filter((at) => at <= offset).length % 2 === 1 ? 'unattended' : 'attended';
    this.#borders = [start, ...attendance.filter((at) => at > start)].map((at) => ({ at, phase: phaseAt(at) }));
  }

  get process(): PtyProcess {
    return this.#spec.process;
  }

  get nonce(): string {
    return this.#spec.nonce;
  }

  get plan(): LaunchPlan {
    return this.#spec.plan;
  }

  get reports(): SavedReports | null {
    return this.#spec.reports;
  }

  get isUnmarked(): boolean {
    return this.#spec.isUnmarked;
  }

  /** True if there is no output to read. */
  get isCaughtUp(): boolean {
    return this.#spec.from >= this.#spec.end;
  }

  /** True if the PTY has another size: the earlier core was killed while it had changed it for a moment. */
  isResizedTo({ cols, rows }: Size): boolean {
    return cols !== this.#spec.size.cols || rows !== this.#spec.size.rows;
  }

  showBefore(screen: ScreenHandle): void {
    for (const { offset, bytes, size } of this.#spec.shown) {
      if (size) screen.resize(size);
      screen.write(bytes, offset);
    }
  }

  /** Call this before a chunk goes to the screen. */
  before({ offset, atMs, size }: RecordedChunk, screen: ScreenHandle): void {
    this.#atMs = offset < this.#spec.end ? atMs : null;
    if (size) screen.resize(size);
    for (let next = this.#borders[0]; next && offset >= next.at; next = this.#borders[0]) {
      this.#borders.shift();
      detach('AdoptedShell', this.#parsed(screen, next.phase));
    }
  }

  /** True once, when the last chunk to catch up with has been processed. */
  after({ offset, bytes }: RecordedChunk): boolean {
    return offset < this.#spec.end && offset + bytes.length >= this.#spec.end;
  }

  /** Resolves when the screen has parsed all output; from then on it answers queries. */
  async finish(screen: ScreenHandle, size: Size): Promise<void> {
    this.#atMs = null;
    screen.resize(size);
    if (this.isResizedTo(size)) this.process.resize(size.cols, size.rows);
    await this.#parsed(screen, 'over');
  }

  /** Types an answer of the screen, unless it was given without this core or is late. The owner of the PTY counts those too, once each. */
  answer({ text, offset, isLate }: ScreenReply): void {
    if (this.#phase === 'answered') return;
    const wasCounted = this.#given > 0 && this.#phase !== 'over';
    if (wasCounted) this.#given -= 1;
    if (wasCounted && offset === this.#spec.answered.at) return;
    const wasGiven = wasCounted || (this.#phase === 'unattended' && this.#spec.isAnswered(text));
    this.process.recorded?.answer(wasGiven || isLate ? '' : text, offset);
  }

  /** Time at which the current chunk came; null for a chunk that has just come. */
  moment(clock: Clock): { atMs: number; monoMs: number } | null {
    if (this.#atMs === null) return null;
    return { atMs: this.#atMs, monoMs: clock.monotonicMs() - Math.max(0, clock.nowMs() - this.#atMs) };
  }

  /** The worker answers in order: its later answers belong to later output. */
  async #parsed(screen: ScreenHandle, phase: Phase): Promise<void> {
    await screen.bracketedPaste().catch(() => false); // a worker that is being replaced has answered no query either
    this.#phase = phase;
  }
}
