import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { type Log, silentLog } from '../../util/Log.ts';
import type { RenderedLine, RenderSpec } from '../emulator/BlockRenderer.ts';
import type { Asked, Placed } from './feedDeps.ts';
import { ScreenFeed, type ScreenHandle, type ScreenSpec } from './ScreenFeed.ts';
import type { Answer, FromWorker, Question, SharedProgress, ToWorker } from './screenProtocol.ts';
import { WorkerLink } from './WorkerLink.ts';

export interface ScreenHostOptions {
  /** URL of `screenWorker`, as source or bundled. */
  workerUrl: URL;
  log?: Log;
  clock?: Clock;
  /** Only for tests of the watchdog: emulators without limits on counts. */
  unguarded?: boolean;
}

/** All raw bytes of a block, and the screen for which they were made. */
export interface RenderInput extends RenderSpec {
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Bytes of a block per message; other terminals get their turns in between. */
const RENDER_CHUNK_BYTES = 64 * 1024;
/** A terminal with more unparsed bytes is in a flood, not in a dialogue. */
const BUSY_BYTES = 2 * 1024;

interface Call {
  slot: number;
  /** Is asked again of a new worker; a rendering cannot be, because its worker had the state. */
  question: { what: Question; offset: number } | undefined;
  resolve(value: Answer): void;
  reject(error: Error): void;
}

/** The main thread's side of all screens: one worker thread serves all of them. The main thread parses nothing. */
export class ScreenHost implements IDisposable {
  readonly #link: WorkerLink;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #feeds = new Map<number, { id: string; feed: ScreenFeed }>();
  readonly #calls = new Map<number, Call>();
  #slots = 0;
  #callCount = 0;
  #deadReason: string | undefined;
  /** Prefix of all epochs of this host; runs are counted. */
  readonly #name = randomBytes(6).toString('hex');
  #runs = 0;

  constructor({ workerUrl, log = silentLog, clock = systemClock, unguarded = false }: ScreenHostOptions) {
    this.#log = log;
    this.#clock = clock;
    this.#link = new WorkerLink(
      { workerUrl, log, clock, unguarded },
      {
        message: (message) => this.#handleMessage(message),
        restarted: (culprit, reason) => this.#rebuild(culprit, reason),
        dead: (reason) => this.#giveUp(reason),
        isWaiting: () =>
          [...this.#calls.values()].some(({ question }) => !isWait(question?.what)) ||
          [...this.#feeds.values()].some(({ feed }) => feed.backlogBytes > 0),
      },
    );
  }

  /** Opens a screen for the terminal `id`; the caller disposes it. */
  open(id: string, spec: ScreenSpec): ScreenHandle {
    const slot = ++this.#slots;
    const feed = new ScreenFeed(slot, spec, {
      id,
      nameRun: () => `${this.#name}-${++this.#runs}`,
      clock: this.#clock,
      post: (message) => this.#link.post(message),
      ask: (asked, signal) => this.#ask(asked, signal),
      closed: () => this.#closed(slot),
      countBusy: () =>
        [...this.#feeds.values()].filter(({ feed: { backlogBytes } }) => backlogBytes > BUSY_BYTES).length,
    });
    this.#feeds.set(slot, { id, feed });
    if (this.#deadReason !== undefined) feed.giveUp(this.#deadReason);
    return feed;
  }

  /**
   * Replays a block and yields its lines as a person saw them, in batches. Holds 64 KiB of the block at a time. Throws if the worker
   * is replaced meanwhile.
   */
  async *renderBlock({ chunks, ...spec }: RenderInput): AsyncGenerator<RenderedLine[], void, undefined> {
    const slot = ++this.#slots;
    this.#link.post({ type: 'renderOpen', slot, spec });
    try {
      for await (const chunk of chunks) {
        for (let at = 0; at < chunk.length; at += RENDER_CHUNK_BYTES) {
          const bytes = chunk.slice(at, at + RENDER_CHUNK_BYTES);
          const lines = await this.#call(slot, undefined, (call) => ({ type: 'renderFeed', slot, call, bytes }));
          if ((lines as RenderedLine[]).length > 0) yield lines as RenderedLine[];
        }
      }
      yield (await this.#call(slot, undefined, (call) => ({ type: 'renderEnd', slot, call }))) as RenderedLine[];
    } finally {
      this.#link.post({ type: 'close', slot });
    }
  }

  dispose(): void {
    for (const { feed } of [...this.#feeds.values()]) feed.dispose();
    this.#rejectCalls(() => true, 'The screens were closed');
    this.#link.dispose();
  }

  async #ask({ slot, what, offset }: Asked, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    let stop = (): void => undefined;
    const answer = this.#call(slot, { what, offset }, (call) => {
      stop = () => this.#takeBack(slot, call, signal?.reason as Error);
      return { type: 'ask', slot, call, what };
    });
    signal?.addEventListener('abort', stop);
    try {
      return await answer;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  #takeBack(slot: number, call: number, reason: Error): void {
    this.#calls.get(call)?.reject(reason);
    this.#calls.delete(call);
    this.#link.post({ type: 'stopWait', slot, call });
  }

  #call(slot: number, question: Call['question'], message: (call: number) => ToWorker): Promise<Answer> {
    if (this.#deadReason !== undefined) return Promise.reject(new Error(`No screen worker: ${this.#deadReason}`));
    const call = ++this.#callCount;
    return new Promise((resolve, reject) => {
      this.#calls.set(call, { slot, question, resolve, reject });
      this.#link.post(message(call));
    });
  }

  #handleMessage(message: FromWorker): void {
    if (message.type === 'ready') return;
    if (message.type === 'answer') {
      this.#calls.get(message.call)?.resolve(message.value);
      this.#calls.delete(message.call);
      return;
    }
    if (message.type === 'failed') {
      this.#calls.get(message.call)?.reject(new Error(message.reason));
      this.#calls.delete(message.call);
      return;
    }
    this.#feeds.get(message.slot)?.feed.handleMessage(message); // the terminal may have been closed just now
  }

  #rebuild(culprit: SharedProgress['current'], reason: string): void {
    this.#rejectCalls((call) => call.question === undefined, `The screen worker was replaced: ${reason}`);
    for (const [slot, { id, feed }] of this.#feeds) {
      const isCulprit = culprit?.slot === slot;
      if (isCulprit) this.#log('screen_degraded', { terminalId: id, from: culprit.from, to: culprit.to, reason });
      feed.rebuild(isCulprit ? culprit : undefined, { reason, questions: this.#openQuestions(slot) });
    }
  }

  #openQuestions(slot: number): Placed[] {
    return [...this.#calls].flatMap(([call, { slot: own, question }]) => {
      if (own !== slot || !question) return [];
      const { what, offset } = question;
      return [{ offset, post: () => this.#link.post({ type: 'ask', slot, call, what }) }];
    });
  }

  #giveUp(reason: string): void {
    this.#deadReason = reason;
    this.#rejectCalls(() => true, `No screen worker: ${reason}`);
    for (const { feed } of this.#feeds.values()) feed.giveUp(reason);
  }

  #closed(slot: number): void {
    this.#feeds.delete(slot);
    this.#rejectCalls((call) => call.slot === slot, 'The screen was closed');
  }

  #rejectCalls(which: (call: Call) => boolean, reason: string): void {
    for (const [id, call] of this.#calls) {
      if (!which(call)) continue;
      this.#calls.delete(id);
      call.reject(new Error(reason));
    }
  }
}

function isWait(question: Question | undefined): boolean {
  return typeof question === 'object' && 'wait' in question;
}
