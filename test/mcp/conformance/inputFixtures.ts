// Tools of the suite that need input of their client. In the 2026 era they return the request for it as their result and are called again.
import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredSpec,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { FixtureCall, FixtureTool } from './fixtures.ts';

type Requests = NonNullable<InputRequiredSpec['inputRequests']>;

const say = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });
const states = createRequestStateCodec<{ round: number; name?: string }>({ key: randomBytes(32) });

function ask(message: string, property: string, type: 'string' | 'boolean' = 'string'): Requests[string] {
  const requestedSchema = {
    type: 'object' as const,
    properties: { [property]: { type } as never },
    required: [property],
  };
  return inputRequired.elicit({ message, requestedSchema });
}

function sample(prompt: string): Requests[string] {
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
  return inputRequired.createMessage({ messages, maxTokens: 100 });
}

/** The state that the client echoed, or null; throws "invalid params" if it was changed or has expired. */
async function stateOf(ctx: ServerContext): Promise<{ round: number; name?: string } | null> {
  const echoed = ctx.mcpReq.requestState();
  if (typeof echoed !== 'string') return null;
  try {
    return await states.verify(echoed, ctx);
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState');
  }
}

async function confirmed({ ctx }: FixtureCall): Promise<unknown> {
  const state = await stateOf(ctx);
  if (state !== null && acceptedContent(ctx.mcpReq.inputResponses, 'confirm')) return say('state-ok');
  return inputRequired({
    inputRequests: { confirm: ask('Please confirm', 'ok', 'boolean') },
    requestState: await states.mint({ round: 1 }),
  });
}

const ALL: Requests = {
  user_name: ask('What is your name?', 'name'),
  greeting: sample('Generate a greeting'),
  client_roots: inputRequired.listRoots(),
};

async function multipleInputs({ ctx }: FixtureCall): Promise<unknown> {
  const { inputResponses } = ctx.mcpReq;
  const state = await stateOf(ctx);
  if (state !== null && Object.keys(ALL).every((key) => inputResponse(inputResponses, key).kind !== 'missing')) {
    return say(`complete: ${JSON.stringify(inputResponses)}`);
  }
  return inputRequired({ inputRequests: ALL, requestState: await states.mint({ round: 1 }) });
}

async function multiRound({ ctx }: FixtureCall): Promise<unknown> {
  const { inputResponses } = ctx.mcpReq;
  const state = await stateOf(ctx);
  const step1 = acceptedContent<{ name: string }>(inputResponses, 'step1');
  const step2 = acceptedContent<{ color: string }>(inputResponses, 'step2');
  if (state?.round === 2 && step2) return say(`${state.name} likes ${step2.color}`);
  if (state?.round === 1 && step1) {
    return inputRequired({
      inputRequests: { step2: ask('Step 2: What is your favorite color?', 'color') },
      requestState: await states.mint({ round: 2, name: step1.name }),
    });
  }
  return inputRequired({
    inputRequests: { step1: ask('Step 1: What is your name?', 'name') },
    requestState: await states.mint({ round: 1 }),
  });
}

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Requests only input that the client's capabilities include. */
function byCapabilities({ ctx }: FixtureCall): unknown {
  const meta = (ctx.mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>;
  const can = (meta[CAPABILITIES] ?? {}) as Readonly<Record<string, unknown>>;
  const inputRequests: Requests = {
    ...(can.elicitation !== undefined && { user_name: ask('What is your name?', 'name') }),
    ...(can.sampling !== undefined && { greeting: sample('Generate a greeting') }),
    ...(can.roots !== undefined && { client_roots: inputRequired.listRoots() }),
  };
  return Object.keys(inputRequests).length === 0 ? say('nothing can be asked') : inputRequired({ inputRequests });
}

export function userContext(ctx: ServerContext): string | undefined {
  return acceptedContent<{ context: string }>(ctx.mcpReq.inputResponses, 'user_context')?.context;
}

export function askContext(): unknown {
  return inputRequired({ inputRequests: { user_context: ask('What context should the prompt use?', 'context') } });
}

function greeted({ ctx }: FixtureCall): unknown {
  const given = acceptedContent<{ name?: unknown }>(ctx.mcpReq.inputResponses, 'user_name');
  if (typeof given?.name === 'string') return say(`Hello, ${given.name}!`);
  return inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } });
}

export const INPUT_TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_input_required_result_elicitation: greeted,
  test_streaming_elicitation: greeted,
  test_input_required_result_sampling: ({ ctx }) => {
    const given = inputResponse(ctx.mcpReq.inputResponses, 'capital_question');
    return given.kind === 'sampling'
      ? say(JSON.stringify(given.result.content))
      : inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } });
  },
  test_input_required_result_list_roots: ({ ctx }) => {
    const given = inputResponse(ctx.mcpReq.inputResponses, 'client_roots');
    return given.kind === 'roots'
      ? say(given.roots.map(({ uri }) => uri).join())
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multiple_inputs: multipleInputs,
  test_input_required_result_multi_round: multiRound,
  test_input_required_result_capabilities: byCapabilities,
};
