import { afterAll, expect } from 'vitest';

/** A suite must leave no timer, socket, child or worker behind: what is left would keep a real core from ending. */
const before = new Set(process.getActiveResourcesInfo());
/**
 * How long what has been closed may take to go. A child that has said `exit` is listed until its pipes are read to their end and the
 * kernel's word has come, which on two busy cores took more than a hundred turns of the event loop.
 */
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 10;
/** Kept from before a suite puts a clock of its own in their place. */
const { setTimeout: wait, Date: Clock } = globalThis;

afterAll(async () => {
  const end = Clock.now() + PATIENCE_MS;
  while (leftBehind().length > 0 && Clock.now() < end) await new Promise((resolve) => wait(resolve, LOOK_EVERY_MS));
  expect(leftBehind(), 'resources left open at the end of the suite').toEqual([]);
});

/** The test runner's own: its pipe to the parent and the timers of its reporter. */
const HARNESS = new Set(['PipeWrap', 'MessagePort', 'Timeout', 'Immediate', 'CloseReq', 'TickObject']);

function leftBehind(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => !before.has(kind) && !HARNESS.has(kind));
}
