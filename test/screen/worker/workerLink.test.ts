import { afterEach, describe, expect, test } from 'vitest';
import type { FromWorker, ToWorker } from '../../../src-main/screen/worker/screenProtocol.ts';
import { WorkerLink } from '../../../src-main/screen/worker/WorkerLink.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { FakeClock } from '../../support/FakeClock.ts';

/** A worker that reports that it is ready, accepts messages, and answers none. */
const SILENT = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => undefined);
    parentPort.postMessage({ type: 'ready' });
  `)}`,
);

let link: WorkerLink | null = null;

afterEach(() => link?.dispose());

/** A worker with pending work whose CPU time is `workersCpuMs`. */
async function atWork(workersCpuMs: () => number): Promise<{ clock: FakeClock; replaced: string[] }> {
  const clock = new FakeClock();
  const replaced: string[] = [];
  const ready = Promise.withResolvers<FromWorker>();
  link = new WorkerLink(
    { workerUrl: SILENT, clock, log: silentLog, unguarded: false, workersCpuMs },
    {
      message: ready.resolve,
      restarted: (_culprit, reason) => replaced.push(reason),
      dead: (reason) => replaced.push(reason),
      isWaiting: () => true,
    },
  );
  await ready.promise;
  const work: ToWorker = { type: 'close', slot: 1 };
  link.post(work);
  return { clock, replaced };
}

/** Advances the clock in steps of 200 ms; the watchdog checks on timers and judges in a later turn. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 200) {
    clock.advance(200);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the watch over the screens’ worker', () => {
  test('lets a worker be that the machine does not let run', async () => {
    const { clock, replaced } = await atWork(() => 0);
    await pass(clock, 15_000);
    expect(replaced).toEqual([]);
  });

  test('replaces one that computes and shows nothing for it', async () => {
    let cpuMs = 0;
    const { clock, replaced } = await atWork(() => cpuMs);
    cpuMs = 1_500;
    await pass(clock, 1_400);
    expect(replaced).toEqual([expect.stringContaining('no sign of life')]);
  });

  test('replaces one that is stuck without computing', async () => {
    const { clock, replaced } = await atWork(() => 0);
    await pass(clock, 20_400);
    expect(replaced).toEqual([expect.stringContaining('no sign of life')]);
  });
});
