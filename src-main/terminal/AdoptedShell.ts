import type { PtyProcess, RecordedChunk } from '../pty/PtyProcess.ts';
import type { ScreenHandle } from '../screen/worker/ScreenHandle.ts';
import type { LaunchPlan } from '../shells/launchPlan.ts';
import type { Clock } from '../util/Clock.ts';
import { detach } from '../util/strayErrors.ts';

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** Start of a screen in output.raw, and its size there. */
export interface ScreenStart {
  readonly offset: number;
  readonly size: Size;
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
  readonly shown: readonly ShownPiece[];
  /** End of the output when the earlier core went; that core has answered all queries before it. */
  readonly lostAt: number;
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

/** A shell that ran before this core, while the core catches up with its output. Answers no query twice; times are those of the output. */
export class AdoptedShell {
  readonly #spec: AdoptedSpec;
  #atMs: number | null = null;
  #isAsked = false;
  #phase: 'answered' | 'unattended' | 'over' = 'answered';

  constructor(spec: AdoptedSpec) {
    this.#spec = spec;
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
    if (this.#isAsked || offset < this.#spec.lostAt) return;
    this.#isAsked = true;
    detach('AdoptedShell', this.#parsed(screen, 'unattended'));
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

  /** Whether an answer of the screen is for an unanswered query. */
  mayAnswer(reply: string): boolean {
    if (this.#phase === 'over') return true;
    return this.#phase === 'unattended' && !this.#spec.isAnswered(reply);
  }

  /** Time at which the current chunk came; null for a chunk that has just come. */
  moment(clock: Clock): { atMs: number; monoMs: number } | null {
    if (this.#atMs === null) return null;
    return { atMs: this.#atMs, monoMs: clock.monotonicMs() - Math.max(0, clock.nowMs() - this.#atMs) };
  }

  /** The worker answers in order: its later answers belong to later output. */
  async #parsed(screen: ScreenHandle, phase: 'unattended' | 'over'): Promise<void> {
    await screen.bracketedPaste().catch(() => false); // a worker that is being replaced has answered no query either
    this.#phase = phase;
  }
}
