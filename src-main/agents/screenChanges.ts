import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { Clock } from '../util/Clock.ts';

/** Enough for the effect of a key to be on the screen. */
const SHOWN_MS = 300;

/** Resolves when the latest input has had time to be drawn. */
export async function untilShown(terminal: PtyInstance, clock: Clock): Promise<void> {
  const sinceMs = clock.monotonicMs() - (terminal.input.keys.lastMs ?? Number.NEGATIVE_INFINITY);
  if (sinceMs < SHOWN_MS) await new Promise<void>((resolve) => clock.after(SHOWN_MS - sinceMs, resolve));
}

/**
 * Yields at once and then after each change of the screen, until `withinMs` are over or the terminal is closed. The conversation is up to date with
 * the screen at each yield.
 */
export async function* screenChanges(
  { terminal, clock }: { terminal: PtyInstance; clock: Clock },
  withinMs: number,
): AsyncGenerator<void> {
  const untilMs = clock.monotonicMs() + withinMs;
  let seen = await terminal.screen.read({ scrollback: 0 });
  for (let leftMs = withinMs; leftMs > 0; leftMs = untilMs - clock.monotonicMs()) {
    await terminal.screen.drawn();
    yield;
    if ('error' in seen) return;
    const query = { since: seen.seq, epoch: seen.epoch, timeoutMs: Math.ceil(leftMs), scrollback: 0 };
    const result = await terminal.screen.wait({ ...query, mode: 'any', conditions: [{ type: 'changed' }] });
    if ('error' in result || !result.reading || result.outcome !== 'met') return;
    seen = result.reading;
  }
}
