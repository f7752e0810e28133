import type { BlockChange, TerminalChange } from '../contract/api.ts';
import type { Block } from '../contract/block.ts';
import type { Settings } from '../contract/settings.ts';
import type { TerminalView } from '../contract/terminal.ts';
import type { Notification, NotificationChange, NotificationKind } from '../contract/window/notification.ts';
import { machineOf } from '../shared/machineIds.ts';
import { Emitter, type Event } from '../util/Emitter.ts';
import { follow } from '../util/follow.ts';
import { agentNews } from './agentNews.ts';
import { NotificationsFile, type NotificationsFileSpec } from './NotificationsFile.ts';

/** Newest first; older ones are on the record, not in a list. */
const MAX_KEPT = 200;
/** One noisy terminal must not push out what the others said. */
const MAX_OF_ONE = 40;
/** Nor may another machine, whatever terminals it names. */
const MAX_OF_MACHINE = 100;
const MAX_TEXT_CHARS = 300;
/** Each machine keeps 200. */
const MAX_REMOTE = 10_000;

export interface NotificationsSpec extends NotificationsFileSpec {
  readonly settings: { readonly value: Settings };
  readonly terminals: {
    readonly onChange: Event<TerminalChange>;
    find(id: string): { readonly viewers: { looks(clientId: string): boolean } } | undefined;
  };
}

type News = Pick<Notification, 'kind' | 'title'> & Partial<Notification>;

/** A change in the notifications of other machines. */
type RemoteChange =
  | { readonly type: 'all'; readonly items: readonly Notification[] }
  | { readonly type: 'put'; readonly item: Notification }
  | { readonly type: 'gone'; readonly id: string };

/** Events in terminals that were not in view, and which of them were read. One list for all windows, kept over restarts. */
export class Notifications {
  readonly #spec: NotificationsSpec;
  readonly #changed = new Emitter<NotificationChange>();
  readonly #views = new Map<string, TerminalView>();
  /** By window, the terminal that it has before the person. */
  readonly #focused = new Map<string, string>();
  /** Notifications of other machines that were added, so that a new connection adds them only once. */
  readonly #remote = new Set<string>();
  readonly #file: NotificationsFile;
  /** Terminals and blocks of commands that are kept out of the record, and so of the file. */
  readonly #unkept = new Set<string>();
  #kept: readonly Notification[] = [];
  #seq = 0;

