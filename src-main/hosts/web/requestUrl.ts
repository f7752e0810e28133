import { TRPCClientError } from '@trpc/client';
import { EARLIER_STATUS } from '../../contract/coreStatus.ts';
import { connectCore } from './connectCore.ts';
import type { CoreAddress } from './coreAddress.ts';

export type UrlAnswer =
  /** `build`: see `CoreStatus`. */
  | { ok: true; url: string; publicOrigin: string | null; build: string }
  /** `window`: the desktop app runs this core, and it has no page. `silent`: it is not there, or speaks another version. */
  | { ok: false; reason: 'window' | 'silent' };

/** A fresh URL with a one-time code from the running core. Never rejects. */
export async function requestUrl(address: CoreAddress): Promise<UrlAnswer> {
  const connection = connectCore(address);
  try {
    const { newUrl, status } = connection.api.system;
    const asked = Promise.all([newUrl.mutate(), status.query()]);
    const [url, said] = await Promise.race([asked, connection.lost]);
    const { publicOrigin, build } = { ...EARLIER_STATUS, ...said };
    return { ok: true, url, publicOrigin, build };
  } catch (error) {
    return { ok: false, reason: codeOf(error) === 'FORBIDDEN' ? 'window' : 'silent' };
  } finally {
    connection.dispose();
  }
}

function codeOf(error: unknown): unknown {
  const data: unknown = error instanceof TRPCClientError ? error.data : null;
  return typeof data === 'object' && data !== null && 'code' in data ? data.code : null;
}
