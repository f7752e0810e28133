import type { PtyProcess } from '../pty/PtyProcess.ts';
import type { ScreenHandle } from '../screen/worker/ScreenHandle.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';

/** The screen worker may be this far behind before the program is paused; LiveStream's ring must be larger. */
const SCREEN_HIGH_WATER_BYTES = 2 * 1024 * 1024;
/** Bytes that a program may print at once during a client's call: many full screens, so that only floods are held. */
const BURST_BYTES = 128 * 1024;
/**
 * Bytes per second that a flood may print then: more lines than a person reads. Measured with ten floods on two cores (bench, row 14): with
 * 256 KiB calls take 1.5 times as long, with 2 MiB as long as without any limit.
 */
const ASKED_BYTES_PER_S = 128 * 1024;
/** A shorter wait is not worth a timer. */
const MIN_WAIT_MS = 5;
/** A longer wait is checked again, because the call may be over. */
const MAX_WAIT_MS = 50;

export interface PressureDeps {
  readonly clock: Clock;
  /** True while a client is calling. */
  readonly isAsked?: (() => boolean) | undefined;
}

/**
 * Pauses a program that prints faster than the screen can follow, as any terminal does. During a client's call, a flooding program
 * is paused too: ten of them would leave the call a tenth of the machine.
 */
export class BackPressure implements IDisposable {
  readonly #screen: Pick<ScreenHandle, 'backlogBytes' | 'onDrain'>;
  readonly #process: () => Pick<PtyProcess, 'pause' | 'resume'> | null;
  readonly #deps: PressureDeps;
  readonly #draining: IDisposable;
  #isFull = false;
  #turn: IDisposable | null = null;
  /** Bytes that may be printed at once, as of `#creditMs`. */
  #credit = BURST_BYTES;
  #creditMs = Number.NEGATIVE_INFINITY;

  constructor(
    screen: Pick<ScreenHandle, 'backlogBytes' | 'onDrain'>,
    process: () => Pick<PtyProcess, 'pause' | 'resume'> | null,
    deps: PressureDeps,
  ) {
    this.#screen = screen;
    this.#process = process;
    this.#deps = deps;
    this.#draining = screen.onDrain(() => this.#drained());
  }

  /** Call this after `bytes` went to the screen. */
  fed(bytes: number): void {
    const wasPaused = this.#isPaused;
    this.#isFull ||= this.#screen.backlogBytes >= SCREEN_HIGH_WATER_BYTES;
    const waitMs = this.#spend(bytes);
    if (!this.#turn) this.#wait(waitMs);
    if (this.#isPaused && !wasPaused) this.#process()?.pause();
  }

  dispose(): void {
    this.#draining.dispose();
    this.#turn?.dispose();
  }

  get #isPaused(): boolean {
    return this.#isFull || this.#turn !== null;
  }

  /** Time to wait until there is credit again; 0 without a client's call. */
  #spend(bytes: number): number {
    if (!this.#deps.isAsked?.()) return 0;
    const nowMs = this.#deps.clock.monotonicMs();
    const earned = ((nowMs - this.#creditMs) * ASKED_BYTES_PER_S) / 1000;
    this.#credit = Math.min(BURST_BYTES, this.#credit + earned) - bytes;
    this.#creditMs = nowMs;
    return (-this.#credit * 1000) / ASKED_BYTES_PER_S;
  }

  #wait(waitMs: number): void {
    this.#turn = null;
    if (waitMs < MIN_WAIT_MS) return;
    this.#turn = this.#deps.clock.after(Math.min(waitMs, MAX_WAIT_MS), () => {
      this.#wait(this.#spend(0));
      this.#goOn();
    });
  }

  #drained(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.#goOn();
  }

  #goOn(): void {
    if (!this.#isPaused) this.#process()?.resume();
  }
}
