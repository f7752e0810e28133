import { afterAll, expect } from 'vitest';

/** A suite must leave no timer, socket, child or worker behind: what is left would keep a real core from ending. */
const before = new Set(process.getActiveResourcesInfo());

afterAll(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  const left = process.getActiveResourcesInfo().filter((kind) => !before.has(kind) && !HARNESS.has(kind));
  expect(left, 'resources left open at the end of the suite').toEqual([]);
});

/** The test runner's own: its pipe to the parent and the timers of its reporter. */
const HARNESS = new Set(['PipeWrap', 'MessagePort', 'Timeout', 'Immediate', 'CloseReq', 'TickObject']);
