import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { HARD_CAP_MS } from '../access/ApprovalQueue.ts';
import { CLIENT_CAPABILITIES } from '../protocol/Connection.ts';
import type { ElicitedForm } from './approvalForm.ts';

/** The question itself ends first, with all who asked it. */
const TIMEOUT_MS = HARD_CAP_MS + 5_000;

/**
 * How the client's own person can be asked. `now`: in the middle of the call, by a request to the client (2025 era). `retry`: the call ends
 * with the question, and is made once more with the answer (2026 era).
 */
export type ClientAsk =
  | {
      readonly type: 'now';
      /** Resolves with what the client brought back; null when it brought nothing before `over`. */
      ask(form: ElicitedForm, over: AbortSignal): Promise<unknown>;
    }
  | { readonly type: 'retry' };

/** What a retried call of the 2026 era brought; everything in it is the client's word. */
export interface RetryState {
  readonly state: string | null;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Null for a client that has not declared that it shows forms. */
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
        return null; // called off, refused or never answered: the question stands where else it was put
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

/** `elicitation: {}` is from before there were modes, and means forms. */
function showsForms(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { elicitation?: unknown };
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || !('url' in elicitation);
}
