import { stat } from 'node:fs/promises';
import type { Conversation } from '../contract/chat/chat.ts';
import type { SpanRecord, TelemetrySend } from '../contract/telemetry.ts';
import { ExtractorFactory } from '../conversations/extraction/extractors/ExtractorFactory.ts';
import type { ConversationStore } from '../conversations/record/ConversationStore.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { SerialQueue } from '../util/SerialQueue.ts';
import { detach } from '../util/strayErrors.ts';
import type { SentTurns } from './SentTurns.ts';
import type { SpanQueue } from './SpanQueue.ts';
import { turnSpans } from './turnSpans.ts';
import { type Turn, turnsOf } from './turnsOf.ts';

/** Waits before a turn counts as over. An agent that pauses between two steps may look idle, and its last lines may still change. */
const SETTLE_MS = 10_000;
const LOOK_EVERY_MS = 5_000;
/** Looks back this far, for writes that were in progress when the core ended. */
const MARGIN_MS = 60_000;
const PAGE = 200;
/** Turns are not sent while their agent is in one of these states. */
const AT_WORK: ReadonlySet<Conversation['state']> = new Set(['starting', 'working', 'needs_approval', 'needs_input']);

export interface TurnCollectorSpec {
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly chats: Pick<ConversationStore, 'listPage' | 'lines'>;
  readonly sent: SentTurns;
  readonly queue: SpanQueue;
  /** True for a terminal that is private or hidden, or a conversation that was held in a private folder. Nothing of it is sent. */
  isPrivate(terminalId: string, cwd?: string | null): boolean;
  hasContent(): boolean;
  /** Reports that the queue has something new. */
  queued(): void;
  /** Reports an error of the disk, for people; null if it works again. */
  fault(reason: string | null): void;
}

/** Finds turns that are over and queues the spans of each once. It reads the record and never writes to it. */
export class TurnCollector implements IDisposable {
  readonly #spec: TurnCollectorSpec;
  readonly #extractors = new ExtractorFactory();
  /** Terminals whose record has something new. */
  readonly #dirty = new Set<string>();
  /** `updatedMs` and `state` of conversations without due turns. */
  readonly #seen = new Map<string, string>();
  readonly #jobs = new SerialQueue();
  #timer: IDisposable | null = null;
  #isOn = false;

  constructor(spec: TurnCollectorSpec) {
    this.#spec = spec;
  }

  /** Finds turns that ended while no core ran, then looks again at every poke. */
  start(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#seen.clear();
    detach(
      'TurnCollector',
      this.#jobs.run(() => this.#findChanged()),
    );
  }

  stop(): void {
    this.#isOn = false;
    this.#timer?.dispose();
    this.#timer = null;
    this.#dirty.clear();
  }

