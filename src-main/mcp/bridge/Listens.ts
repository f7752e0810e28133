import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { asFields, type Fields, type MessageId, type Request } from './messages.ts';

/**
 * An app that exits first ends each subscription, then closes the socket. The bridge holds back the end for this time: if the socket closes, the
 * subscription continues with the next app.
 */
const ENDING_MS = 1_000;
const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

export type ListKind = 'tools' | 'prompts' | 'resources';

interface Listen {
  readonly bytes: Uint8Array;
  /** What the client subscribes to: `{toolsListChanged?, …, resourceSubscriptions?}`. */
  readonly filter: Fields;
  isAcknowledged: boolean;
  ending: IDisposable | null;
}

/** The open `subscriptions/listen` requests of a client of the stateless era. They outlive the app. */
export class Listens {
  readonly #open = new Map<MessageId, Listen>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add({ id, params, bytes }: Request): void {
    const filter = asFields(params.notifications) ?? {};
    this.#open.set(id, { bytes, filter, isAcknowledged: false, ending: null });
  }

  has(id: MessageId): boolean {
    return this.#open.has(id);
  }

  /** Call when the client cancels the request or the app refuses it. */
  remove(id: MessageId): void {
    this.#open.get(id)?.ending?.dispose();
    this.#open.delete(id);
  }

  /** Call when an app acknowledges; false if the client already has an acknowledgement. */
  acknowledge(id: MessageId): boolean {
    const listen = this.#open.get(id);
    if (!listen) return true;
    const isFirst = !listen.isAcknowledged;
    listen.isAcknowledged = true;
    return isFirst;
  }

  /** Call when an app ends the subscription; `tell` runs unless that app turns out to be gone itself. */
  end(id: MessageId, tell: () => void): void {
    const listen = this.#open.get(id);
    if (!listen) return;
    listen.ending ??= this.#clock.after(ENDING_MS, () => {
      this.#open.delete(id);
      tell();
    });
  }

  /** Call without an app. Returns acknowledgements in place of those that the app owes. */
  appLost(): object[] {
    const owed: object[] = [];
    for (const [id, listen] of this.#open) {
      listen.ending?.dispose();
      listen.ending = null;
      if (!listen.isAcknowledged) {
        owed.push(stamped('subscriptions/acknowledged', { notifications: listen.filter }, id));
      }
      listen.isAcknowledged = true;
    }
    return owed;
  }

  /** The requests in their original bytes, for a new app. */
  requests(): Uint8Array[] {
    return [...this.#open.values()].map(({ bytes }) => bytes);
  }

  /** Notifications to each subscription of possible changes while there was no app: its resources, and `lists`. */
  news(lists: ReadonlySet<ListKind>): object[] {
    return [...this.#open].flatMap(([id, { filter }]) => [
      ...(['tools', 'prompts', 'resources'] as const)
        .filter((kind) => lists.has(kind) && filter[`${kind}ListChanged`] === true)
        .map((kind) => stamped(`${kind}/list_changed`, {}, id)),
      ...asUris(filter.resourceSubscriptions).map((uri) => stamped('resources/updated', { uri }, id)),
    ]);
  }

  dispose(): void {
    for (const { ending } of this.#open.values()) ending?.dispose();
    this.#open.clear();
  }
}

/** The subscription id of a notification; undefined without one. */
export function subscriptionOf({ params }: { params: Fields }): unknown {
  return asFields(params._meta)?.[SUBSCRIPTION_ID];
}

function stamped(name: string, params: Fields, id: MessageId): object {
  return { jsonrpc: '2.0', method: `notifications/${name}`, params: { ...params, _meta: { [SUBSCRIPTION_ID]: id } } };
}

function asUris(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((uri) => typeof uri === 'string') : [];
}
