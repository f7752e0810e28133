import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { AppRequests } from './AppRequests.ts';
import type { Refusal } from './Catalog.ts';
import { ClientMemory } from './ClientMemory.ts';
import { Listens, type ListKind, subscriptionOf } from './Listens.ts';
import {
  asFields,
  isId,
  type Message,
  type MessageId,
  type Notification,
  type Request,
  type Response,
} from './messages.ts';

/** A running app answers its greeting in milliseconds, a busy one within a second or two. */
const GREETING_MS = 5_000;

export const RESTARTED: Refusal = {
  code: 'APP_RESTARTED',
  message: 'Hansard was closed or restarted in the middle of this call; whether it took effect is not known',
  suggestion: 're-read (pty_list, blocks_since) before retrying',
};

/** Effects that the relay leaves to its owner. */
export interface RelayEffects {
  readonly clock: Clock;
  /** Prefix of the ids of the relay's own requests; no client can know it. */
  readonly ownPrefix: string;
  /** Version of the catalog that answers lists while there is no app. */
  readonly catalogVersion: string;
  toClient(message: Uint8Array | object): void;
  toApp(message: Uint8Array | object): void;
  /** Looks for the app at once. `appOpened` or `appLost` follows eventually. */
  seekApp(): void;
  /** Ends the connection to an app that does not work. `appLost` must not follow. */
  dropApp(): void;
  /** A request that the app will not answer. */
  answerWithoutApp(request: Request, refusal: Refusal): void;
}

type Phase = 'away' | 'seeking' | 'greeting' | 'up';

/**
 * Sits between one client and the app, and outlives the app. It passes messages on unchanged and remembers what a newly started app needs. It has no
 * effects and no clock of its own.
 */
export class Relay {
  readonly #do: RelayEffects;
  readonly #client = new ClientMemory();
  readonly #listens: Listens;
  readonly #asked = new AppRequests();
  /** Requests that wait for the app, in order. */
  #held: Request[] = [];
  /** Requests that the app has not answered yet. */
  readonly #inFlight = new Map<MessageId, Request>();
  #phase: Phase = 'away';
  #greetingTimer: IDisposable | null = null;
  #count = 0;
  #hasBeenAway = false;
  /** Version of the app or catalog that the client's lists come from. */
  #listsVersion: string | null = null;
  #hasEmptyResources = false;

  constructor(effects: RelayEffects) {
    this.#do = effects;
    this.#listens = new Listens(effects.clock);
  }

  get clientName(): string {
    return this.#client.name;
  }

  /** Whether reading from the client should pause. */
  get isWaiting(): boolean {
    return this.#phase === 'seeking' || this.#phase === 'greeting';
  }

  /** Whether the client still waits for an answer. */
  get isBusy(): boolean {
    return this.#held.length > 0 || this.#inFlight.size > 0;
  }

