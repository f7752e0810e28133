import { CHANNEL_INSTRUCTIONS, withChannel } from '../protocol/channelShapes.ts';
import { TASKS } from '../protocol/taskShapes.ts';
import { claimedVersion, type Fields } from './messages.ts';

/** The lists of this version of Hansard for a client while the app is not running: the same as the app's own. */
export interface Catalog {
  readonly tools: readonly object[];
  readonly prompts: readonly object[];
  readonly resourceTemplates: readonly object[];
  readonly instructions: string;
  readonly serverInfo: { readonly name: string; readonly version: string };
  /** The result of `initialize`; by default, that of a server with tools, prompts and resources that change. */
  readonly capabilities?: object;
}

/** The reason why the app cannot be asked, worded as a tool's refusal. */
export interface Refusal {
  readonly code: 'APP_NOT_RUNNING' | 'APP_RESTARTED';
  readonly message: string;
  readonly suggestion: string;
}

/** Protocol versions with a handshake, newest first: the requested one is echoed, as in the app's own server. */
const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
const STATELESS_VERSIONS = ['2026-07-28'];
const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
};

/** JSON-RPC 2.0 §5.1. */
const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/** From MCP 2026-07-28. */
const UNSUPPORTED_VERSION = -32022;

/**
 * The body of the JSON-RPC answer to a request that did not reach the app. Lists come from the catalog; requests that need a terminal are refused
 * with `refusal`, tools with an error result, so that the model reads it.
 */
export function answerWithoutApp(
  { method, params }: { method: string; params: Fields },
  catalog: Catalog,
  { refusal, nowMs, hasChannel }: { refusal: Refusal; nowMs: number; hasChannel: boolean },
): { result: object } | { error: object } {
  const requested = claimedVersion({ params });
  const isStateless = requested !== null;
  if (isStateless && !STATELESS_VERSIONS.includes(requested)) {
    const data = { supported: STATELESS_VERSIONS, requested };
    return { error: { code: UNSUPPORTED_VERSION, message: `Unsupported protocol version: ${requested}`, data } };
  }
  const list = listOf(method, catalog);
  if (list) return whole({ ...list, ...(isStateless && LIST_LIFE) }, catalog, isStateless);
  const plain = plainAnswer(method, params, hasChannel ? channelled(catalog) : catalog);
  if (plain) return whole(plain, catalog, isStateless);
  if (method === 'tools/call') return whole(refusedCall(refusal, nowMs), catalog, isStateless);
  return {
    error: NEEDS_APP.has(method) ? refusedRequest(refusal) : { code: METHOD_NOT_FOUND, message: 'Method not found' },
  };
}

const NEEDS_APP = new Set(['resources/read', 'prompts/get', 'tasks/get', 'tasks/cancel', 'tasks/update']);
/** The list may change as soon as the app runs. */
const LIST_LIFE = { ttlMs: 0, cacheScope: 'private' };

function listOf(method: string, { tools, prompts, resourceTemplates }: Catalog): object | null {
  if (method === 'tools/list') return { tools };
  if (method === 'prompts/list') return { prompts };
  if (method === 'resources/list') return { resources: [] };
  if (method === 'resources/templates/list') return { resourceTemplates };
  return null;
}

function plainAnswer(method: string, params: Fields, catalog: Catalog): object | null {
  const { instructions, serverInfo, capabilities = CAPABILITIES } = catalog;
  const stateless = { ...capabilities, extensions: { [TASKS]: {} } };
  switch (method) {
    case 'initialize': {
      const asked = HANDSHAKE_VERSIONS.find((version) => version === params.protocolVersion);
      return { protocolVersion: asked ?? HANDSHAKE_VERSIONS[0], capabilities, serverInfo, instructions };
    }
    case 'server/discover':
      return { supportedVersions: STATELESS_VERSIONS, capabilities: stateless, instructions, ...LIST_LIFE };
    case 'completion/complete':
      return { completion: { values: [] } };
    // the bridge remembers these and sends them to the app when it starts
    case 'ping':
    case 'logging/setLevel':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return {};
    default:
      return null;
  }
}

function channelled(catalog: Catalog): Catalog {
  const { capabilities = CAPABILITIES, instructions } = catalog;
  return { ...catalog, capabilities: withChannel(capabilities), instructions: instructions + CHANNEL_INSTRUCTIONS };
}

/** In the stateless era, an answer states that it is complete and who sent it. */
function whole(result: object, { serverInfo }: Catalog, isStateless: boolean): { result: object } {
  if (!isStateless) return { result };
  return { result: { ...result, resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } } };
}

/** In the same words as a refusal by the app itself. */
function refusedCall({ code, message, suggestion }: Refusal, nowMs: number): object {
  const text = `${code}: ${message} — ${suggestion}`;
  return {
    isError: true,
    content: [{ type: 'text', text }],
    structuredContent: { code, message, suggestion, ts: nowMs },
  };
}

/** For a request whose answer would need the catalog too, if that cannot be read. */
export function refusedRequest({ code, message, suggestion }: Refusal): object {
  return {
    code: INTERNAL_ERROR,
    message: `${code}: ${message} — ${suggestion}`,
    data: { code, message, suggestion },
  };
}