  constructor(spec: NotificationsSpec) {
    this.#spec = spec;
    this.#file = new NotificationsFile(spec);
    const isOfFile = ({ terminalId, blockId }: Notification) =>
      machineOf(terminalId) === null && !this.#unkept.has(`${terminalId} ${blockId}`);
    this.#changed.on(() => this.#file.write(this.#kept.filter(isOfFile)));
    spec.terminals.onChange((change) => this.#see(change));
  }

  /** Reads the list of the earlier core; call this before its terminals are opened again. `openIds`: their ids. */
  async load(openIds: readonly string[]): Promise<void> {
    const all = await this.#file.read();
    this.#kept = all.filter(({ terminalId }) => openIds.includes(terminalId)).slice(0, MAX_KEPT);
    this.#seq = all.reduce((last, { seq }) => Math.max(last, seq), 0);
  }

  /** Resolves when the list is written. What the end of the terminals changes is not kept. */
  close(): Promise<void> {
    return this.#file.close();
  }

  /** Newest first. */
  get all(): Notification[] {
    return [...this.#kept];
  }

  follow(signal?: AbortSignal): AsyncGenerator<NotificationChange> {
    return follow(this.#changed.on, () => [{ type: 'all', notifications: this.all }], signal);
  }

  /** The window shows that terminal to the person, or with null has lost the focus. */
  looksAt(clientId: string, terminalId: string | null): void {
    this.#focused.delete(clientId);
    if (terminalId === null) return;
    this.#focused.set(clientId, terminalId);
    this.read({ terminalId });
  }

  /** Marks as read: one, those of one terminal, or all. */
  read({ seq, terminalId }: { seq?: number | undefined; terminalId?: string | undefined }): void {
    const isMeant = (each: Notification) =>
      (seq === undefined || each.seq === seq) && (terminalId === undefined || each.terminalId === terminalId);
    if (!this.#kept.some((each) => !each.isRead && isMeant(each))) return;
    this.#keep(this.#kept.map((each) => (isMeant(each) ? { ...each, isRead: true } : each)));
  }

  handleBlock(terminalId: string, change: BlockChange): void {
    if (change.type === 'output' || change.type === 'divider') return;
    const { id, ephemeral } = change.block;
    const isListed = () => this.#kept.some((each) => each.terminalId === terminalId && each.blockId === id);
    if (ephemeral) this.#unkept.add(`${terminalId} ${id}`);
    if (change.type === 'close') this.#ended(terminalId, change.block);
    if (!ephemeral || (change.type === 'close' && !isListed())) this.#unkept.delete(`${terminalId} ${id}`);
  }

  #ended(terminalId: string, block: Block): void {
    const { durationMs, cmd, exitCode, id: blockId, kind } = block;
    const { value: settings } = this.#spec.settings;
    if (kind !== 'command' || cmd === null || (durationMs ?? 0) < settings['notify.longCommandMs']) return;
    if (this.#views.get(terminalId)?.agent) return; // an agent that was left has its own notifications
    this.#add(terminalId, { kind: 'command', title: cmd, blockId, exitCode, durationMs }, true);
  }

  /** Also lists what happened on other machines, each notification once. */
  join(others: { readonly onChange: Event<RemoteChange> }): void {
    others.onChange((change) => {
      const items = change.type === 'put' ? [change.item] : change.type === 'all' ? change.items : [];
      for (const one of items.toReversed()) this.#addRemote(one);
    });
  }

  #addRemote({ isRead, seq, terminalId, ...news }: Notification): void {
    const origin = `${terminalId} ${seq} ${news.atMs}`;
    if (isRead || this.#remote.has(origin)) return;
    this.#remote.add(origin);
    const [oldest = ''] = this.#remote;
    if (this.#remote.size > MAX_REMOTE) this.#remote.delete(oldest);
    this.#add(terminalId, news);
  }

  #see(change: TerminalChange): void {
    if (change.type === 'removed') {
      this.#views.delete(change.id);
      if (this.#kept.some(({ terminalId }) => terminalId === change.id))
        this.#keep(this.#kept.filter(({ terminalId }) => terminalId !== change.id));
    }
    if (change.type !== 'changed') return;
    const { terminal } = change;
    const before = this.#views.get(terminal.id);
    this.#views.set(terminal.id, terminal);
    const { id, notification, runningBlockId: blockId } = terminal;
    if (notification && notification !== before?.notification) {
      const { title, body } = notification;
      this.#add(id, { kind: 'program', title: title ?? body, body: title === null ? '' : body, blockId }, !before);
    }
    const news = before && agentNews(before.agent, terminal.agent);
    if (news) this.#add(id, { ...news, blockId }, before.agent === null || before.agent.state === 'starting');
  }

  /** `maySeeAgain`: an earlier core may have added it. */
  #add(terminalId: string, news: News, maySeeAgain = false): void {
    if (!isOn(news.kind, this.#spec.settings.value) || this.#isLookedAt(terminalId)) return;
    const notification: Notification = {
      ...{ seq: this.#seq + 1, terminalId, blockId: null, exitCode: null, durationMs: null },
      ...news,
      ...{ title: oneLine(news.title), body: oneLine(news.body ?? ''), isRead: false },
      atMs: news.atMs ?? this.#spec.clock.nowMs(),
    };
    if (maySeeAgain && this.#kept.some((each) => isSame(each, notification))) return;
    this.#seq += 1;
    const ofOne = atMost(MAX_OF_ONE, [notification, ...this.#kept], (each) => each.terminalId === terminalId);
    const machine = machineOf(terminalId);
    const isThere = (each: Notification): boolean => machine !== null && machineOf(each.terminalId) === machine;
    this.#kept = atMost(MAX_OF_MACHINE, ofOne, isThere).slice(0, MAX_KEPT);
    this.#changed.fire({ type: 'new', notification });
  }

  #keep(kept: readonly Notification[]): void {
    this.#kept = kept;
    this.#changed.fire({ type: 'all', notifications: this.all });
  }

  #isLookedAt(terminalId: string): boolean {
    const clients = [...this.#focused].flatMap(([clientId, shown]) => (shown === terminalId ? [clientId] : []));
    if (machineOf(terminalId) !== null) return clients.length > 0; // its viewers are known to its machine
    const viewers = this.#spec.terminals.find(terminalId)?.viewers;
    return clients.some((clientId) => viewers?.looks(clientId) === true);
  }
}

/** The block in which a program said something may have ended since. */
function isSame(a: Notification, b: Notification): boolean {
  if (a.terminalId !== b.terminalId || a.kind !== b.kind || a.title !== b.title || a.body !== b.body) return false;
  return a.kind === 'program' || a.blockId === b.blockId;
}

/** Without those beyond the first `max` that are meant. */
function atMost(max: number, list: readonly Notification[], isMeant: (each: Notification) => boolean): Notification[] {
  let count = 0;
  return list.filter((each) => {
    if (isMeant(each)) count += 1;
    return !isMeant(each) || count <= max;
  });
}

function isOn(kind: NotificationKind, settings: Settings): boolean {
  switch (kind) {
    case 'command':
      return settings['notify.commands'];
    case 'program':
      return settings['notify.programs'];
    case 'agentAsks':
      return settings['notify.agentWaits'];
    case 'agentDone':
      return settings['notify.agentDone'];
  }
}

/** Text of others beside ours: no control, format or private characters, and no line breaks. */
function oneLine(text: string): string {
  return text
    .slice(0, MAX_TEXT_CHARS)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
}
