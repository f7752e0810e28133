/** MCP's Tasks extension of 2026-07-28: a call is answered with a task, and the client asks for the task until it has ended. */
export const TASKS = 'io.modelcontextprotocol/tasks';

interface TaskBase {
  readonly taskId: string;
  readonly statusMessage?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Time from its creation for which the task is known at least. */
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
}

/** A task as returned by `tasks/get`. */
export type Task = TaskBase &
  (
    | { readonly status: 'working' | 'cancelled' }
    | { readonly status: 'completed'; readonly result: Readonly<Record<string, unknown>> }
  );

/** The answer to a call that has become a task. */
export type CreatedTask = Task & { readonly resultType: 'task' };

export function isCreatedTask(result: object): result is CreatedTask {
  return 'resultType' in result && result.resultType === 'task';
}
