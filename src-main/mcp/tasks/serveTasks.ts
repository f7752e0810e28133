import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CLIENT_CAPABILITIES } from '../protocol/Connection.ts';
import { runAudited } from '../protocol/runAudited.ts';
import type { ToolCall } from '../protocol/Tool.ts';
import { TASKS } from '../protocol/taskShapes.ts';
import type { WatchState } from '../read/WatchService.ts';
import { taskOf } from './notifyTask.ts';

const Which = z.looseObject({ taskId: z.string().max(64) });

/** In this era, a client sends its capabilities with each request. */
export function takesTasks(ctx: ServerContext): boolean {
  const told = (ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES];
  const { extensions } = (told ?? {}) as { extensions?: Readonly<Record<string, unknown>> };
  return typeof extensions?.[TASKS] === 'object' && extensions[TASKS] !== null;
}

/** Answers `tasks/get`, `tasks/cancel` and `tasks/update` for the caller's own watches; no task of ours ever asks for input. */
export function serveTasks(server: Server, callOf: (ctx: ServerContext) => ToolCall): void {
  const serve = (method: string, answer: (state: WatchState, call: ToolCall) => object): void =>
    server.setRequestHandler(method, { params: Which }, ({ taskId }, ctx) => {
      if (!takesTasks(ctx))
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS]: {} } } });
      const call = callOf(ctx);
      return runAudited({ tool: method, terminalId: null, what: taskId }, call, () => ({
        ...answer(stateOf(taskId, call), call),
      }));
    });
  serve('tasks/get', (state) => taskOf(state));
  serve('tasks/cancel', ({ watch }, { desk, caller }) => {
    desk.notify.cancel(watch.id, caller.name); // a watch that has ended keeps its state
    return {};
  });
  serve('tasks/update', () => ({}));
}

function stateOf(taskId: string, { desk, caller }: ToolCall): WatchState {
  const state = desk.notify.state(taskId, caller.name);
  if (state) return state;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `there is no task "${taskId}" of yours: a restart of the app ends all of them, and the last hundred are kept`,
  );
}
