import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isSameSecret } from '../../util/isSameSecret.ts';

/** Which names a browser may have used to reach us, and what it must know. */
export interface GuardRules {
  /** `127.0.0.1:PORT` and so on, exact; null on a Unix socket, where the file's permissions stand for the address. */
  hosts: readonly string[] | null;
  token: string;
}

export interface Refusal {
  status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 417;
  reason: string;
}

/**
 * Host → Origin → token, in this order: a page of another site is turned away before it learns whether a token is right.
 * A request without Origin is no browser's; the token alone guards it. `needsToken` is false only for the page itself,
 * which holds nothing secret; a wrong token is refused even there.
 */
export function judgeRequest(
  { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  rules: GuardRules,
  needsToken: boolean,
): Refusal | null {
  // Node silently keeps the first one; a proxy may have used the last one.
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) return { status: 400, reason: 'more than one Host header' };
  return judgeHost(headers, rules) ?? judgeOrigin(headers, rules) ?? judgeToken(headers, rules, needsToken);
}

function judgeHost({ host }: IncomingHttpHeaders, { hosts }: GuardRules): Refusal | null {
  if (!hosts) return null;
  if (host === undefined) return { status: 400, reason: 'no Host header' };
  return hosts.includes(host) ? null : { status: 403, reason: 'this name is not ours' };
}

function judgeOrigin({ origin }: IncomingHttpHeaders, { hosts }: GuardRules): Refusal | null {
  if (origin === undefined) return null;
  const isOwn = hosts?.some((host) => origin === `http://${host}`) ?? false;
  return isOwn ? null : { status: 403, reason: 'another origin' };
}

function judgeToken(headers: IncomingHttpHeaders, { token }: GuardRules, needsToken: boolean): Refusal | null {
  const given = bearerToken(headers) ?? protocolToken(headers);
  if (given === null) return needsToken ? { status: 401, reason: 'no token' } : null;
  return isSameSecret(given, token) ? null : { status: 401, reason: 'wrong token' };
}

function bearerToken({ authorization }: IncomingHttpHeaders): string | null {
  if (authorization === undefined) return null;
  return authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : '';
}

/** A browser cannot set headers on a WebSocket; the token comes as a subprotocol `token.<token>`, which no log or URL shows. */
function protocolToken(headers: IncomingHttpHeaders): string | null {
  const offered = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? [];
  const token = offered.find((name) => name.startsWith('token.'));
  return token === undefined ? null : token.slice('token.'.length);
}
