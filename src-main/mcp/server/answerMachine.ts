import type { MachineCall, MachineCallEvent } from '../../contract/mcp/machineCall.ts';
import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import { Emitter } from '../../util/Emitter.ts';
import { follow } from '../../util/follow.ts';
import { detach } from '../../util/strayErrors.ts';
import { machineAnswerOf } from '../protocol/answers.ts';
import { cleanName, cleanTitle } from '../protocol/clientName.ts';
import type { ToolCall } from '../protocol/Tool.ts';
import { runTool } from './callTool.ts';
import { findTool } from './catalog.ts';
import type { Served } from './makeServer.ts';

/**
 * Makes a call that another machine's core passes on, as if its client were connected here: this machine's policy, approvals, limits, redaction and
 * audit log apply. Yields progress, then the answer or the refusal. Cancels the call when the reader leaves.
 */
export async function* answerMachine(
  served: Pick<Served, 'desk' | 'clients'>,
  asked: MachineCall,
  signal?: AbortSignal,
): AsyncGenerator<MachineCallEvent> {
  const events = new Emitter<MachineCallEvent>();
  const left = new AbortController();
  const done = new AbortController();
  let failure: unknown;
  const run = async (): Promise<void> => {
    try {
      const stop = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
      events.fire(await answer(served, asked, { signal: stop, say: (event) => events.fire(event) }));
    } catch (error) {
      failure = error;
    } finally {
      done.abort();
    }
  };
  let hasBegun = false;
  const begin = (): MachineCallEvent[] => {
    if (hasBegun) throw new Error('This reader is too far behind.');
    hasBegun = true;
    detach('answerMachine', run()); // `failure` is thrown below
    return [];
  };
  try {
    yield* follow(events.on, begin, signal, done.signal);
    if (failure !== undefined) throw failure;
  } finally {
    left.abort();
    events.dispose();
  }
}

interface Way {
  readonly signal: AbortSignal;
  say(event: MachineCallEvent): void;
}

async function answer(
  { desk, clients }: Pick<Served, 'desk' | 'clients'>,
  { client, tool: name, args }: MachineCall,
  { signal, say }: Way,
): Promise<MachineCallEvent> {
  const tool = findTool(name);
  const account = desk.gate.accounts.openNamed(client.account);
  const call: ToolCall = {
    ...{ desk, clients, authority: desk.gate, caller: callerOf(client, account.id), signal },
    ...{ machines: null, ask: null, brought: null, takesTasks: false, push: null },
    progress: (message) => say({ type: 'progress', message }),
  };
  try {
    if (!tool) throw new ToolFault('BAD_INPUT', `there is no tool "${name}" here`, 'update Hansard on this machine');
    const told = await runTool(tool, args, call, (given, effective) => {
      const result = machineAnswerOf(given, effective);
      return { result, bytes: JSON.stringify(result).length };
    });
    if ('result' in told) return { type: 'answer', answer: told.result };
    throw new Error(`${name} gave no answer`);
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    const { code, message, suggestion, retryAfterMs } = error;
    return { type: 'fault', fault: { code, message, suggestion, retryAfterMs } };
  } finally {
    account.dispose();
  }
}

/** The client runs on another machine, so it is in no terminal here, and its program cannot be verified here. */
function callerOf({ name, title, version, from, isVerified }: MachineCall['client'], account: string): McpCaller {
  const place = from === '' ? '' : ` on ${from}`;
  return {
    ...{
      connectionId: account,
      account,
      owner: null,
      name: cleanName(name),
      title: cleanTitle(`${title.slice(0, 50)}${place}`),
    },
    ...{ version: cleanTitle(version), pid: null, terminalId: null, isVerified },
  };
}
