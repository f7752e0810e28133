import { z } from 'zod';
import type { MachineCall } from '../../contract/mcp/machineCall.ts';
import { FaultCode, ToolFault } from '../../contract/mcp/mcp.ts';
import type { MachineLink } from '../../machines/MachineLink.ts';
import { framedText } from '../protocol/answers.ts';
import type { ToolAnswer, ToolCall } from '../protocol/Tool.ts';
import { untrustedText } from '../protocol/untrustedText.ts';
import { offFault } from './machineFor.ts';
import { readAnswer } from './readAnswer.ts';

/** Limits for the progress messages of one call. */
const MAX_PROGRESS = 100;
const MAX_PROGRESS_CHARS = 200;
const MAX_WORDS = 4_000;

export interface Asked {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Whether the call changes nothing there and may be repeated. */
  readonly isRead: boolean;
  readonly timeoutMs: number;
}

const Event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), message: z.string() }),
  z.object({ type: z.literal('answer'), answer: z.unknown() }),
  z.object({
    type: z.literal('fault'),
    fault: z.object({
      ...{ code: z.string(), message: z.string(), suggestion: z.string() },
      retryAfterMs: z.number().finite().nonnegative().nullable(),
    }),
  }),
]);
const Refusal = z.object({ data: z.object({ code: z.string() }) });

/** Asks once over the current connection. Rejects with a ToolFault; after a lost connection the fault says that the outcome is unknown. */
export async function callMachine(link: MachineLink, asked: Asked, call: ToolCall): Promise<ToolAnswer> {
  const { api, view } = link;
  if (api === null) throw offFault(link);
  const answered = Promise.withResolvers<ToolAnswer>();
  let progress = 0;
  const take = (value: unknown): void => {
    const event = Event.safeParse(value).data;
    const answer = event?.type === 'answer' ? readAnswer(event.answer, view) : null;
    if (answer !== null) answered.resolve(answer);
    else if (event === undefined || event.type === 'answer')
      answered.reject(unknownFault(view.name, asked, 'its answer is too large or of another form'));
    else if (event.type === 'fault') answered.reject(faultOf(view.name, event.fault));
    else if (++progress <= MAX_PROGRESS)
      call.progress(untrustedText(`${view.name}: ${event.message.slice(0, MAX_PROGRESS_CHARS)}`).text);
  };
  const running = api.subscribe('machine.tool', payload(asked, call), {
    onData: take,
    onError: (error) => answered.reject(refused(view, asked, error)),
    onComplete: () => answered.reject(unknownFault(view.name, asked, 'it ended the call without an answer')),
  });
  const late = setTimeout(
    () => answered.reject(unknownFault(view.name, asked, `it did not answer in ${asked.timeoutMs / 1000} s`)),
    asked.timeoutMs,
  );
  const abort = (): void => answered.reject(call.signal.reason);
  call.signal.addEventListener('abort', abort, { once: true });
  api.lost.catch(() => answered.reject(unknownFault(view.name, asked, 'the connection was lost')));
  if (call.signal.aborted) abort();
  try {
    return await answered.promise;
  } finally {
    clearTimeout(late);
    call.signal.removeEventListener('abort', abort);
    running.unsubscribe(); // also cancels the call there
  }
}

function payload({ tool, args }: Asked, { caller, desk, machines }: ToolCall): MachineCall {
  const { name, title, version, account, isVerified } = caller;
  const from = machines?.hostName ?? '';
  return { client: { name, title, version, account: `${desk.epoch}-${account}`, isVerified, from }, tool, args };
}

function unknownFault(host: string, { tool, isRead }: Asked, why: string): ToolFault {
  if (isRead)
    return new ToolFault('HOST_UNAVAILABLE', `${host}: ${why}`, 'nothing was changed there; ask for less, or again');
  return new ToolFault(
    'OUTCOME_UNKNOWN',
    `${host}: ${why}, so it is not known whether ${tool} was done`,
    'do not call it again: look first, with blocks_since or pty_snapshot of that terminal, when pty_list has the host',
  );
}

/** The machine's refusal. Its text is as untrusted as terminal output. */
function faultOf(
  host: string,
  fault: { code: string; message: string; suggestion: string; retryAfterMs: number | null },
) {
  const code = FaultCode.safeParse(fault.code).data ?? 'HOST_UNAVAILABLE';
  const words = `${fault.message} — ${fault.suggestion}`.slice(0, MAX_WORDS);
  return new ToolFault(code, `${host} refused it`, 'host_says has its words', {
    ...(fault.retryAfterMs !== null && { retryAfterMs: fault.retryAfterMs }),
    details: { host, host_says: framedText({ text: words, about: `host ${host}` }).text },
  });
}

/** A refusal of the API (unknown call or invalid input) means that nothing was done. Any other failure leaves that open. */
function refused({ name, info }: MachineLink['view'], asked: Asked, error: unknown): ToolFault {
  const code = Refusal.safeParse(error).data?.data.code;
  if (code !== 'NOT_FOUND' && code !== 'BAD_REQUEST' && code !== 'FORBIDDEN')
    return unknownFault(name, asked, 'it failed there');
  return new ToolFault(
    'HOST_UNAVAILABLE',
    `Hansard ${info?.version.slice(0, 40) ?? ''} on ${name} does not take calls of MCP clients from here, so nothing was done`,
    `the person updates Hansard on ${name}, then \`hansard serve restart\` there; \`ssh ${name} hansard mcp\` works as a client's command until then`,
  );
}
