import { join } from 'node:path';
import { type KeptReply, type QueuedReply, RepliesFile, type ReplyVerdict } from '../contract/agents.ts';
import type { TerminalChange } from '../contract/api.ts';
import { readJsonFile, replaceFile } from '../store/files/replaceFile.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { Emitter, type Event } from '../util/Emitter.ts';
import type { KeyedQueue } from '../util/KeyedQueue.ts';
import { SerialQueue } from '../util/SerialQueue.ts';
import { detach } from '../util/strayErrors.ts';
import { type ReplyOutcome, sendReply, waitsFor } from './sendReply.ts';

/** Limit per conversation: with more queued prompts a person loses track of the agent. */
const MAX_OF_ONE = 20;
/** Emptying an input line fires no event, so it is polled. */
const LOOK_EVERY_MS = 1_000;
/** Enough for an agent to start on a busy machine. */
const STARTS_WITHIN_MS = 120_000;
/** Conversation id of a first prompt whose agent has not started. */
const NOT_STARTED = '';

export interface ReplyQueueSpec {
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly randomId: (bytes: number) => string;
  /** One writer at a time for each terminal. */
  readonly turns: KeyedQueue;
  readonly terminals: { readonly onChange: Event<TerminalChange>; find(id: string): PtyInstance | undefined };
  /** Warns the person: the agent did not visibly take a reply, or the list could not be read or saved. */
  warn(text: string, terminalId: string | null): void;
}

/** Prompts that wait until their agent takes input. Kept in replies.json, so that a restart of the core loses no prompt. */
export class ReplyQueue implements IDisposable {
  readonly #spec: ReplyQueueSpec;
  readonly #path: string;
  readonly #changed = new Emitter<string>();
  readonly #listening: IDisposable;
  /** Writes run in sequence, because all terminals share one file. */
  readonly #writes = new SerialQueue();
  #kept: readonly KeptReply[];
  #timer: IDisposable | null = null;

  /** Fires with the id of a terminal whose replies have changed. */
  readonly onChange = this.#changed.on;

