import type { Duplex } from 'node:stream';
import WebSocket from 'ws';
import { z } from 'zod';
import { type CallType, MachineError, type RemoteApi, type RemoteListener } from '../../machines/RemoteApi.ts';
import { reportStray } from '../../util/strayErrors.ts';
import { socketOptions } from './connectCore.ts';

/** A core's answer to a request: a value, the state of a subscription, or an error. */
const Answer = z.object({
  id: z.number(),
  result: z.object({ type: z.enum(['started', 'data', 'stopped']), data: z.unknown().optional() }).optional(),
  error: z.object({ message: z.string(), data: z.unknown().optional() }).optional(),
});
type Result = NonNullable<z.output<typeof Answer>['result']>;

interface Waiting {
  /** Returns true if no other result follows. */
  take(result: Result): boolean;
  refuse(error: Error): void;
  /** Called when the pipe breaks. */
  lost(): void;
}

/** The API of a core at the other end of a pipe. The caller disposes it. */
export function openRemoteApi(pipe: Duplex, token: string): RemoteApi {
  return new PipedApi(pipe, token);
}

/** Speaks tRPC over a WebSocket without tRPC's client, which holds each message back for a timer and so delays the echo of every key. */
class PipedApi implements RemoteApi {
  readonly #pipe: Duplex;
  readonly #socket: WebSocket;
  readonly #lost = Promise.withResolvers<never>();
  readonly #waiting = new Map<number, Waiting>();
  /** Messages from before the socket was open. */
  #early: string[] = [];
  #lastId = 0;
  #isLost = false;

  readonly lost = this.#lost.promise;

  constructor(pipe: Duplex, token: string) {
    this.#pipe = pipe;
    this.lost.catch(() => undefined); // a listener is optional
    const lose = (): void => this.#lose();
    this.#socket = new WebSocket('ws://machine/trpc', {
      ...socketOptions(token, 'machine'),
      createConnection: (() => pipe) as never,
    })
      .on('open', () => {
        for (const text of this.#early.splice(0)) this.#socket.send(text);
      })
      .on('message', (bytes) => this.#heard(bytes.toString()))
      .on('error', lose)
      .on('close', lose);
  }

  /** Sends nothing if the call is cancelled already or the pipe is broken. */
  call(type: CallType, path: string, input: unknown, signal?: AbortSignal): Promise<unknown> {
    if (signal?.aborted || this.#isLost) return Promise.reject(cut());
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = this.#ask(type, path, input, {
      take: ({ data }) => {
        resolve(data);
        return true;
      },
      refuse: reject,
      lost: () => reject(cut()),
    });
    const leave = (): void => {
      this.#waiting.delete(id);
      reject(cut());
    };
    signal?.addEventListener('abort', leave, { once: true });
    return promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  subscribe(path: string, input: unknown, { onData, onError, onComplete }: RemoteListener): { unsubscribe(): void } {
    const id = this.#ask('subscription', path, input, {
      take: ({ type, data }) => {
        if (type === 'data') onData(data);
        if (type === 'stopped') onComplete();
        return type === 'stopped';
      },
      refuse: onError,
      lost: () => undefined,
    });
    return {
      unsubscribe: () => {
        if (this.#waiting.delete(id)) this.#send({ id, method: 'subscription.stop' });
      },
    };
  }

  dispose(): void {
    this.#lose();
    this.#socket.terminate();
    this.#pipe.destroy();
  }

  #ask(method: CallType | 'subscription', path: string, input: unknown, waiting: Waiting): number {
    this.#lastId += 1;
    this.#waiting.set(this.#lastId, waiting);
    this.#send({ id: this.#lastId, method, params: { path, input } });
    return this.#lastId;
  }

  #send(message: object): void {
    const text = JSON.stringify(message);
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#early.push(text);
    else this.#socket.send(text, () => undefined); // a broken pipe is reported by `lost`
  }

  /** Ignores every message that does not answer a request. */
  #heard(text: string): void {
    if (text === 'PING') return this.#socket.send('PONG', () => undefined);
    const answer = answerIn(text);
    const waiting = answer && this.#waiting.get(answer.id);
    if (!waiting) return;
    try {
      if (answer.error) waiting.refuse(Object.assign(new Error(answer.error.message), { data: answer.error.data }));
      if (answer.error || (answer.result && waiting.take(answer.result))) this.#waiting.delete(answer.id);
    } catch (error) {
      reportStray('openRemoteApi', error); // if thrown here, it would stop the reading of this socket
    }
  }

  #lose(): void {
    this.#isLost = true;
    this.#lost.reject(cut());
    for (const waiting of this.#waiting.values()) waiting.lost();
    this.#waiting.clear();
  }
}

function answerIn(text: string): z.output<typeof Answer> | null {
  try {
    return Answer.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null; // not JSON
  }
}

function cut(): MachineError {
  return new MachineError('cut', 'the connection was lost');
}
