import { randomUUID } from 'node:crypto';
import type { WaitQuery, WaitResult } from '../../../src-main/contract/screen/screen.ts';
import type { CoreConnection } from '../../../src-main/hosts/web/connectCore.ts';
import type { SeatTerminal } from '../drive/Seat.ts';

/** Sends input to a terminal that may refuse it for a while. By default it is sent once. */
export type Give = (act: () => Promise<unknown>) => Promise<unknown>;

/** A terminal of a core in another process, through the API of the person's window. */
export function remoteTerminal(api: CoreConnection['api'], id: string, give: Give = (act) => act()): SeatTerminal {
  const writer = `seat-${randomUUID()}`; // a new seat (for example after a restart of the core) numbers its writes from 0
  let number = 0;
  let typed: Promise<unknown> = Promise.resolve();
  const write = (data: string) => {
    const key = { id, data, writer, number };
    number += 1; // a key that was refused has used its number up
    return api.terminal.write.mutate(key);
  };
  return {
    type: (data) => {
      typed = typed.then(() => give(() => write(data))); // one that is given again stays before those after it
    },
    paste: (text, confirmed) => api.terminal.paste.mutate({ id, text, confirmed }),
    screen: {
      wait: (query, signal) => waitIn(api, { ...query, terminalId: id }, signal),
      frame: async () => {
        const reading = await api.screen.read.query({ terminalId: id });
        return { rows: reading.full ? reading.frame.rows : [] };
      },
    },
  };
}

function waitIn(
  api: CoreConnection['api'],
  query: WaitQuery & { terminalId: string },
  signal?: AbortSignal,
): Promise<WaitResult> {
  return new Promise((resolve, reject) => {
    const waiting = api.screen.wait.subscribe(query, {
      onData: (result) => resolve(result as WaitResult),
      onError: reject,
      onComplete: () => reject(new Error('the wait ended without a result')),
    });
    signal?.addEventListener('abort', () => {
      waiting.unsubscribe();
      reject(new Error('the wait was given up'));
    });
  });
}