  /** Notes that the record of the terminal's conversations has changed. */
  poke(terminalId: string): void {
    if (!this.#isOn) return;
    this.#dirty.add(terminalId);
    this.#lookLater();
  }

  dispose(): void {
    this.stop();
  }

  /** Resolves when the work in progress has been written to disk. */
  idle(): Promise<void> {
    return this.#jobs.idle();
  }

  /** Queues every turn that ended since `sinceMs`, even if it was sent before. Stops when the queue is full, and drops nothing. */
  sendPast(sinceMs: number): Promise<TelemetrySend> {
    return this.#jobs.run(() => this.#sendPast(sinceMs));
  }

  #lookLater(): void {
    this.#timer ??= this.#spec.clock.after(LOOK_EVERY_MS, () => {
      this.#timer = null;
      detach(
        'TurnCollector',
        this.#jobs.run(() => this.#look()),
      );
    });
  }

  async #findChanged(): Promise<void> {
    const { dataFolder, sent } = this.#spec;
    const fromMs = Math.max(sent.sinceMs ?? 0, sent.checkedMs) - MARGIN_MS;
    for (const id of SessionFolder.list(dataFolder)) {
      if (!this.#isOn) return;
      const found = await stat(new SessionFolder(dataFolder, id).chatJsonl).catch(() => null);
      if (found && found.mtimeMs >= fromMs) this.#dirty.add(id);
    }
    await this.#look();
  }

  async #look(): Promise<void> {
    const { sent, clock, fault } = this.#spec;
    const atMs = clock.nowMs();
    let refused: string | null = null;
    for (const id of [...this.#dirty]) {
      if (!this.#isOn) return;
      this.#dirty.delete(id); // deleted first, so that later writes mark the terminal again
      try {
        if (!(await this.#lookAt(id))) this.#dirty.add(id);
      } catch (error) {
        this.#dirty.add(id);
        refused = error instanceof Error ? error.message : String(error);
      }
    }
    fault(refused);
    if (this.#dirty.size > 0) this.#lookLater();
    else sent.checked(atMs);
  }

  /** Resolves to false if a turn is over but may still change. */
  async #lookAt(terminalId: string): Promise<boolean> {
    const conversations = (await this.#conversations({ terminalId })).filter((one) => this.#isNews(one));
    if (conversations.length === 0) return true;
    const lines = await this.#spec.chats.lines(terminalId);
    let isSettled = true;
    for (const conversation of conversations) {
      const due = turnsOf(conversation, lines).filter((turn) => this.#spec.sent.isDue(turn));
      const settled = due.filter((turn) => this.#hasSettled(turn));
      for (const turn of settled) await this.#queue(turn);
      if (settled.length < due.length) isSettled = false;
      else this.#seen.set(keyOf(conversation), stampOf(conversation));
    }
    return isSettled;
  }

  #isNews(conversation: Conversation): boolean {
    return !AT_WORK.has(conversation.state) && this.#seen.get(keyOf(conversation)) !== stampOf(conversation);
  }

  /** Only the last turn can still change. */
  #hasSettled({ conversation, endMs }: Turn): boolean {
    return conversation.endedMs !== null || endMs + SETTLE_MS <= this.#spec.clock.nowMs();
  }

  async #queue(turn: Turn): Promise<void> {
    const { sent, queue, isPrivate, queued } = this.#spec;
    if (!this.#isOn) return;
    const { terminalId, cwd } = turn.conversation;
    if (!isPrivate(terminalId, cwd)) await queue.add(this.#spansOf(turn), terminalId);
    await sent.note([turn]);
    queued();
  }

  #spansOf(turn: Turn): SpanRecord[] {
    const { agent, label } = turn.conversation;
    const provider = this.#extractors.byName(agent)?.provider ?? (agent === '' ? 'unknown' : agent);
    return turnSpans(turn, { label, provider, content: this.#spec.hasContent() });
  }

  async #sendPast(sinceMs: number): Promise<TelemetrySend> {
    const { chats, sent, queued, isPrivate } = this.#spec;
    const done = { conversations: 0, turns: 0, leftMs: Number.POSITIVE_INFINITY };
    const wanted = (await this.#conversations({})).filter(
      (one) => one.updatedMs >= sinceMs && !isPrivate(one.terminalId, one.cwd),
    );
    for (const conversation of wanted) {
      if (!this.#isOn) break; // telemetry was turned off, or Hansard ends
      const lines = await chats.lines(conversation.terminalId);
      const past = turnsOf(conversation, lines).filter(({ isOver, endMs }) => isOver && endMs >= sinceMs);
      const left = await this.#queueWhatFits(past, done.leftMs < Number.POSITIVE_INFINITY);
      const fitted = past.slice(0, past.length - left.length);
      await sent.note(fitted);
      if (fitted.length > 0) done.conversations += 1;
      done.turns += fitted.length;
      done.leftMs = left.reduce((first, { endMs }) => Math.min(first, endMs), done.leftMs);
      queued();
    }
    return { ...done, leftMs: Number.isFinite(done.leftMs) ? done.leftMs : null };
  }

  /** Collects the turns that did not fit. After the first one, no later turn is tried, because the person continues from there. */
  async #queueWhatFits(turns: readonly Turn[], isFull: boolean): Promise<readonly Turn[]> {
    if (isFull) return turns;
    for (const [at, turn] of turns.entries()) {
      const spans = this.#spansOf(turn);
      const { terminalId } = turn.conversation;
      if (!this.#spec.queue.hasRoom(spans, terminalId)) return turns.slice(at);
      await this.#spec.queue.add(spans, terminalId);
    }
    return [];
  }

  async #conversations({ terminalId }: { terminalId?: string }): Promise<Conversation[]> {
    const found: Conversation[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<ConversationStore['listPage']>> = await this.#spec.chats.listPage({
        terminalId,
        limit: PAGE,
        ...(cursor !== null && { cursor }),
        onFault: () => undefined, // `hansard doctor` reports lines that cannot be read
      });
      found.push(...page.conversations);
      cursor = page.next;
    } while (cursor !== null);
    return found;
  }
}

function keyOf({ terminalId, id }: Conversation): string {
  return `${terminalId}/${id}`;
}

function stampOf({ updatedMs, state, endedMs, messages }: Conversation): string {
  return `${updatedMs}/${state}/${endedMs}/${messages}`;
}