  fromClient(message: Message): void {
    if (message.kind === 'notification' && message.method === 'notifications/cancelled') this.#cancel(message);
    this.#client.note(message);
    const isListen = message.kind === 'request' && message.method === 'subscriptions/listen';
    if (isListen) this.#listens.add(message);
    if (this.#phase === 'up') this.#pass(message);
    // Other messages to an app that is gone mean nothing to the next one; `ClientMemory` keeps the relevant ones.
    else if (message.kind === 'request') this.#hold(message);
  }

  /** Call when a connection is open and the preface is sent. */
  appOpened(): void {
    this.#phase = 'greeting';
    this.#do.toApp(this.#client.greeting(this.#ownId('greeting')));
    this.#greetingTimer = this.#do.clock.after(GREETING_MS, () => this.#turnAway('it does not answer'));
  }

  /** Call when no app is found or its connection has closed. */
  appLost(refusal: Refusal): void {
    const wasUp = this.#phase === 'up';
    this.#greetingTimer?.dispose();
    this.#phase = 'away';
    this.#hasBeenAway = true;
    const [held, inFlight] = [this.#held, [...this.#inFlight.values()]];
    this.#held = [];
    this.#inFlight.clear();
    for (const message of [...this.#asked.appLost(), ...this.#listens.appLost()]) this.#do.toClient(message);
    for (const request of [...inFlight, ...held]) this.#answer(request, wasUp ? RESTARTED : refusal);
  }

  fromApp(message: Message): void {
    if (message.kind === 'response') this.#take(message);
    else if (message.kind === 'request') this.#do.toClient(this.#asked.ask(message));
    else if (message.method === 'notifications/cancelled') {
      const withdrawn = this.#asked.withdraw(message);
      if (withdrawn) this.#do.toClient(withdrawn);
    } else if (message.method === 'notifications/subscriptions/acknowledged') {
      const id = subscriptionOf(message);
      if (!isId(id) || this.#listens.acknowledge(id)) this.#do.toClient(message.bytes);
    } else this.#do.toClient(message.bytes);
  }

  dispose(): void {
    this.#greetingTimer?.dispose();
    this.#listens.dispose();
  }

  #hold(request: Request): void {
    this.#held.push(request);
    if (this.#phase !== 'away') return;
    this.#phase = 'seeking';
    this.#do.seekApp();
  }

  #pass(message: Message): void {
    if (message.kind === 'response') {
      const answer = this.#asked.answer(message);
      if (answer) this.#do.toApp(answer);
      return;
    }
    if (message.kind === 'request' && !this.#listens.has(message.id)) this.#inFlight.set(message.id, message);
    this.#do.toApp(message.bytes);
  }

  #cancel({ params: { requestId } }: Notification): void {
    if (!isId(requestId)) return;
    this.#held = this.#held.filter(({ id }) => id !== requestId);
    this.#inFlight.delete(requestId);
    this.#listens.remove(requestId);
  }

  #take(response: Response): void {
    const { id, bytes } = response;
    if (this.#inFlight.delete(id)) this.#do.toClient(bytes);
    else if (this.#listens.has(id)) {
      if (response.result) this.#listens.end(id, () => this.#do.toClient(bytes));
      else {
        this.#listens.remove(id);
        this.#do.toClient(bytes);
      }
    } else if (this.#phase === 'greeting' && String(id).startsWith(this.#do.ownPrefix)) this.#greeted(response);
  }

  #greeted({ result, fields }: Response): void {
    this.#greetingTimer?.dispose();
    const isAsked = this.#held.some(({ method }) => method === 'initialize');
    // Another app accepted the same handshake.
    if (!result && this.#client.hasHandshake && !isAsked) {
      this.#turnAway(`it refuses: ${String(asFields(fields.error)?.message ?? 'no reason given').slice(0, 200)}`);
      return;
    }
    this.#phase = 'up';
    for (const message of this.#client.introduction(() => this.#ownId('introduction'))) this.#do.toApp(message);
    for (const bytes of this.#listens.requests()) this.#do.toApp(bytes);
    const held = this.#held;
    this.#held = [];
    for (const request of held) {
      if (this.#listens.has(request.id)) continue;
      // The greeting was this same request.
      if (request.method === 'initialize') this.#do.toClient({ ...fields, id: request.id });
      else this.#pass(request);
    }
    this.#tellNews(versionOf(result ?? {}));
  }

  /** After a time without an app, the client's lists and resources may be stale. */
  #tellNews(version: string | null): void {
    const isOther = this.#listsVersion !== null && version !== null && version !== this.#listsVersion;
    this.#listsVersion = version;
    const lists = new Set<ListKind>(isOther ? ['tools', 'prompts', 'resources'] : []);
    if (this.#hasEmptyResources) lists.add('resources');
    this.#hasEmptyResources = false;
    if (!this.#hasBeenAway) return;
    this.#hasBeenAway = false;
    for (const message of this.#listens.news(lists)) this.#do.toClient(message);
    if (this.#client.isStateless || !this.#client.isInitialized) return;
    for (const kind of lists) this.#notify(`${kind}/list_changed`, {});
    for (const uri of this.#client.resources) this.#notify('resources/updated', { uri });
  }

  #notify(name: string, params: object): void {
    this.#do.toClient({ jsonrpc: '2.0', method: `notifications/${name}`, params });
  }

  #answer(request: Request, refusal: Refusal): void {
    if (this.#listens.has(request.id)) return;
    if (request.method === 'tools/list') this.#listsVersion = this.#do.catalogVersion;
    if (request.method === 'resources/list') this.#hasEmptyResources = true;
    this.#do.answerWithoutApp(request, refusal);
  }

  #turnAway(reason: string): void {
    this.#do.dropApp();
    this.appLost(unreachable(`Hansard runs, but ${reason}`));
  }

  #ownId(purpose: string): string {
    this.#count += 1;
    return `${this.#do.ownPrefix}${purpose}-${this.#count}`;
  }
}

/** The app cannot be asked. `why`: a sentence without its full stop. */
export function unreachable(why: string): Refusal {
  return {
    code: 'APP_NOT_RUNNING',
    message: why,
    suggestion: 'ask the person to start Hansard (`hansard mcp doctor` tells more), then call again',
  };
}

function versionOf(greeting: Readonly<Record<string, unknown>>): string | null {
  const inMeta = asFields(greeting._meta)?.['io.modelcontextprotocol/serverInfo'];
  const version = asFields(greeting.serverInfo ?? inMeta)?.version;
  return typeof version === 'string' ? version : null;
}
