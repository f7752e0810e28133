import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { HARD_CAP_MS } from '../access/ApprovalQueue.ts';
import { CLIENT_CAPABILITIES } from '../protocol/Connection.ts';
import type { ElicitedForm } from './approvalForm.ts';

/** Longer than the approval itself, which ends first. */
const TIMEOUT_MS = HARD_CAP_MS + 5_000;

/**
 * How to ask the client's own person. `now`: during the call, by a request to the client (2025 era). `retry`: the call ends with the question, and
 * the client repeats it with the answer (2026 era).
 */
export type ClientAsk =
  | {
      readonly type: 'now';
      /** Resolves with the client's response; null if there is none before `over`. */
      ask(form: ElicitedForm, over: AbortSignal): Promise<unknown>;
    }
  | { readonly type: 'retry' };

/** What a retried call of the 2026 era contains; all of it is unverified client input. */
export interface RetryState {
  readonly state: string | null;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Null for a client that has not declared support for forms. */
export function clientAsk(server: Server, ctx: ServerContext, era: 'legacy' | 'modern'): ClientAsk | null {
  if (era === 'modern') {
    const told = (ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES];
    return showsForms(told) ? { type: 'retry' } : null;
  }
  if (!showsForms(server.getClientCapabilities())) return null;
  return {
    type: 'now',
    ask: async (form, over) => {
      try {
        return await ctx.mcpReq.send(
          { method: 'elicitation/create', params: { ...form } },
          { signal: AbortSignal.any([over, ctx.mcpReq.signal]), timeout: TIMEOUT_MS },
        );
      } catch {
        return null; // cancelled, refused or never answered: the question remains open elsewhere
      }
    },
  };
}

export function broughtBack({ mcpReq }: ServerContext): RetryState | null {
  const state = mcpReq.requestState();
  const { inputResponses } = mcpReq;
  if (state === undefined && inputResponses === undefined) return null;
  return { state: typeof state === 'string' ? state : null, responses: inputResponses ?? {} };
}

/** `elicitation: {}` predates modes and means forms. */
function showsForms(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { elicitation?: unknown };
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || !('url' in elicitation);
}
