import type { TerminalChange } from '../contract/api.ts';
import type { SnapshotLine } from '../contract/changes.ts';
import type { ChatChange, ChatMessage, Conversation } from '../contract/chat/chat.ts';
import type { TerminalView } from '../contract/terminal.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import type { Clock } from '../util/Clock.ts';
import { Disposables, type IDisposable } from '../util/Disposables.ts';
import { Emitter, type Event } from '../util/Emitter.ts';
import type { Log } from '../util/Log.ts';
import { detach } from '../util/strayErrors.ts';
import { ChangesFile } from './ChangesFile.ts';
import { LiveConversation } from './LiveConversation.ts';
import type { Snapshots } from './Snapshots.ts';
import { type TurnEvent, trackTurn } from './trackTurn.ts';

/** The parts of an open terminal that concern its agent and its conversations. */
export interface WatchedTerminal {
  readonly id: string;
  readonly view: TerminalView;
  readonly chat: { readonly onChange: Event<ChatChange>; readonly conversations: readonly Conversation[] };
}

export interface WatchedTerminals {
  readonly onChange: Event<TerminalChange>;
  readonly all: readonly WatchedTerminal[];
  find(id: string): WatchedTerminal | undefined;
}

export interface RecorderSpec {
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly terminals: WatchedTerminals;
  readonly snapshots: Snapshots;
  /** The setting `agents.changes`. */
  isOn(): boolean;
}

/** A turn ends after this time if no screen showed the agent at work, because a quick answer may be done before a screen is read. */
const SETTLE_MS = 2_500;

interface Watched {
  readonly listening: IDisposable;
  readonly file: Promise<ChangesFile>;
}

/** Follows the agents of all open terminals, and takes a snapshot of an agent's folder at every prompt and when the agent is done. */
export class ChangeRecorder {
  readonly #spec: RecorderSpec;
  readonly #owned = new Disposables();
  readonly #terminals = new Map<string, Watched>();
  /** The key is the id of the conversation. */
  readonly #live = new Map<string, LiveConversation>();
  readonly #settling = new Map<string, IDisposable>();
  readonly #changed = new Emitter<{ terminalId: string; conversationId: string }>();

  readonly onChange = this.#changed.on;

  constructor(spec: RecorderSpec) {
    this.#spec = spec;
    this.#owned.add(spec.terminals.onChange((change) => this.#see(change)));
    for (const terminal of spec.terminals.all) this.#look(terminal);
  }

  /** Returns the latest line of each snapshot of a conversation. Null unless the conversation is in an open terminal that has had an agent. */
  async lines(terminalId: string, conversationId: string): Promise<SnapshotLine[] | null> {
    const watched = this.#terminals.get(terminalId);
    return watched ? (await watched.file).of(conversationId) : null;
  }

  live(conversationId: string): LiveConversation | undefined {
    return this.#live.get(conversationId);
  }

  async dispose(): Promise<void> {
    this.#owned.dispose();
    for (const timer of this.#settling.values()) timer.dispose();
    const closing = [...this.#terminals.keys()].map((id) => this.#close(id));
    await Promise.allSettled(closing);
    this.#changed.dispose();
  }

  #see(change: TerminalChange): void {
    if (change.type === 'removed') {
      for (const live of this.#live.values())
        if (live.terminalId === change.id) this.#apply(live, { type: 'state', state: 'exited', atMs: this.#nowMs });
      detach('ChangeRecorder', this.#end(change.id));
    }
    if (change.type !== 'changed') return;
    const terminal = this.#spec.terminals.find(change.terminal.id);
    if (terminal) this.#look(terminal);
  }

  #look({ id: terminalId, view, chat }: WatchedTerminal): void {
    const { agent } = view;
    for (const live of this.#live.values())
      if (live.terminalId === terminalId && live.id !== agent?.conversationId) this.#over(live);
    if (!agent || !this.#spec.isOn()) return;
    if (!this.#terminals.has(terminalId)) this.#watch(terminalId, chat);
    const cwd = chat.conversations.find(({ id }) => id === agent.conversationId)?.cwd ?? view.cwd;
    const live = this.#live.get(agent.conversationId) ?? this.#begin(agent.conversationId, { terminalId, cwd });
    live.label = agent.label;
    live.cwd = cwd;
    this.#apply(live, { type: 'state', state: agent.state, atMs: this.#nowMs });
  }

  #watch(terminalId: string, chat: WatchedTerminal['chat']): void {
    const { dataFolder } = this.#spec;
    const listening = chat.onChange((change) => {
      if (change.type === 'message' && isPrompt(change.message)) this.#prompted(change.message);
    });
    const file = ChangesFile.open(new SessionFolder(dataFolder, terminalId).changesJsonl, this.#spec);
    this.#terminals.set(terminalId, { listening, file });
  }

  #begin(id: string, { terminalId, cwd }: { terminalId: string; cwd: string }): LiveConversation {
    const { snapshots, clock } = this.#spec;
    const file = this.#terminals.get(terminalId)?.file;
    if (!file) throw new Error(`terminal "${terminalId}" is not watched`);
    const onWritten = () => this.#changed.fire({ terminalId, conversationId: id });
    const live = new LiveConversation({ id, terminalId, file, snapshots, clock, onWritten }, cwd);
    this.#live.set(id, live);
    detach('ChangeRecorder', live.load());
    return live;
  }

  #prompted({ conversationId, id, text }: ChatMessage): void {
    const live = this.#live.get(conversationId);
    if (!live || !this.#spec.isOn()) return;
    this.#apply(live, { type: 'prompt', id, title: firstLine(text), atMs: this.#nowMs });
  }

  #apply(live: LiveConversation, event: TurnEvent): void {
    const { state, effect } = trackTurn(live.turn, event);
    live.turn = state;
    if (effect === 'begin') {
      this.#settleLater(live);
      live.meetNobody();
      for (const other of this.#live.values()) other.meet(live);
    }
    if (effect === 'begin' || effect === 'end') detach('ChangeRecorder', live.snapshot(effect));
    if (effect === 'name') detach('ChangeRecorder', live.rename());
  }

  #settleLater(live: LiveConversation): void {
    this.#settling.get(live.id)?.dispose();
    const timer = this.#spec.clock.after(SETTLE_MS, () => {
      this.#settling.delete(live.id);
      this.#apply(live, { type: 'settled', atMs: this.#nowMs });
    });
    this.#settling.set(live.id, timer);
  }

  #over(live: LiveConversation): void {
    if (!live.turn.isOpen) return;
    this.#apply(live, { type: 'state', state: 'exited', atMs: this.#nowMs });
  }

  /** Writes the last snapshot of the terminal, then closes its file. */
  async #end(terminalId: string): Promise<void> {
    for (const live of [...this.#live.values()]) {
      if (live.terminalId !== terminalId) continue;
      await live.idle();
      this.#live.delete(live.id);
      this.#settling.get(live.id)?.dispose();
      this.#settling.delete(live.id);
    }
    await this.#close(terminalId);
  }

  async #close(terminalId: string): Promise<void> {
    const watched = this.#terminals.get(terminalId);
    this.#terminals.delete(terminalId);
    watched?.listening.dispose();
    await (await watched?.file)?.close();
  }

  get #nowMs(): number {
    return this.#spec.clock.nowMs();
  }
}

function isPrompt({ kind, replayOf, text }: ChatMessage): boolean {
  return kind === 'user' && replayOf === undefined && text.trim() !== '';
}

const MAX_TITLE_CHARS = 120;

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length <= MAX_TITLE_CHARS ? line : `${line.slice(0, MAX_TITLE_CHARS - 1)}…`;
}
