import { CliError, EXIT } from '../print/exitCodes.ts';
import type { LaunchReport } from './reports.ts';
import { type FrontOptions, startFront } from './startFront.ts';

/** The background process itself: serves, reports to its launcher once, and runs until a signal ends it. */
export async function runHere(options: Pick<FrontOptions, 'port' | 'publicUrl'>): Promise<void> {
  // Until it serves, it ends with its launcher (Ctrl+C); afterwards it is independent.
  process.once('disconnect', endAtOnce);
  try {
    const front = await startFront({ ...options, isBackground: true });
    process.off('disconnect', endAtOnce);
    const { url, publicOrigin, pid, isJoined, build } = front;
    await report({ type: 'ready', url, publicOrigin, pid, isJoined, build });
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
  process.kill(process.pid, 'SIGTERM'); // handled after the start, so that it leaves no lock and no shell
}

/** Also resolves if the launcher no longer listens. */
async function report(what: LaunchReport): Promise<void> {
  if (!process.connected) return;
  await new Promise<void>((resolve) => process.send?.(what, undefined, undefined, () => resolve()));
  if (process.connected) process.disconnect();
}