  private constructor(spec: ReplyQueueSpec, path: string, kept: readonly KeptReply[]) {
    this.#spec = spec;
    this.#path = path;
    this.#kept = kept;
    this.#listening = spec.terminals.onChange((change) => {
      if (change.type === 'changed') this.#look(change.terminal.id);
    });
    this.#lookLater();
  }

  static async open(spec: ReplyQueueSpec): Promise<ReplyQueue> {
    const path = join(spec.dataFolder, 'replies.json');
    const read = await readJsonFile(path, RepliesFile);
    if (read.status === 'bad')
      spec.warn(`Replies that waited could not be read (${read.reason}). The file was kept as ${read.keptAs}.`, null);
    const queue = new ReplyQueue(spec, path, read.status === 'ok' ? read.value.replies : []);
    for (const one of queue.#kept.filter(isFirst))
      await queue.#giveUp(one, 'Hansard ended before the agent had started');
    return queue;
  }

  /**
   * Keeps the first prompt for the agent that starts in the terminal; it is sent once the agent takes input. If no agent starts in time, or Hansard
   * ends first, a warning to the person contains the whole text.
   */
  async addFirst(terminalId: string, text: string): Promise<void> {
    const { clock, randomId } = this.#spec;
    const one = { id: randomId(8), terminalId, conversationId: NOT_STARTED, text, queuedMs: clock.nowMs() };
    clock.after(STARTS_WITHIN_MS, () => {
      if (this.#kept.includes(one)) detach('ReplyQueue', this.#giveUp(one, 'no agent has started'));
    });
    await this.#save([...this.#kept, one], terminalId);
    this.#look(terminalId);
  }

  /** The queued replies in sending order. */
  of(terminalId: string, conversationId: string): QueuedReply[] {
    const terminal = this.#spec.terminals.find(terminalId);
    return this.#kept
      .filter((one) => one.terminalId === terminalId && one.conversationId === conversationId)
      .map(({ id, text, queuedMs }) => ({
        ...{ id, text, queuedMs },
        waitsFor: (terminal ? waitsFor(terminal, conversationId) : 'agent') ?? 'turn',
      }));
  }

  /** Sends the prompt if the agent takes input now and no other prompt waits; otherwise queues it. */
  async add(terminalId: string, text: string, actor: string): Promise<ReplyVerdict> {
    const { terminals, turns, clock, randomId } = this.#spec;
    const terminal = terminals.find(terminalId);
    const conversationId = terminal?.view.agent?.conversationId;
    if (!terminal || conversationId === undefined) return { ok: false, reason: 'gone' };
    return turns.run(terminalId, async () => {
      const waiting = this.of(terminalId, conversationId).length;
      if (waiting === 0) {
        const outcome = await sendReply({ terminal, conversationId, text, actor, clock });
        this.#note(outcome, terminalId);
        if ('sent' in outcome) return { ok: true, sent: true };
      }
      if (waiting >= MAX_OF_ONE) return { ok: false, reason: 'full' };
      const one = { id: randomId(8), terminalId, conversationId, text, queuedMs: clock.nowMs() };
      await this.#save([...this.#kept, one], terminalId);
      return { ok: true, sent: false };
    });
  }

  /** Removes a reply from the list and returns its text; null if it was sent already. */
  async cancel(id: string): Promise<string | null> {
    const found = this.#kept.find((one) => one.id === id);
    if (!found) return null;
    return this.#spec.turns.run(found.terminalId, async () => {
      if (!this.#kept.includes(found)) return null;
      await this.#save(without(this.#kept, found), found.terminalId);
      return found.text;
    });
  }

  dispose(): void {
    this.#listening.dispose();
    this.#timer?.dispose();
    this.#timer = null;
    this.#changed.dispose();
  }

  #look(terminalId: string): void {
    const terminal = this.#spec.terminals.find(terminalId);
    const conversationId = terminal?.view.agent?.conversationId;
    if (conversationId !== undefined) this.#adopt(terminalId, conversationId);
    // only of this conversation: replies to an ended one do not block others
    const first = this.#kept.find((one) => one.terminalId === terminalId && one.conversationId === conversationId);
    if (!first || !terminal || waitsFor(terminal, first.conversationId) !== null) return;
    detach(
      'ReplyQueue',
      this.#spec.turns.run(terminalId, () => this.#send(first, terminal)),
    );
  }

  /** The agent has started: assigns its first prompt to its conversation. */
  #adopt(terminalId: string, conversationId: string): void {
    const isIts = (one: KeptReply) => one.terminalId === terminalId && isFirst(one);
    if (!this.#kept.some(isIts)) return;
    const kept = this.#kept.map((one) => (isIts(one) ? { ...one, conversationId } : one));
    detach('ReplyQueue', this.#save(kept, terminalId));
  }

  async #giveUp(one: KeptReply, why: string): Promise<void> {
    this.#spec.warn(`The first prompt was not sent: ${why}. It was:\n${one.text}`, one.terminalId);
    await this.#save(without(this.#kept, one), one.terminalId);
  }

  async #send(first: KeptReply, terminal: PtyInstance): Promise<void> {
    const { clock } = this.#spec;
    if (!this.#kept.includes(first) || waitsFor(terminal, first.conversationId) !== null) return;
    await this.#save(without(this.#kept, first), terminal.id); // saved before sending, so that a crash cannot cause a second sending
    const outcome = await sendReply({ ...first, terminal, actor: 'user', clock });
    this.#note(outcome, terminal.id);
    if (!('sent' in outcome)) await this.#save([first, ...this.#kept], terminal.id);
  }

  #note(outcome: ReplyOutcome, terminalId: string): void {
    if ('sent' in outcome && !outcome.isSeen)
      this.#spec.warn('A reply was typed, but the agent was not seen to take it. Look at its input line.', terminalId);
  }

  async #save(kept: readonly KeptReply[], terminalId: string): Promise<void> {
    this.#kept = kept;
    this.#lookLater();
    this.#changed.fire(terminalId);
    const write = () => replaceFile(this.#path, `${JSON.stringify({ version: 1, replies: this.#kept })}\n`);
    await this.#writes
      .run(write)
      .catch((error: unknown) =>
        this.#spec.warn(`Replies that wait could not be saved: ${String(error)}. A restart loses them.`, terminalId),
      );
  }

  #lookLater(): void {
    if (this.#kept.length === 0) return;
    this.#timer ??= this.#spec.clock.after(LOOK_EVERY_MS, () => {
      this.#timer = null;
      for (const id of new Set(this.#kept.map(({ terminalId }) => terminalId))) this.#look(id);
      this.#lookLater();
    });
  }
}

function isFirst({ conversationId }: KeptReply): boolean {
  return conversationId === NOT_STARTED;
}

function without(kept: readonly KeptReply[], one: KeptReply): KeptReply[] {
  return kept.filter((other) => other !== one);
}
