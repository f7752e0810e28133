import type { PtyProcess } from '../pty/PtyProcess.ts';
import type { Clock } from '../util/Clock.ts';

/** A shell that has not ended by then after the hang-up is killed. */
const HANG_UP_MS = 1_000;

/** Ends a shell as a closed terminal does, and resolves when it has ended. */
export function hangUp(process: PtyProcess, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const killing = clock.after(HANG_UP_MS, () => process.kill('SIGKILL'));
    const listening = process.onExit(() => {
      killing.dispose();
      listening.dispose();
      resolve();
    });
    process.kill('SIGHUP');
  });
}
