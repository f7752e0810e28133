import type { Duplex } from 'node:stream';
import WebSocket from 'ws';
import { z } from 'zod';
import { ReadPace } from '../../machines/ReadPace.ts';
import { type CallType, MachineError, type RemoteApi, type RemoteListener } from '../../machines/RemoteApi.ts';
import { systemClock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { reportStray } from '../../util/strayErrors.ts';
import { socketOptions } from './connectCore.ts';

/** A core's answer to a request: a value, the state of a subscription, or an error. */
const Answer = z.object({
  id: z.number(),
  result: z.object({ type: z.enum(['started', 'data', 'stopped']), data: z.unknown().optional() }).optional(),
  error: z.object({ message: z.string(), data: z.unknown().optional() }).optional(),
});
type Result = NonNullable<z.output<typeof Answer>['result']>;

/** A machine that reads nothing of what is sent to it counts as lost. A file that is sent has at most 12 MB. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

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
  readonly #pace = new ReadPace(systemClock.monotonicMs());
  #pause: IDisposable | null = null;
  #lastId = 0;
  #isLost = false;

  readonly lost = this.#lost.promise;

  constructor(pipe: Duplex, token: string) {
    this.#pipe = pipe;
    this.lost.catch(() => undefined); // a listener is optional
    const lose = (): void => this.#lose();
    this.#socket = new WebSocket('ws://machine/trpc', {
      ...socketOptions(token, 'machine'),
      perMessageDeflate: false, // ssh compresses, and a machine must not make gigabytes of a small message
      createConnection: (() => pipe) as never,
    })
      .on('open', () => {
        for (const text of this.#early.splice(0)) this.#socket.send(text);
      })
      .on('message', (bytes) => this.#heard(bytes.toString()))
      .on('pong', () => this.#count(0)) // ws itself ends a flood of pings
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
    this.#pause?.dispose();
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
    else this.#write(text);
  }

  #write(text: string): void {
    if (this.#socket.bufferedAmount > MAX_UNSENT_BYTES) this.#lose();
    else this.#socket.send(text, () => undefined); // a broken pipe is reported by `lost`
  }

  /** Stops reading for a while when the machine sends too much, so that the pipe holds it back. */
  #count(chars: number): void {
    const pauseMs = this.#pace.took(chars, systemClock.monotonicMs());
    if (pauseMs === 0) return;
    this.#pause?.dispose();
    this.#socket.pause();
    this.#pause = systemClock.after(pauseMs, () => this.#socket.resume());
  }

  /** Ignores every message that does not answer a request. */
  #heard(text: string): void {
    this.#count(text.length);
    if (text === 'PING') return this.#write('PONG');
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
