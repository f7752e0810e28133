import type { Context, Script } from 'node:vm';

/** Most restarts of a script whose time passed without CPU time. */
const MAX_TRIES = 10;

/** Share of the budget: a script with a core of its own works nearly all of the time. */
const WORKED = 0.8;

export type Within<T> = { isDone: true; value: T } | { isDone: false };

/**
 * Runs a script that may never end, for about `budgetMs` of this thread's own CPU time: a clock alone would blame it for a machine
 * that is busy otherwise. Takes at most ten times the budget. The script may be restarted, so it must not accumulate results in
 * the context. Throws the script's errors.
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

/** CPU time of this thread in µs; elapsed time if it is not available (Node before 23.9). */
export function workUs(): number {
  const usage = (process as { threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage?.();
  return usage ? usage.user + usage.system : performance.now() * 1000;
}
