import { ToolFault } from '../../contract/mcp/mcp.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Clock } from '../../util/Clock.ts';

/** A client's call ends within a minute, and a question to the person may add to it. */
const MAX_WAIT_MS = 20_000;

/** How long the person's last key still blocks clients; 0 if it does not. */
export function heldForMs(terminal: PtyInstance, typingHoldMs: number): number {
  const { quietMs } = terminal.input.keys;
  return quietMs === null ? 0 : Math.max(0, typingHoldMs - quietMs);
}

/** Resolves when the person has not typed here for `typing_hold_ms`. Throws when they keep typing. */
export async function untilQuiet(
  terminal: PtyInstance,
  { clock, holdMs, maxMs = MAX_WAIT_MS }: { clock: Clock; holdMs(): number; maxMs?: number },
): Promise<void> {
  const deadlineMs = clock.monotonicMs() + maxMs;
  for (;;) {
    const heldMs = heldForMs(terminal, holdMs());
    if (heldMs === 0) return;
    if (clock.monotonicMs() + heldMs > deadlineMs) throw typing(heldMs);
    await new Promise<void>((resolve) => clock.after(heldMs, resolve));
  }
}

/** Throws while the person's last key still blocks clients. */
export function checkQuiet(terminal: PtyInstance, typingHoldMs: number): void {
  const heldMs = heldForMs(terminal, typingHoldMs);
  if (heldMs > 0) throw typing(heldMs);
}

function typing(retryAfterMs: number): ToolFault {
  return new ToolFault('USER_TYPING', 'the person is typing in this terminal', 'ask again when they have stopped', {
    retryAfterMs: Math.ceil(retryAfterMs),
  });
}
