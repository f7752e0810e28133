import { afterAll, expect } from 'vitest';

/** A suite must leave no timer, socket, child or worker behind: a leftover would keep a real core from exiting. */
const before = new Set(process.getActiveResourcesInfo());
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

/** Resources of the test runner: its pipe to the parent and the timers of its reporter. */
const HARNESS = new Set(['PipeWrap', 'MessagePort', 'Timeout', 'Immediate', 'CloseReq', 'TickObject']);

function leftBehind(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => !before.has(kind) && !HARNESS.has(kind));
}
