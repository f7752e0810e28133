import { formatRequest, type RawAnswer, sendRaw } from '../../hosts/rawHttp.ts';
import { TOKEN } from './HttpBed.ts';

export const VERSION = '2026-07-28';
const META = 'io.modelcontextprotocol/';

/** `_meta` with which a client of the 2026 era describes itself in each request. */
export const ENVELOPE = {
  [`${META}protocolVersion`]: VERSION,
  [`${META}clientInfo`]: { name: 'raw', version: '1' },
  [`${META}clientCapabilities`]: {},
};

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

/** Headers of a request that the server accepts. */
export function goodHeaders(port: number): Record<string, string> {
  return {
    Host: `127.0.0.1:${port}`,
    Authorization: `Bearer ${TOKEN}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
}

/** Sends POST /mcp as bytes on a socket. `headers` override the good ones; undefined removes a header. */
export function post(port: number, body: string, headers: Record<string, string | undefined> = {}): Promise<RawAnswer> {
  return sendRaw({ port }, requestBytes('POST /mcp', port, { body, headers }));
}

export function requestBytes(
  line: string,
  port: number,
  { body = '', headers = {} }: { body?: string; headers?: Record<string, string | undefined> } = {},
): string {
  const all = Object.entries({ ...goodHeaders(port), ...headers }).filter(([, value]) => value !== undefined);
  return formatRequest(line, Object.fromEntries(all) as Record<string, string>, body);
}

/** Body and matching headers of a call in the 2026 era, by a client with these capabilities. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  capabilities: object = {},
): [string, Record<string, string>] {
  const _meta = { ...ENVELOPE, [`${META}clientCapabilities`]: capabilities };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 5, method, params: { ...params, _meta } });
  const name = params.name ?? params.uri ?? params.taskId;
  return [
    body,
    {
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': method,
      ...(typeof name === 'string' && { 'Mcp-Name': name }),
    },
  ];
}
