import { z } from 'zod';
import { WaitQuery } from '../../contract/screen/screen.ts';
import type { Clock } from '../../util/Clock.ts';

/** A wait as a client asks for it: only what matters for its place. */
export const AskedWait = z.looseObject({
  terminalId: z.string(),
  ...{ since: z.number().optional(), resume: z.unknown().optional(), timeoutMs: WaitQuery.shape.timeoutMs },
});
const Reading = z.object({ seq: z.int().min(0), epoch: z.string().max(64) });

/**
 * Where a wait on a machine's screen began. After a lost connection it continues there: text that came meanwhile is new to it, and its deadline stays.
 */
export class WaitPlace {
  readonly #clock: Clock;
  readonly #asked: z.output<typeof AskedWait>;
  readonly #beganMs: number;
  #screen: z.output<typeof Reading> | null = null;
  #hasBegun = false;

  constructor(asked: z.output<typeof AskedWait>, clock: Clock) {
    this.#asked = asked;
    this.#clock = clock;
    this.#beganMs = clock.monotonicMs();
  }

  /** The wait itself names its screen, so none has to be read. */
  get isNamed(): boolean {
    return this.#asked.since !== undefined || this.#asked.resume !== undefined;
  }

  /** Remaining time, in whole ms. */
  get leftMs(): number {
    return Math.round(Math.max(0, this.#asked.timeoutMs - (this.#clock.monotonicMs() - this.#beganMs)));
  }

  /** The screen when the wait began, as the machine gives it. Throws if it is not a screen. */
  take(reading: unknown): void {
    const { data } = Reading.safeParse(reading);
    if (data === undefined) throw new Error('the machine does not say which screen the wait began at');
    this.#screen = data;
  }

  /** The subscription's input: at first as given. */
  input(): unknown {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      return this.#asked;
    }
    const again = { ...this.#asked, timeoutMs: this.leftMs };
    if (this.isNamed || this.#screen === null) return again;
    const { seq, epoch } = this.#screen;
    return { ...again, since: seq, epoch, whole: true };
  }
}
