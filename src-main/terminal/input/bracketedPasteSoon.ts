import type { Clock } from '../../util/Clock.ts';
import type { Event } from '../../util/Emitter.ts';

/** From the first bytes of a prompt to the line editor's readiness; shells that never ask for pastes cost a submit of several lines this. */
const LINE_EDITOR_MS = 250;

interface Shell {
  clock: Clock;
  /** DEC mode 2004 is on, by the screen. */
  isBracketed(): Promise<boolean>;
  isAtPrompt(): boolean;
  /** Bytes have come and are on their way to the screen. */
  onFed: Event<void>;
}

/** Whether pastes are to be wrapped; at a prompt that was just drawn the line editor is given a moment to ask for it. */
export async function bracketedPasteSoon(shell: Shell): Promise<boolean> {
  const deadlineMs = shell.clock.monotonicMs() + LINE_EDITOR_MS;
  for (;;) {
    const isBracketed = await shell.isBracketed();
    const leftMs = deadlineMs - shell.clock.monotonicMs();
    if (isBracketed || leftMs <= 0 || !shell.isAtPrompt()) return isBracketed;
    await nextBytes(shell, leftMs);
  }
}

/** Resolves when the shell has printed something, or after `withinMs`. */
function nextBytes({ clock, onFed }: Shell, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      timer.dispose();
      listening.dispose();
      resolve();
    };
    const timer = clock.after(withinMs, stop);
    const listening = onFed(stop);
  });
}
