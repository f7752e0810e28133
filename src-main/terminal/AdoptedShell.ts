import type { PtyProcess, RecordedChunk } from '../pty/PtyProcess.ts';
import type { ScreenHandle } from '../screen/worker/ScreenHandle.ts';
import type { LaunchPlan } from '../shells/launchPlan.ts';
import type { Clock } from '../util/Clock.ts';
import { detach } from '../util/strayErrors.ts';

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** Where a screen begins in output.raw, and its size there. */
export interface ScreenStart {
  readonly offset: number;
  readonly size: Size;
}

/** Output that only the screen needs: its blocks are in the record. */
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
  /** Where the output ended when the earlier core went; until there it has answered all queries. */
  readonly lostAt: number;
  /** Where the output ended when this core came. */
  readonly end: number;
  /** Where it is read from. */
  readonly from: number;
  readonly size: Size;
  /** Its one block is the whole session: the shell tells nothing. */
  readonly isUnmarked: boolean;
  /** The owner of the PTY has given this answer while no core was there. */
  isAnswered(reply: string): boolean;
}

/** A shell that ran before this core, while its output is caught up with. Nothing is answered twice, and times are those of the output. */
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

  /** There is nothing to be read. */
  get isCaughtUp(): boolean {
    return this.#spec.from >= this.#spec.end;
  }

  showBefore(screen: ScreenHandle): void {
    for (const { offset, bytes, size } of this.#spec.shown) {
      if (size) screen.resize(size);
      screen.write(bytes, offset);
    }
  }

  /** To be called before a chunk goes to the screen. */
  before({ offset, atMs, size }: RecordedChunk, screen: ScreenHandle): void {
    this.#atMs = offset < this.#spec.end ? atMs : null;
    if (size) screen.resize(size);
    if (this.#isAsked || offset < this.#spec.lostAt) return;
    this.#isAsked = true;
    detach('AdoptedShell', this.#parsed(screen, 'unattended'));
  }

  /** True once, when the last chunk of what is caught up with has been taken. */
  after({ offset, bytes }: RecordedChunk): boolean {
    return offset < this.#spec.end && offset + bytes.length >= this.#spec.end;
  }

  /** Resolves when the screen has parsed everything; from then on it answers. */
  async finish(screen: ScreenHandle, size: Size): Promise<void> {
    this.#atMs = null;
    screen.resize(size);
    const { cols, rows } = this.#spec.size;
    if (size.cols !== cols || size.rows !== rows) this.process.resize(size.cols, size.rows);
    await this.#parsed(screen, 'over');
  }

  /** Whether an answer of the screen is for a query that has no answer yet. */
  mayAnswer(reply: string): boolean {
    if (this.#phase === 'over') return true;
    return this.#phase === 'unattended' && !this.#spec.isAnswered(reply);
  }

  /** When the chunk came that is being taken in; null for one that has just come. */
  moment(clock: Clock): { atMs: number; monoMs: number } | null {
    if (this.#atMs === null) return null;
    return { atMs: this.#atMs, monoMs: clock.monotonicMs() - Math.max(0, clock.nowMs() - this.#atMs) };
  }

  /** The worker answers in order: what it says later belongs to what is written later. */
  async #parsed(screen: ScreenHandle, phase: 'unattended' | 'over'): Promise<void> {
    await screen.bracketedPaste().catch(() => false); // a worker that is being replaced has answered nothing either
    this.#phase = phase;
  }
}
