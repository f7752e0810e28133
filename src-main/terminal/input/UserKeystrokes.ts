import { isFocusReport } from '../../pty/isFocusReport.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';

/** Time in which a shell on a busy machine handles a Ctrl-C. */
const INTERRUPT_MS = 500;

/** Time of the person's last key in a terminal, and whether it still holds clients off. */
export class UserKeystrokes {
  readonly #clock: Clock;
  #count = 0;
  #lastMs: number | null = null;
  /** The last key was a Return in an empty line: the next prompt's line has no text of the person. */
  #isBareReturn = false;
  #interruptedMs: number | null = null;
  #hasPromptSince = true;
  #drafts = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Increases with each input of the person. */
  get count(): number {
    return this.#count;
  }

  /** False if the person did not type it. `isLineEmpty`: no key has gone to the line since its prompt. */
  typed(data: string | Uint8Array, isLineEmpty: boolean): boolean {
    const text = typeof data === 'string' ? data : Buffer.from(data).toString('latin1');
    if (text === '' || isFocusReport(text)) return false;
    this.#count += 1;
    this.#lastMs = this.#clock.monotonicMs();
    if (text.includes('\x03')) {
      this.#interruptedMs = this.#lastMs;
      this.#hasPromptSince = false;
    }
    this.#isBareReturn = text === '\r' && (isLineEmpty || this.#isBareReturn);
    return true;
  }

  /** A trusted prompt came: after the person's Return in an empty line, the terminal is free again. */
  prompted(): void {
    if (this.#isBareReturn) this.#lastMs = null;
    this.#isBareReturn = false;
    this.#hasPromptSince = true;
  }

  /**
   * True while the shell may still be handling a Ctrl-C: bash 5.2 may then take a line, show it, and run it without its first
   * character. A later prompt shows that it is done, unless that prompt was already on its way.
   */
  get isInterrupting(): boolean {
    if (this.#interruptedMs === null) return false;
    return !this.#hasPromptSince || this.#clock.monotonicMs() - this.#interruptedMs < INTERRUPT_MS;
  }

  /** The person acts in a window's composer, which counts as a key, although the shell does not get it. */
  noted(): void {
    this.#count += 1;
    this.#lastMs = this.#clock.monotonicMs();
    this.#isBareReturn = false;
  }

  /** A composer holds unsent text, which counts as a key pressed right now until it is disposed. */
  draft(): IDisposable {
    this.noted();
    this.#drafts += 1;
    let isHeld = true;
    return {
      dispose: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#drafts -= 1;
        this.noted();
      },
    };
  }

  /** Monotonic time of the last key that still counts; null if there is none. */
  get lastMs(): number | null {
    return this.#lastMs;
  }

  /** Time since the last key that still counts; null if there is none. */
  get quietMs(): number | null {
    if (this.#drafts > 0) return 0;
    return this.#lastMs === null ? null : this.#clock.monotonicMs() - this.#lastMs;
  }
}
