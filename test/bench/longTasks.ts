import type { Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** CPU microseconds of the thread, without its waits for a processor. */
  tdur?: number;
  args?: { name?: string };
}

/** CPU milliseconds of each task of the page's main thread during `work`, from the browser's trace. */
export async function longTasks(page: Page, work: () => Promise<void>): Promise<number[]> {
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser to trace');
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ ph, name, pid, tid, tdur }) =>
      ph === 'X' && name.endsWith('RunTask') && tdur !== undefined && mains.has(`${pid}/${tid}`),
  );
  if (tasks.length === 0) throw new Error('the trace has no tasks');
  return tasks.map(({ tdur = 0 }) => tdur / 1000);
}
