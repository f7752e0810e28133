import { z } from 'zod';
import { WaitQuery } from '../../contract/screen/screen.ts';
import type { Clock } from '../../util/Clock.ts';

const Begun = z.looseObject({
  ...{ since: z.number().optional(), resume: z.unknown().optional(), timeoutMs: WaitQuery.shape.timeoutMs },
});
const Reading = z.object({ seq: z.int().min(0), epoch: z.string().max(64) });

/**
 * Where a wait on a machine's screen began. After a lost connection it continues there: text that came meanwhile is new to it, and its deadline stays.
 */
export class WaitPlace {
  readonly #clock: Clock;
  #begunMs: number | null = null;
  #screen: z.output<typeof Reading> | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The screen when the wait began, as the machine gives it. */
  take(reading: unknown): void {
    this.#screen = Reading.safeParse(reading).data ?? null;
  }

  /** The subscription's input: at first as given. */
  inputFrom(input: unknown): unknown {
    const nowMs = this.#clock.monotonicMs();
    const query = Begun.safeParse(input).data;
    if (this.#begunMs === null || query === undefined) {
      this.#begunMs ??= nowMs;
      return input;
    }
    const timeoutMs = Math.round(Math.max(0, query.timeoutMs - (nowMs - this.#begunMs)));
    const isPlaced = query.since !== undefined || query.resume !== undefined;
    if (isPlaced || this.#screen === null) return { ...query, timeoutMs };
    const { seq, epoch } = this.#screen;
    return { ...query, timeoutMs, since: seq, epoch, whole: true };
  }
}
