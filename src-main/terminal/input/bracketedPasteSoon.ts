import type { Clock } from '../../util/Clock.ts';
import type { Event } from '../../util/Emitter.ts';

/** Time until a line editor is ready after a prompt's first bytes; with a shell that never asks for pastes, submitting several lines takes it. */
const LINE_EDITOR_MS = 250;

interface Shell {
  clock: Clock;
  /** Whether DEC mode 2004 is on, according to the screen. */
  isBracketed(): Promise<boolean>;
  isAtPrompt(): boolean;
  /** Fires when new bytes are on their way to the screen. */
  onFed: Event<void>;
}

/** Whether to bracket pastes; at a new prompt, the line editor gets a moment to ask for it. */
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
export function nextBytes({ clock, onFed }: Pick<Shell, 'clock' | 'onFed'>, withinMs: number): Promise<void> {
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
