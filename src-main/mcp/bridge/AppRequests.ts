import type { MessageId, Notification, Request, Response } from './messages.ts';

/**
 * Requests of the app to the client. Each app counts them from the start, so each gets an id of the bridge's own: an answer to a
 * question of an app that is gone must never reach the next one.
 */
export class AppRequests {
  readonly #asked = new Map<MessageId, MessageId>();
  #count = 0;

  /** The request as the client gets it. */
  ask({ id, fields }: Request): object {
    this.#count += 1;
    const own = `app-${this.#count}`;
    this.#asked.set(own, id);
    return { ...fields, id: own };
  }

  /** The client's answer as the app gets it; null when that app is gone. */
  answer({ id, fields }: Response): object | null {
    const asked = this.#asked.get(id);
    if (asked === undefined) return null;
    this.#asked.delete(id);
    return { ...fields, id: asked };
  }

  /** The app does not want to know any more; null when it means none of these. */
  withdraw({ params, fields }: Notification): object | null {
    const own = [...this.#asked].find(([, asked]) => asked === params.requestId)?.[0];
    if (own === undefined) return null;
    this.#asked.delete(own);
    return { ...fields, params: { ...params, requestId: own } };
  }

  /** The app is gone: what tells the client that nobody waits for its answers. */
  appLost(): object[] {
    const open = [...this.#asked.keys()];
    this.#asked.clear();
    const reason = 'Hansard was closed or restarted';
    return open.map((requestId) => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId, reason },
    }));
  }
}
