import {
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import { channelMessage } from '../channel/channelMessage.ts';
import { broughtBack, clientAsk } from '../elicitation/ClientAsk.ts';
import { auditRead } from '../protocol/audited.ts';
import { CLIENT_INFO, type ClientInfo, type Connection } from '../protocol/Connection.ts';
import { CHANNEL_INSTRUCTIONS, withChannel } from '../protocol/channelShapes.ts';
import { runAudited } from '../protocol/runAudited.ts';
import type { OtherMachines, ToolCall } from '../protocol/Tool.ts';
import { isCreatedTask, TASKS } from '../protocol/taskShapes.ts';
import type { WatchResult } from '../read/WatchService.ts';
import { ResourceService } from '../resources/ResourceService.ts';
import { TEMPLATES } from '../resources/templates.ts';
import { serveTasks, takesTasks } from '../tasks/serveTasks.ts';
import { callTool } from './callTool.ts';
import { findTool, listedTools, serverInfo } from './catalog.ts';
import { INSTRUCTIONS } from './instructions.ts';
import type { McpReadService } from './McpReadService.ts';
import type { McpWriteService } from './McpWriteService.ts';
import { findPrompt, PROMPTS } from './prompts.ts';

export interface Served {
  readonly desk: McpReadService;
  readonly clients: McpWriteService;
  readonly machines: OtherMachines;
}

/** A new server, and the resources that it watches for its client. */
export interface MadeServer {
  readonly server: Server;
  readonly resources: ResourceService;
}

/** Creates the server of one connection, for both eras of the protocol. */
export function makeServer(served: Served, connection: Connection, era: 'legacy' | 'modern'): MadeServer {
  return equipServer(newServer({ version: served.desk.version, hasChannel: hasChannel(connection, era) }, era), {
    served,
    connection,
    era,
  });
}

/** Creates a server without handlers. `Kind` is another class in the conformance suite, which needs more tools than ours. */
export function newServer(
  { version, hasChannel }: { version: string; hasChannel: boolean },
  era: 'legacy' | 'modern',
  Kind: typeof Server = Server,
): Server {
  // listChanged: the bridge sends the changes of tools and prompts, when another version of the app has started
  const capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    ...(era === 'modern' && { extensions: { [TASKS]: {} } }),
  };
  return new Kind(serverInfo(version), {
    capabilities: hasChannel ? withChannel(capabilities) : capabilities,
    instructions: hasChannel ? INSTRUCTIONS + CHANNEL_INSTRUCTIONS : INSTRUCTIONS,
  });
}

/** In the era without a handshake, clients accept no unsolicited messages. */
function hasChannel({ preface }: Connection, era: 'legacy' | 'modern'): boolean {
  return era === 'legacy' && preface.channel === true;
}

interface Equipment {
  readonly served: Served;
  readonly connection: Connection;
  readonly era: 'legacy' | 'modern';
}

export function equipServer(server: Server, { served, connection, era }: Equipment): MadeServer {
  const callerOf = (ctx: ServerContext): McpCaller => connection.callerAs(clientInfo(server, ctx));
  const callOf = (ctx: ServerContext): ToolCall => {
    const caller = callerOf(ctx);
    return {
      ...served,
      authority: served.desk.gate,
      caller,
      signal: ctx.mcpReq.signal,
      progress: progressOf(ctx),
      ask: clientAsk(server, ctx, era),
      brought: broughtBack(ctx),
      takesTasks: era === 'modern' && takesTasks(ctx),
      push: hasChannel(connection, era) ? (noted) => pushNoted(noted, { server, served, caller }) : null,
    };
  };
  const resources = new ResourceService(served, {
    updated: (uri) => void server.sendResourceUpdated({ uri }).catch(() => undefined), // the client is gone
  });
  server.onclose = () => resources.dispose();

  server.setRequestHandler('tools/list', () => ({ tools: listedTools(connection.profile) as never }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const tool = findTool(params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool "${params.name}"`);
    const result = await callTool(tool, params.arguments, callOf(ctx));
    if (isCreatedTask(result)) return result as never; // the SDK's types do not know the extension, but its transport passes it on
    return isInputRequiredResult(result) ? result : server.projectCallToolResult(result, undefined);
  });
  server.setRequestHandler('resources/list', async (_, ctx) => ({ resources: await resources.list(callerOf(ctx)) }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...TEMPLATES] }));
  server.setRequestHandler('resources/read', async ({ params }, ctx) => ({
    contents: await resources.read(params.uri, callOf(ctx)),
  }));
  if (era === 'legacy') {
    server.setRequestHandler('resources/subscribe', ({ params }, ctx) => {
      resources.subscribe(params.uri, callerOf(ctx));
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      resources.unsubscribe(params.uri);
      return {};
    });
  }
  server.setRequestHandler('prompts/list', () => ({
    prompts: PROMPTS.map(({ run: _, ...listed }) => listed) as never,
  }));
  server.setRequestHandler('prompts/get', async ({ params }, ctx) => {
    const prompt = findPrompt(params.name);
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt "${params.name}"`);
    const call = callOf(ctx);
    const given = params.arguments ?? {};
    const look = { tool: 'prompts/get', terminalId: given.pty_id ?? null, what: params.name };
    return (await runAudited(look, call, () => prompt.run(given, call), { sizeOf: sizeOfJson })) as never;
  });
  if (era === 'modern') serveTasks(server, callOf);
  return { server, resources };
}

/** Sends a watch result under the same rules and rates as if the client had asked now. If they refuse, the result is still in the inbox. */
function pushNoted(
  noted: WatchResult,
  { server, served, caller }: { server: Server; served: Served; caller: McpCaller },
): void {
  const message = channelMessage(noted);
  const { content } = message.params;
  const look = { tool: 'channel', terminalId: noted.terminalId, what: noted.message || `watch ${noted.id}` };
  const auditing = { clients: served.clients, caller };
  try {
    const leave = served.desk.gate.enter({ tool: look.tool, scope: 'observe', isWait: false }, caller);
    leave(content.length);
    auditRead(look, auditing, 'answered', content.length);
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    auditRead(look, auditing, error.code, 0);
    return;
  }
  void server.notification(message).catch(() => undefined); // the client is gone
}

function sizeOfJson(answer: object): number {
  return JSON.stringify(answer).length;
}

function clientInfo(server: Server, ctx: ServerContext): ClientInfo | undefined {
  const told = (ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_INFO];
  return (told as ClientInfo | undefined) ?? server.getClientVersion();
}

/** Only for a client that sent a progress token. */
function progressOf(ctx: ServerContext): ToolCall['progress'] {
  const token = ctx.mcpReq._meta?.progressToken;
  if (token === undefined) return () => undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken: token, progress, message };
    void ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined); // the client is gone
  };
}
