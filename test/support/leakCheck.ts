import { afterAll, expect } from 'vitest';

/**
 * A suite must leave no timer, socket, child or worker behind: a leftover would keep a real core from exiting. Suites of one worker follow each
 * other in one process, so what one of them left is counted for that suite only.
 */
const before = countKinds();
/**
 * Time for closed resources to disappear. A child is listed after its `exit` event until its pipes are read to the end and the kernel has
 * reported it, which took more than a hundred turns of the event loop on two busy cores.
 */
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 10;
/** The real ones, from before a suite replaces them with fake timers. */
const { setTimeout: wait, Date: Clock } = globalThis;

afterAll(async () => {
  const end = Clock.now() + PATIENCE_MS;
  while (leftBehind().length > 0 && Clock.now() < end) await new Promise((resolve) => wait(resolve, LOOK_EVERY_MS));
  expect(leftBehind(), 'resources left open at the end of the suite').toEqual([]);
});

/** Resources of the test runner: its pipe to the parent. */
const HARNESS = new Set(['PipeWrap', 'MessagePort', 'Immediate', 'CloseReq', 'TickObject']);

function leftBehind(): string[] {
  return [...countKinds()]
    .filter(([kind, count]) => !HARNESS.has(kind) && count > (before.get(kind) ?? 0))
    .map(([kind, count]) => `${count} of ${kind}, ${before.get(kind) ?? 0} before`);
}

function countKinds(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
