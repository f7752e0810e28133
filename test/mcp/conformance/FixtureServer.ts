import { type JSONRPCRequest, type Result, Server, type ServerContext } from '@modelcontextprotocol/server';
import { equipServer, type makeServer, newServer } from '../../../src-main/mcp/server/makeServer.ts';
import { type FixtureCall, fromTemplate, PROMPT_ARGUMENTS, PROMPTS, RESOURCES, SCHEMAS, TOOLS } from './fixtures.ts';
import { askContext, userContext } from './inputFixtures.ts';

type Handler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;
type Fixture = (request: JSONRPCRequest, ctx: ServerContext, ours: Handler) => unknown;

const INPUT_PROMPT = 'test_input_required_result_prompt';
const PROMPT_NAMES = [...Object.keys(PROMPTS), INPUT_PROMPT];
const paramsOf = ({ params }: JSONRPCRequest): Record<string, unknown> => (params ?? {}) as Record<string, unknown>;

/** Our server with the suite's tools, resources and prompts added. It passes all other requests to our handlers. */
export function fixtureMaker(announce: FixtureCall['announce']): typeof makeServer {
  const fixtures = fixturesFor(announce);
  class FixtureServer extends Server {
    protected override _wrapHandler(method: string, ours: Handler): Handler {
      const fixture = fixtures[method];
      if (!fixture) return super._wrapHandler(method, ours);
      return super._wrapHandler(method, async (request, ctx) => (await fixture(request, ctx, ours)) as Result);
    }
  }
  return (served, connection, era) => {
    const server = newServer({ version: served.desk.version, hasChannel: false }, era, FixtureServer);
    server.registerCapabilities({ completions: {}, ...(era === 'legacy' && { logging: {} }) });
    server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }));
    return equipServer(server, { served, connection, era });
  };
}

function fixturesFor(announce: FixtureCall['announce']): Readonly<Record<string, Fixture>> {
  return {
    'tools/call': (request, ctx, ours) => {
      const { name, arguments: args = {} } = paramsOf(request);
      const tool = TOOLS[String(name)];
      return tool ? tool({ args: args as Record<string, unknown>, ctx, announce }) : ours(request, ctx);
    },
    'tools/list': async (request, ctx, ours) => {
      const own = Object.keys(TOOLS).map((name) => ({
        name,
        description: name,
        inputSchema: SCHEMAS[name] ?? { type: 'object' },
      }));
      return { tools: [...own, ...((await ours(request, ctx)).tools as object[])] };
    },
    'resources/list': async (request, ctx, ours) => {
      const own = Object.keys(RESOURCES).map((uri) => ({ uri, name: uri }));
      return { resources: [...own, ...((await ours(request, ctx)).resources as object[])] };
    },
    'resources/read': (request, ctx, ours) => {
      const uri = String(paramsOf(request).uri);
      const found = RESOURCES[uri] ?? fromTemplate(uri);
      return found ? { contents: [{ uri, ...found }] } : ours(request, ctx);
    },
    'resources/subscribe': (request, ctx, ours) => (RESOURCES[String(paramsOf(request).uri)] ? {} : ours(request, ctx)),
    'prompts/list': async (request, ctx, ours) => {
      const own = PROMPT_NAMES.map((name) => ({
        name,
        description: name,
        arguments: (PROMPT_ARGUMENTS[name] ?? []).map((argument) => ({ name: argument, required: true })),
      }));
      return { prompts: [...own, ...((await ours(request, ctx)).prompts as object[])] };
    },
    'prompts/get': (request, ctx, ours) => {
      const { name, arguments: args = {} } = paramsOf(request);
      if (name === INPUT_PROMPT) return inputPrompt(ctx);
      return PROMPTS[String(name)]?.(args as Record<string, string>) ?? ours(request, ctx);
    },
  };
}

function inputPrompt(ctx: ServerContext): unknown {
  const context = userContext(ctx);
  if (context === undefined) return askContext();
  return { messages: [{ role: 'user', content: { type: 'text', text: `in this context: ${context}` } }] };
}
