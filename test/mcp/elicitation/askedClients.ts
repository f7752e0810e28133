// SDK clients of both eras and both major versions, over each connection to the app.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { Client as Client1 } from 'mcp-sdk-1/client/index.js';
import { StdioClientTransport as Stdio1 } from 'mcp-sdk-1/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from 'mcp-sdk-1/client/streamableHttp.js';
import { ElicitRequestSchema } from 'mcp-sdk-1/types.js';
import { bridgeCommand } from '../bridge/bridgeBed.ts';
import { connectSocket } from '../mcpClient.ts';
import { type AskBed, TOKEN } from './AskBed.ts';

/** A question as the client shows it to its person. */
export interface Shown {
  readonly message: string;
  readonly choices: readonly string[];
  /** Aborts when the server withdraws the question. */
  readonly signal: AbortSignal;
}

export type Answer =
  | { action: 'accept'; content: Record<string, string> }
  | { action: 'decline' }
  | { action: 'cancel' };
export type Answering = (shown: Shown) => Answer | Promise<Answer>;

/** The common interface of clients of all SDK versions. */
export interface AskedClient {
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the fields that it needs
  call(name: string, args: Record<string, unknown>): Promise<{ told: Record<string, any>; isError: boolean }>;
  end(): Promise<void>;
}

export interface Way {
  readonly name: string;
  readonly era: 'legacy' | 'modern';
  /** Whether the client closes a question that the server withdraws. */
  readonly withdraws: boolean;
  /** With `answering` null, the client does not declare elicitation. */
  connect(bed: AskBed, answering: Answering | null, name?: string): Promise<AskedClient>;
}

const MODERN = { pin: '2026-07-28' } as const;
const capabilities = (answering: Answering | null) => (answering ? { elicitation: {} } : {});
const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };

function choicesIn(params: unknown): string[] {
  const { requestedSchema } = params as { requestedSchema?: { properties?: { answer?: { enum?: string[] } } } };
  return requestedSchema?.properties?.answer?.enum ?? [];
}

function asTold(result: object): { told: Record<string, unknown>; isError: boolean } {
  const { structuredContent, isError, content } = result as {
    structuredContent?: Record<string, unknown>;
    isError?: boolean;
    content: { text: string }[];
  };
  // answers of the bridge itself have only a text
  return { told: structuredContent ?? { text: content.map(({ text }) => text).join() }, isError: isError === true };
}

type Transport2 = Parameters<Client['connect']>[0];

async function version2(
  transport: Transport2,
  { era, answering, name }: { era: Way['era']; answering: Answering | null; name: string },
): Promise<AskedClient> {
  const mode = era === 'modern' ? MODERN : 'legacy';
  const client = new Client(
    { name, version: '2' },
    { versionNegotiation: { mode }, capabilities: capabilities(answering) },
  );
  if (answering) {
    client.setRequestHandler('elicitation/create', async ({ params }, ctx) => {
      const { signal } = ctx.mcpReq;
      return (await answering({ message: params.message, choices: choicesIn(params), signal })) as never;
    });
  }
  await client.connect(transport);
  return {
    call: async (tool, args) => asTold(await client.callTool({ name: tool, arguments: args })),
    end: () => client.close(),
  };
}

async function version1(
  transport: Stdio1 | Http1,
  { answering, name }: { answering: Answering | null; name: string },
): Promise<AskedClient> {
  const client = new Client1({ name, version: '1' }, { capabilities: capabilities(answering) });
  if (answering) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) =>
      answering({ message: params.message, choices: choicesIn(params), signal }),
    );
  }
  await client.connect(transport as never);
  return {
    call: async (tool, args) => asTold(await client.callTool({ name: tool, arguments: args })),
    end: () => client.close(),
  };
}

async function socketTransport(bed: AskBed): Promise<Transport2> {
  const socket = await connectSocket(bed.home);
  // the server's transport works for a client too, because both sides frame messages by lines
  const transport = new StdioServerTransport(socket, socket);
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    socket.destroy();
  };
  return transport;
}

const bridge = (bed: AskBed) => ({ ...bridgeCommand(bed.home), stderr: 'ignore' as const });
const http = (bed: AskBed): Transport2 => new StreamableHTTPClientTransport(new URL(bed.url), { requestInit });

const sdk2 = (where: string, era: Way['era'], open: (bed: AskBed) => Transport2 | Promise<Transport2>): Way => ({
  name: `SDK 2, ${era === 'modern' ? 'stateless' : 'with a handshake'}, ${where}`,
  era,
  withdraws: era === 'legacy',
  connect: async (bed, answering, name = 'asked') => version2(await open(bed), { era, answering, name }),
});

export const WAYS: readonly Way[] = [
  sdk2('on the socket', 'legacy', socketTransport),
  sdk2('on the socket', 'modern', socketTransport),
  sdk2('through the bridge', 'legacy', (bed) => new StdioClientTransport(bridge(bed))),
  sdk2('through the bridge', 'modern', (bed) => new StdioClientTransport(bridge(bed))),
  sdk2('over HTTP', 'legacy', http),
  sdk2('over HTTP', 'modern', http),
  {
    name: 'SDK 1, through the bridge',
    era: 'legacy',
    withdraws: true,
    connect: (bed, answering, name = 'asked') => version1(new Stdio1(bridge(bed)), { answering, name }),
  },
  {
    name: 'SDK 1, over HTTP',
    era: 'legacy',
    // this SDK treats the id 0 of the first question as missing; the bridge assigns other ids
    withdraws: false,
    connect: (bed, answering, name = 'asked') =>
      version1(new Http1(new URL(bed.url), { requestInit }), { answering, name }),
  },
];
