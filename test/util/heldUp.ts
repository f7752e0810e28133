import { createContext, Script } from 'node:vm';
import { runWithin, workUs } from '../../src-main/util/runWithin.ts';

/** Runs a script of about 5 ms with a budget of 50 ms until it is restarted at least once, and prints how often it ended. */
const SCRIPT = new Script('{ begun += 1; let sum = 0; for (let n = 0; n < rounds; n += 1) sum += n % 7; sum; }');
const TARGET_MS = 5;
const PATIENCE_MS = 30_000;

const context = createContext({ begun: 0, rounds: 10_000 });
for (let tookMs = 0; tookMs < TARGET_MS; ) {
  context.rounds *= 2;
  // CPU time, because on a busy machine a short script takes long by the clock but ends before it can be interrupted.
  const beganUs = workUs();
  SCRIPT.runInContext(context);
  tookMs = (workUs() - beganUs) / 1000;
}
process.stdout.write('ready\n');
context.begun = 0;
const ran = { done: 0, given: 0, begun: 0 };
const endMs = performance.now() + PATIENCE_MS;
while (ran.begun <= ran.given && performance.now() < endMs) {
  ran.given += 1;
  if (runWithin(SCRIPT, context, 50).isDone) ran.done += 1;
  ran.begun = context.begun;
}
process.stdout.write(`${JSON.stringify(ran)}\n`);
