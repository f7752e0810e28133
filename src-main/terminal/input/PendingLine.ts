import type { Clock } from '../../util/Clock.ts';

/**
 * A shell with the hook reports the beginning of a command within milliseconds. One that has reported neither a begin nor a prompt by
 * then has no hook, and only its processes show what runs in it.
 */
const VALID_MS = 3000;

/** The command line that was sent to the shell and has not begun. During that time there is neither a block nor a process. */
export class PendingLine {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #line: { text: string; sentMs: number; promptsBefore: number } | null = null;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Its text, while it is pending; null for an empty one. */
  get text(): string | null {
    const isValid = this.#line !== null && this.#clock.monotonicMs() - this.#line.sentMs < VALID_MS;
    return isValid ? (this.#line?.text ?? null) : null;
  }

  /** Ignores a blank line, which runs nothing. A line sent before the shell drew its prompt stays pending after that prompt. */
  sent(text: string, isAtPrompt: boolean): void {
    if (text.trim() === '') return;
    this.#line = { text, sentMs: this.#clock.monotonicMs(), promptsBefore: isAtPrompt ? 0 : 1 };
  }

  /** Call this when a command has begun, or the line was refused. */
  gone(): void {
    this.#line = null;
  }

  prompted(): void {
    if (this.#line && this.#line.promptsBefore > 0) this.#line.promptsBefore -= 1;
    else this.#line = null;
  }
}
