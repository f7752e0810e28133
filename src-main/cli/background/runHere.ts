import { CliError, EXIT } from '../print/exitCodes.ts';
import type { LaunchReport } from './reports.ts';
import { type FrontOptions, startFront } from './startFront.ts';

/** The background process itself: serves, tells its launcher once, and stays until it is told to end. */
export async function runHere(options: Pick<FrontOptions, 'port' | 'publicUrl'>): Promise<void> {
  // Before it serves, a launcher that was given up (Ctrl+C) takes it along; afterwards it needs none.
  process.once('disconnect', endAtOnce);
  try {
    const front = await startFront({ ...options, isBackground: true });
    process.off('disconnect', endAtOnce);
    const { url, publicOrigin, pid, isJoined } = front;
    await report({ type: 'ready', url, publicOrigin, pid, isJoined });
    await front.ended;
  } catch (error) {
    await report({
      type: 'failed',
      message: error instanceof Error ? error.message : String(error),
      exitCode: error instanceof CliError ? error.exitCode : EXIT.software,
    });
    throw error;
  }
}

function endAtOnce(): void {
  process.kill(process.pid, 'SIGTERM'); // held back until the start is over: no lock and no shell stays behind
}

/** Resolves also when nobody listens any more. */
async function report(what: LaunchReport): Promise<void> {
  if (!process.connected) return;
  await new Promise<void>((resolve) => process.send?.(what, undefined, undefined, () => resolve()));
  if (process.connected) process.disconnect();
}
