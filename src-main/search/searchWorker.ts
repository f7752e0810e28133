import { parentPort, workerData } from 'node:worker_threads';
import { SearchWorkerHost } from './SearchWorkerHost.ts';
import type { SearchStart, ToSearch } from './searchProtocol.ts';

/** Entry point of the worker thread with the index: SQLite is synchronous, and must not block the main thread. */
const port = parentPort;
if (!port) throw new Error('searchWorker runs as a worker thread only');

const { dataFolder } = workerData as SearchStart;
const desk = new SearchWorkerHost(dataFolder, (message) => port.postMessage(message));
port.on('message', (message: ToSearch) => desk.take(message));
