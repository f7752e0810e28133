import { Worker } from 'node:worker_threads';
import type { PastImportReport } from '../contract/past.ts';
import type { ImportRun } from './runImport.ts';

export type FromPast =
  | { type: 'progress'; report: PastImportReport }
  | { type: 'done'; report: PastImportReport }
  | { type: 'failed'; reason: string };

/** Without this option, Node 22 logs at every start that SQLite is experimental. */
const QUIET = ['--disable-warning=ExperimentalWarning'];

/**
 * Runs one import in a separate thread. Resolves to its report. Rejects if it failed or `signal` aborted it; the next import then continues at the
 * same place.
 */
export async function runPastJob(
  { workerUrl, run, signal }: { workerUrl: URL; run: ImportRun; signal: AbortSignal },
  onReport: (report: PastImportReport) => void,
): Promise<PastImportReport> {
  signal.throwIfAborted();
  const worker = new Worker(workerUrl, { workerData: run, execArgv: QUIET });
  const { promise, resolve, reject } = Promise.withResolvers<PastImportReport>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop);
  worker.on('message', (message: FromPast) => {
    if (message.type === 'progress') onReport(message.report);
    else if (message.type === 'done') resolve(message.report);
    else reject(new Error(message.reason));
  });
  worker.on('error', reject);
  worker.on('exit', (code) => reject(new Error(`the import ended with exit code ${code}`)));
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    worker.removeAllListeners('exit');
    await worker.terminate();
  }
}
