import type { MessageId, Notification, Request, Response } from './messages.ts';

/**
 * Requests of the app to the client. Each app counts ids from the start, so the bridge assigns its own: an answer to an app that is gone must never
 * reach the next one.
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

  /** Translates a cancellation by the app; null if it concerns none of these requests. */
  withdraw({ params, fields }: Notification): object | null {
    const own = [...this.#asked].find(([, asked]) => asked === params.requestId)?.[0];
    if (own === undefined) return null;
    this.#asked.delete(own);
    return { ...fields, params: { ...params, requestId: own } };
  }

  /** Call when the app is gone. Returns cancellations, which inform the client that its answers are no longer needed. */
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
