import { answerOf } from '../protocol/answers.ts';
import type { CreatedTask, Task } from '../protocol/taskShapes.ts';
import { notedAlone } from '../protocol/watchResult.ts';
import type { Watch, WatchState } from '../read/WatchService.ts';

/** A watch may be met at its last moment; its result is kept for an hour after that. */
const KEPT_MS = 3_600_000;
/** A watch takes longer than a call may, so a client need not ask more often. */
const POLL_MS = 2_000;

/** A new watch, as a task. */
export function createdTask(watch: Watch): CreatedTask {
  return { ...base(watch, watch.sinceMs), resultType: 'task', status: 'working', statusMessage: watching(watch) };
}

/** The current state of a watch. */
export function taskOf(state: WatchState): Task {
  const { watch } = state;
  switch (state.type) {
    case 'open':
      return { ...base(watch, watch.sinceMs), status: 'working', statusMessage: watching(watch) };
    case 'cancelled':
      return { ...base(watch, state.atMs), status: 'cancelled' };
    case 'noted': {
      const { outcome, atMs } = state.noted;
      const result = answerOf(notedAlone(state.noted), { nowMs: atMs, effective: {} });
      return {
        ...base(watch, atMs),
        status: 'completed',
        statusMessage: outcome,
        result: { ...result, resultType: 'complete' },
      };
    }
  }
}

function base({ id, sinceMs, untilMs }: Watch, updatedMs: number): Omit<Task, 'status' | 'result'> {
  return {
    taskId: id,
    createdAt: new Date(sinceMs).toISOString(),
    lastUpdatedAt: new Date(updatedMs).toISOString(),
    ttlMs: untilMs - sinceMs + KEPT_MS,
    pollIntervalMs: POLL_MS,
  };
}

function watching({ terminalId, untilMs, client }: Watch): string {
  return `watching ${terminalId} until ${new Date(untilMs).toISOString()}; also told in term://inbox/${client}`;
}
