import type { PtyProcess } from '../pty/PtyProcess.ts';
import type { Clock } from '../util/Clock.ts';

/** Time after the hang-up at which a shell that still runs is killed. */
const HANG_UP_MS = 1_000;

/** Ends a shell like a closing terminal, and resolves when it has exited. */
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
