import { inputRequired } from '@modelcontextprotocol/server';
import type { ExecInput, ExecResult } from '../../contract/mcp/exec.ts';
import { ToolFault } from '../../contract/mcp/mcp.ts';
import type { RemoteQuestion } from '../access/ApprovalQueue.ts';
import { MAX_WAIT_MS } from '../protocol/inputs.ts';
import type { InputNeeded, ToolCall } from '../protocol/Tool.ts';
import { answerIn, approvalForm } from './approvalForm.ts';
import type { ClientAsk, RetryState } from './ClientAsk.ts';
import { openQuestion, sealQuestion } from './questionState.ts';

/** Key of the question in the request and of the answer in the response. */
const APPROVAL = 'approval';

/**
 * Runs a command for a client. If it needs an approval, the client's own person is asked too, provided the policy and the client allow it; the
 * question stays open in the window meanwhile, and the first answer counts. The call stays open as long as its question.
 */
export async function execWithApproval(request: ExecInput, call: ToolCall): Promise<ExecResult | InputNeeded> {
  const { clients, caller, signal } = call;
  if (call.brought) return answered(request, call, call.brought);
  const beganMs = call.desk.nowMs();
  const ask = call.authority.mayAskItsPerson(caller) ? call.ask : null;
  const ticket = await clients.exec.exec(request, caller, signal, { untilAsked: ask !== null });
  const question = ask && ticket.status === 'awaiting_approval' ? clients.approvals.askRemotely(ticket.blockId) : null;
  if (!ask || !question) return ticket;
  if (ask.type === 'retry') return needed(question, call);
  await askNow(ask, question, call);
  const leftMs = Math.max(0, MAX_WAIT_MS - (call.desk.nowMs() - beganMs));
  return goOn(ticket.blockId, { ...request, waitMs: Math.min(request.waitMs ?? 0, leftMs) }, call);
}

async function askNow(
  ask: Extract<ClientAsk, { type: 'now' }>,
  { approval, over }: RemoteQuestion,
  { clients, authority, caller }: ToolCall,
): Promise<void> {
  const answer = answerIn(await ask.ask(approvalForm(approval), over));
  if (answer && authority.mayAskItsPerson(caller)) clients.approvals.answerRemotely(approval, answer);
}

async function needed({ approval }: RemoteQuestion, { clients, caller }: ToolCall): Promise<InputNeeded> {
  const { id, blockId: block, hash } = approval;
  const requestState = await sealQuestion({ approval: id, block, hash }, { key: clients.stateKey, caller });
  const inputRequests = { [APPROVAL]: inputRequired.elicit(approvalForm(approval) as never) };
  return { needs: inputRequired({ inputRequests, requestState }) };
}

/** Handles a call that was sent back for an answer and is repeated. The question's outcome so far takes precedence over the answer. */
async function answered(request: ExecInput, call: ToolCall, { state, responses }: RetryState): Promise<ExecResult> {
  const { clients, caller, authority } = call;
  if (state === null)
    throw new ToolFault('BAD_INPUT', 'an answer without its requestState belongs to no question', 'send both back');
  const { approval: id, block, hash } = await openQuestion(state, { key: clients.stateKey, caller });
  const asked = clients.exec.requestOf(block, caller);
  if (asked && (['terminalId', 'cmd', 'cwd'] as const).some((name) => asked[name] !== request[name]))
    throw new ToolFault('BAD_INPUT', 'this answer belongs to another command', 'retry with the arguments of that call');
  const answer = answerIn(responses[APPROVAL]);
  if (answer && authority.mayAskItsPerson(caller)) clients.approvals.answerRemotely({ id, hash }, answer);
  return goOn(block, request, call);
}

async function goOn(
  block: string,
  { waitMs = 0 }: ExecInput,
  { clients, caller, signal }: ToolCall,
): Promise<ExecResult> {
  const ticket = await clients.exec.goOn(block, caller, { waitMs, signal });
  if (ticket) return ticket;
  throw new ToolFault('APPROVAL_EXPIRED', 'this question was over long ago', 'look what ran: blocks_since');
}
