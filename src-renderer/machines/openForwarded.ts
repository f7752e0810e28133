import type { AppState } from '../app/AppState.svelte.ts';
import { openAddress } from '../app/openAddress.ts';
import { strings } from '../app/strings.ts';

/** Opens a port of another machine in the browser, by a port of this one that leads there. */
export async function openForwarded(app: AppState, key: string, port: number): Promise<void> {
  const verdict = await app.rpc.machine.forward({ key, port });
  if (verdict.ok) await openAddress(app, `http://127.0.0.1:${verdict.localPort}/`, false);
  else app.notices.fail(strings.machines.forward.failed(verdict.reason));
}
