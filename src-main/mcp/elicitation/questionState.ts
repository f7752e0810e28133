import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';

/**
 * So long a client can learn what became of its command. How long an answer counts is the approval's own time, which is shorter and is not
 * asked of what the client brings.
 */
const READABLE_S = 600;

/** Which question a retried call is about. The client can read it and cannot change it. */
const Question = z.object({ approval: z.string(), block: z.string(), hash: z.string() });
export type QuestionState = z.infer<typeof Question>;

/** Whose call it is, and with what it is sealed. */
export interface Seal {
  /** 256 bits, in hex, of this core. */
  readonly key: string;
  readonly caller: Pick<McpCaller, 'connectionId' | 'name'>;
}

/** For one connection of one client: on another it opens nothing. */
export function sealQuestion(question: QuestionState, seal: Seal): Promise<string> {
  return codecOf(seal).mint(question, NO_CONTEXT);
}

/** Throws a ToolFault for what was not sealed here for this caller, or too long ago. */
export async function openQuestion(state: string, seal: Seal): Promise<QuestionState> {
  try {
    return Question.parse(await codecOf(seal).verify(state, NO_CONTEXT));
  } catch {
    // which of the checks failed is of use only to somebody who tries
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

/** `bind` knows whose it is without asking it. */
const NO_CONTEXT = {} as never;
