import type { McpEndpoint } from '../../contract/mcp/mcp.ts';
import { type Check, checksOf } from '../doctor/Check.ts';

const check = checksOf('mcp');
const ANSWER_MS = 5_000;
const SESSION_ID = 'mcp-session-id';
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'hansard-doctor', version: '1' } },
};

/** Checks whether HTTP is on for clients and whether they get an answer, and shows the configuration for a client. */
export async function checkHttp(
  { httpUrl, httpToken: token = '' }: Pick<McpEndpoint, 'httpUrl' | 'httpToken'>,
  { showsToken }: { showsToken: boolean },
): Promise<Check> {
  if (httpUrl === undefined) {
    return check.note('http', 'HTTP is off; the setting mcp.http turns it on, for clients that cannot start a program');
  }
  const trouble = await tryOnce(httpUrl, token).catch((error: unknown) => String(error));
  if (trouble !== null) {
    const fix = 'turn the setting mcp.http off and on again';
    return check.bad('http', `nobody answers as we do at ${httpUrl}: ${trouble}`, fix);
  }
  const shown = showsToken ? token : '<token>';
  const entry = JSON.stringify({ type: 'http', url: httpUrl, headers: { Authorization: `Bearer ${shown}` } });
  const where = showsToken ? '' : '; --show-token prints the token';
  return check.ok('http', `HTTP is on; configure a client with ${entry}, which stays the same at every start${where}`);
}

/** Opens and closes a session. Returns a sentence if that fails. */
async function tryOnce(url: string, token: string): Promise<string | null> {
  const headers = { Authorization: `Bearer ${token}` };
  const asked = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...asked },
    body: JSON.stringify(INITIALIZE),
    redirect: 'error', // only this address may get the token
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const text = await response.text();
  const session = response.headers.get(SESSION_ID);
  if (!response.ok || session === null || !text.includes('"hansard"')) return `HTTP ${response.status}`;
  await fetch(url, { method: 'DELETE', headers: { ...headers, [SESSION_ID]: session }, redirect: 'error' });
  return null;
}
