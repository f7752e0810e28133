import { parentPort, workerData } from 'node:worker_threads';
import type { FromPast } from './PastJob.ts';
import { type ImportRun, runImport } from './runImport.ts';

/** Entry point of the worker thread that imports. It reads and writes synchronously, which would block the main thread. */
const port = parentPort;
if (!port) throw new Error('pastWorker runs as a worker thread only');

const post = (message: FromPast): void => port.postMessage(message);
/** Sends reports at most this often, because a piece takes only some milliseconds. */
const REPORT_EVERY_MS = 200;
let reportedMs = 0;

runImport(workerData as ImportRun, (report) => {
  if (performance.now() - reportedMs < REPORT_EVERY_MS) return;
  reportedMs = performance.now();
  post({ type: 'progress', report });
}).then(
  (report) => post({ type: 'done', report }),
  (error: unknown) => post({ type: 'failed', reason: error instanceof Error ? error.message : String(error) }),
);
