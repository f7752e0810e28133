import type { BlockChange, TerminalChange } from '../../contract/api.ts';
import type { Block } from '../../contract/block.ts';
import type { ExecResult } from '../../contract/mcp/exec.ts';
import type { ConversationStore } from '../../conversations/record/ConversationStore.ts';
import type { Notices } from '../../notices/Notices.ts';
import type { EverywhereSearch } from '../../search/EverywhereSearch.ts';
import { type LineBatch, outputLines } from '../../search/lines/outputLines.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { ScreenPictures } from '../../terminal/screen/ScreenPictures.ts';
import type { ScreenReader } from '../../terminal/screen/ScreenReader.ts';
import type { Clock } from '../../util/Clock.ts';
import { Disposables, type IDisposable } from '../../util/Disposables.ts';
import type { Event } from '../../util/Emitter.ts';
import { AccessControl } from '../access/AccessControl.ts';
import { BlockFeed } from '../read/BlockFeed.ts';
import { McpRecord, type OutsideTerminal } from '../read/McpRecord.ts';
import { McpScreens } from '../read/McpScreens.ts';
import { WatchService } from '../read/WatchService.ts';
import { WindowFocus } from '../read/WindowFocus.ts';

export interface OutsideSpec {
  readonly dataFolder: string;
  readonly version: string;
  readonly clock: Clock;
  readonly notices: Notices;
  /** 2 × `bytes` hex digits of good randomness. */
  randomId(bytes: number): string;
  readonly screens: ScreenReader;
  /** Owned and disposed by this service. */
  readonly pictures: ScreenPictures;
  readonly chats: ConversationStore;
  readonly search: EverywhereSearch;
  /** Fires when a terminal opens, closes or changes in its tab. */
  readonly onTerminals: Event<TerminalChange>;
  /** Open terminals in the order of their tabs. */
  open(): readonly PtyInstance[];
  /** Returns the number of each terminal's tab, from 1. */
  tabs(): ReadonlyMap<string, number>;
}

/** Everything that outside clients read, in one place. It never writes to a terminal. */
export class McpReadService {
  readonly record: McpRecord;
  /** The person's policy, which admits calls. */
  readonly gate: AccessControl;
  readonly notify: WatchService;
  readonly feed = new BlockFeed();
  readonly screens: McpScreens;
  readonly pictures: ScreenPictures;
  readonly chats: ConversationStore;
  readonly search: EverywhereSearch;
  readonly version: string;
  /** New at each start of the core; counts of an earlier epoch are void. */
  readonly epoch: string;
  readonly nowMs: () => number;
  readonly onTerminals: Event<TerminalChange>;
  readonly tabs: OutsideSpec['tabs'];
  /** The terminal that the person looks at; only outside clients use it. */
  readonly focus: WindowFocus;
  readonly #lastOutput = new Map<string, number>();

  constructor(spec: OutsideSpec) {
    this.screens = new McpScreens(spec.screens, (id, hidden) => this.#whenHidden(id, hidden));
    this.pictures = spec.pictures;
    this.chats = spec.chats;
    this.search = spec.search;
    this.version = spec.version;
    this.epoch = spec.randomId(4);
    this.onTerminals = spec.onTerminals;
    this.tabs = spec.tabs;
    this.nowMs = () => spec.clock.nowMs();
    const shown = (id: string): PtyInstance | undefined => spec.open().find((one) => one.id === id);
    this.focus = new WindowFocus((clientId, id) => shown(id)?.viewers.looks(clientId) ?? false);
    this.gate = new AccessControl(spec);
    this.record = new McpRecord({
      ...spec,
      open: () => spec.open(),
      isPrivate: (id, look) => this.gate.isPrivate(id, look),
    });
    this.notify = new WatchService(this, (bytes) => spec.randomId(bytes));
  }

  /** When a command last began, printed (to a quarter of a second) or ended in the terminal; null if none did since the core started. */
  lastOutputMs(terminalId: string): number | null {
    return this.#lastOutput.get(terminalId) ?? null;
  }

  /** The terminal that the person looks at; null if it is private. */
  get focusedId(): string | null {
    const id = this.focus.terminalId;
    return id !== null && this.record.isSeen(id) ? id : null;
  }

  /** The lines of an output as the terminal showed them. */
  lines(terminal: OutsideTerminal, block: Block): AsyncGenerator<LineBatch> {
    return outputLines(terminal, block, { view: 'rendered', first: 0 });
  }

  handleBlock(terminalId: string, change: BlockChange): void {
    if (change.type === 'divider') return;
    this.#lastOutput.set(terminalId, this.nowMs());
    if (change.type !== 'output' && !change.block.ephemeral) this.#feed(terminalId, change.block.id);
  }

  /** Adds a command that has no block (yet) to the order of blocks. */
  handleExec({ terminalId, blockId, block }: ExecResult): void {
    if (block === null) this.#feed(terminalId, blockId);
  }

  dispose(): void {
    this.pictures.dispose();
    this.notify.dispose();
  }

  /** Clients can read the feed's position, so blocks that they may not see do not count. */
  #feed(terminalId: string, blockId: string): void {
    if (this.record.isSeen(terminalId)) this.feed.take({ terminalId, blockId });
  }

  /** Calls `hidden` when the terminal is found to be no longer visible, because its person hid it or the policy changed. */
  #whenHidden(terminalId: string, hidden: () => void): IDisposable {
    const look = (): void => {
      if (!this.record.isSeen(terminalId)) hidden();
    };
    const owned = new Disposables();
    owned.add(this.onTerminals((change) => change.type === 'changed' && change.terminal.id === terminalId && look()));
    owned.add(this.gate.onPolicy(look));
    return owned;
  }
}
