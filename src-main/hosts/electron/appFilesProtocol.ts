import { securityHeaders } from '../http/securityHeaders.ts';
import type { StaticFile } from '../web/staticFiles.ts';
import { PAGE } from './windows/page.ts';

/** For `protocol.registerSchemesAsPrivileged`. No CORS, no service workers, no streaming, no bypass of the policy. */
export const APP_SCHEME = {
  scheme: PAGE.scheme,
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
} as const;

export interface FileAnswer {
  status: 200 | 403 | 404 | 405;
  headers: Record<string, string>;
  body: Uint8Array | null;
}

/**
 * A file of the built window, or a refusal. Paths are looked up literally in the list of built files: nothing is decoded or joined, so no path leads
 * out of the folder. Every answer has the same headers as the web front's.
 */
export function answerAppRequest(
  { method, url }: { method: string; url: string },
  files: ReadonlyMap<string, StaticFile>,
): FileAnswer {
  if (!URL.canParse(url)) return refuse(404);
  const { protocol, host, pathname } = new URL(url);
  if (protocol !== `${PAGE.scheme}:` || host !== PAGE.host) return refuse(403);
  if (method !== 'GET' && method !== 'HEAD') return refuse(405);
  const file = files.get(pathname);
  if (!file) return refuse(404);
  const headers = { ...securityHeaders([]), 'Content-Type': file.type };
  return { status: 200, headers, body: method === 'HEAD' ? null : file.bytes };
}

function refuse(status: 403 | 404 | 405): FileAnswer {
  return { status, headers: { ...securityHeaders([]), 'Content-Type': 'text/plain; charset=utf-8' }, body: null };
}
