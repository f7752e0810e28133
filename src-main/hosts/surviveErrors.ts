import type { Notices } from '../notices/Notices.ts';
import type { Clock } from '../util/Clock.ts';
import { type IDisposable, toDisposable } from '../util/Disposables.ts';
import type { Log } from '../util/Log.ts';
import { isPartMissing, PART_MISSING } from '../util/missingPart.ts';
import { onStrayError } from '../util/strayErrors.ts';
import { UPDATED } from './update/UpdateWatch.ts';

/** Number of different errors that are counted; beyond it, all counts are reset. */
const MAX_KINDS = 1_000;

/**
 * Logs unhandled errors of listeners, detached work and the whole process, and raises one notice. The process keeps recording. Of the same error the
 * 1st, 2nd, 4th, 8th, … are logged, so that one error per chunk cannot fill the disk.
 */
export function surviveErrors({ log, notices, clock }: { log: Log; notices: Notices; clock: Clock }): IDisposable {
  const counts = new Map<string, number>();
  const report = (source: string, thrown: unknown): void => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const kind = `${source}: ${error.message}`;
    const count = (counts.get(kind) ?? 0) + 1;
    if (counts.size >= MAX_KINDS) counts.clear();
    counts.set(kind, count);
    if ((count & (count - 1)) !== 0) return;
    log('stray_error', { source, reason: error.message, stack: error.stack, count });
    const facts = { level: 'error', terminalId: null, atMs: clock.nowMs() } as const;
    if (!isPartMissing(error)) notices.raise({ key: 'stray-error', ...facts, ...bug(kind) });
    else if (!notices.current.some(({ key }) => key === UPDATED))
      notices.raise({ key: UPDATED, ...facts, ...PART_MISSING });
  };
  const own = onStrayError(report);
  const onException = (error: unknown): void => report('uncaught exception', error);
  const onRejection = (error: unknown): void => report('unhandled rejection', error);
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return toDisposable(() => {
    own.dispose();
    process.off('uncaughtException', onException);
    process.off('unhandledRejection', onRejection);
  });
}

function bug(kind: string): { text: string; action: string } {
  return {
    text: `Internal error (${kind}). Recording continues.`,
    action: 'Restart Hansard if something no longer responds; core.log in the data folder has the details.',
  };
}
