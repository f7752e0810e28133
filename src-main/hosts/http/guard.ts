import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isSameSecret } from '../../util/isSameSecret.ts';

/** The names by which a browser may reach us, and the token. */
export interface GuardRules {
  /** `127.0.0.1:PORT` and similar, exact; null on a Unix socket, where the file's permissions replace this check. */
  hosts: readonly string[] | null;
  /** The https origin of the person's own tunnel, exact; its host is then ours too. */
  publicOrigin?: string | undefined;
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

function judgeHost({ host }: IncomingHttpHeaders, rules: GuardRules): Refusal | null {
  if (!rules.hosts) return null;
  if (host === undefined) return { status: 400, reason: 'no Host header' };
  const isOwn = rules.hosts.includes(host) || isPublic(host, rules);
  return isOwn ? null : { status: 403, reason: 'this name is not ours' };
}

/** The page of the tunnel and the one on loopback are two origins: neither may ask the other. */
function judgeOrigin({ origin, host }: IncomingHttpHeaders, rules: GuardRules): Refusal | null {
  if (origin === undefined) return null;
  const isOwn = isPublic(host, rules)
    ? origin === rules.publicOrigin
    : (rules.hosts?.some((name) => origin === `http://${name}`) ?? false);
  return isOwn ? null : { status: 403, reason: 'another origin' };
}

function isPublic(host: string | undefined, { publicOrigin }: GuardRules): boolean {
  return publicOrigin !== undefined && publicOrigin === `https://${host}`;
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

/** A browser cannot set headers on a WebSocket, so the token is a subprotocol `token.<token>`, which appears in no log or URL. */
function protocolToken(headers: IncomingHttpHeaders): string | null {
  const offered = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? [];
  const token = offered.find((name) => name.startsWith('token.'));
  return token === undefined ? null : token.slice('token.'.length);
}
