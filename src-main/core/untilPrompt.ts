import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { Clock } from '../util/Clock.ts';

/** After this time a command is typed even without a prompt: it waits in the line. */
const PROMPT_WAIT_MS = 10_000;

/** Resolves when the shell of a terminal is at a prompt, has ended, or takes too long. */
export function untilPrompt(terminal: PtyInstance, clock: Clock): Promise<void> {
  if (terminal.view.atPrompt) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      timer.dispose();
      listening.dispose();
      resolve();
    };
    const timer = clock.after(PROMPT_WAIT_MS, done);
    const listening = terminal.onChanged((view) => {
      if (view.atPrompt || view.state === 'exited') done();
    });
  });
}
