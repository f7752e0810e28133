import type { Context, Script } from 'node:vm';

/** A script is begun anew so often when its time went by without a core to work on. */
const MAX_TRIES = 10;

/** Of the budget: a script that had a core to itself all the time has worked nearly all of it. */
const WORKED = 0.8;

export type Within<T> = { isDone: true; value: T } | { isDone: false };

/**
 * Runs a script that may never end, for about `budgetMs` of this thread's own work: a clock alone would blame it for a machine that
 * is busy with others. At the very most ten times the budget goes by. The script is begun anew then, so it must not add to what it
 * finds. What it throws is thrown.
 */
export function runWithin<T>(script: Script, context: Context, budgetMs: number): Within<T> {
  const beganUs = workUs();
  for (let tries = 1; ; tries += 1) {
    try {
      return { isDone: true, value: script.runInContext(context, { timeout: budgetMs }) as T };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    }
    const hasWorked = workUs() - beganUs >= budgetMs * 1000 * WORKED;
    if (hasWorked || tries >= MAX_TRIES) return { isDone: false };
  }
}

/** Of this thread, in µs; where it cannot be told (Node before 23.9), time counts as work. */
export function workUs(): number {
  const usage = (process as { threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage?.();
  return usage ? usage.user + usage.system : performance.now() * 1000;
}
