import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';

/** Sent by an emulator when it gets or loses the focus: nobody typed them. */
const FOCUS_REPORTS: ReadonlySet<string> = new Set(['\x1b[I', '\x1b[O']);

/** A shell on a busy machine has taken notice of a Ctrl-C by then. */
const INTERRUPT_MS = 500;

/** When the person last typed into a terminal, and whether that still holds others off. */
export class UserKeystrokes {
  readonly #clock: Clock;
  #count = 0;
  #lastMs: number | null = null;
  /** The last key was a Return at a line known to be empty: nothing of the person's stands there once the prompt comes back. */
  #isBareReturn = false;
  #interruptedMs: number | null = null;
  #hasPromptSince = true;
  #drafts = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Grows with everything that the person types. */
  get count(): number {
    return this.#count;
  }

  /** False for what no person typed. `isLineEmpty`: no key has gone to the line since its prompt. */
  typed(data: string | Uint8Array, isLineEmpty: boolean): boolean {
    const text = typeof data === 'string' ? data : Buffer.from(data).toString('latin1');
    if (text === '' || FOCUS_REPORTS.has(text)) return false;
    this.#count += 1;
    this.#lastMs = this.#clock.monotonicMs();
    if (text.includes('\x03')) {
      this.#interruptedMs = this.#lastMs;
      this.#hasPromptSince = false;
    }
    this.#isBareReturn = text === '\r' && (isLineEmpty || this.#isBareReturn);
    return true;
  }

  /** A trusted prompt has come: the person's own Return at an empty line gives the terminal free. */
  prompted(): void {
    if (this.#isBareReturn) this.#lastMs = null;
    this.#isBareReturn = false;
    this.#hasPromptSince = true;
  }

  /**
   * A Ctrl-C was pressed and it is not sure that the shell is done with it: bash 5.2 can be left in a state in which it takes a line, shows it, and
   * runs it without its first character. A prompt since then says that it is done, if it is not one that was on its way already.
   */
  get isInterrupting(): boolean {
    if (this.#interruptedMs === null) return false;
    return !this.#hasPromptSince || this.#clock.monotonicMs() - this.#interruptedMs < INTERRUPT_MS;
  }

  /** The person acts in a window's composer: a key as any other, though the shell does not get it. */
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

  /** When the last key came, by the monotonic clock; null when there is none that still counts. */
  get lastMs(): number | null {
    return this.#lastMs;
  }

  /** Since the last key that still counts; null when there is none. */
  get quietMs(): number | null {
    if (this.#drafts > 0) return 0;
    return this.#lastMs === null ? null : this.#clock.monotonicMs() - this.#lastMs;
  }
}
