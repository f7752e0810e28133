import { afterAll, expect } from 'vitest';

/** A suite must leave no timer, socket, child or worker behind: what is left would keep a real core from ending. */
const before = new Set(process.getActiveResourcesInfo());
/** What has just been closed is still listed for a turn or two of the event loop. */
const MAX_TURNS = 100;

afterAll(async () => {
  for (let turn = 0; turn < MAX_TURNS && leftBehind().length > 0; turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect(leftBehind(), 'resources left open at the end of the suite').toEqual([]);
});

/** The test runner's own: its pipe to the parent and the timers of its reporter. */
const HARNESS = new Set(['PipeWrap', 'MessagePort', 'Timeout', 'Immediate', 'CloseReq', 'TickObject']);

function leftBehind(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => !before.has(kind) && !HARNESS.has(kind));
}
