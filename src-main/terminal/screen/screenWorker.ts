import { parentPort, workerData } from 'node:worker_threads';
import { redactRows } from '../../redaction/redactRows.ts';
import { ScreenWorkerLoop } from '../../screen/worker/ScreenWorkerLoop.ts';
import {
  type FromWorker,
  SharedProgress,
  type ToWorker,
  type WorkerStart,
} from '../../screen/worker/screenProtocol.ts';
import { systemClock } from '../../util/Clock.ts';

/** Entry point of the worker thread in which all emulators run, so that output never blocks the main thread. */
const port = parentPort;
if (!port) throw new Error('screenWorker runs as a worker thread only');

const { progress, unguarded } = workerData as WorkerStart;
const post = (message: FromWorker) => port.postMessage(message);
const workshop = new ScreenWorkerLoop({
  post,
  progress: new SharedProgress(progress),
  clock: systemClock,
  unguarded,
  tellRows: redactRows,
  defer: (run) => setImmediate(run),
});
port.on('message', (message: ToWorker) => workshop.take(message));
post({ type: 'ready' });
