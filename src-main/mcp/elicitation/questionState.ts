import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';

/** Time for which a client can learn the outcome of its command. The answer itself expires earlier, with the approval, whose own clock decides. */
const READABLE_S = 600;

/** The question of a retried call. The client can read it but not change it. */
const Question = z.object({ approval: z.string(), block: z.string(), hash: z.string() });
export type QuestionState = z.infer<typeof Question>;

/** The caller and the key of the seal. */
export interface Seal {
  /** 256 bits of this core, in hex. */
  readonly key: string;
  readonly caller: Pick<McpCaller, 'connectionId' | 'name'>;
}

/** Valid for one connection of one client only. */
export function sealQuestion(question: QuestionState, seal: Seal): Promise<string> {
  return codecOf(seal).mint(question, NO_CONTEXT);
}

/** Throws a ToolFault if the state was not sealed here for this caller, or is too old. */
export async function openQuestion(state: string, seal: Seal): Promise<QuestionState> {
  try {
    return Question.parse(await codecOf(seal).verify(state, NO_CONTEXT));
  } catch {
    // the failed check would only help an attacker
    throw new ToolFault(
      'APPROVAL_EXPIRED',
      'this answer belongs to no question that this app has put to you on this connection; nothing was done because of it',
      'the app may have been restarted: look what ran (blocks_since), then call again without requestState',
    );
  }
}

function codecOf({ key, caller }: Seal): RequestStateCodec<QuestionState> {
  const bind = (): string => JSON.stringify([caller.connectionId, caller.name]);
  return createRequestStateCodec<QuestionState>({ key: Buffer.from(key, 'hex'), ttlSeconds: READABLE_S, bind });
}

/** `bind` needs no context. */
const NO_CONTEXT = {} as never;
