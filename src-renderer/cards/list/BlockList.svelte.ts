import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { BlockChange, Divider } from '../../../src-main/contract/api.ts';
import type { Block } from '../../../src-main/contract/block.ts';
import { machineOf } from '../../../src-main/shared/machineIds.ts';
import { type ListLimits, newestWithin } from '../../rpc/newestWithin.ts';
import type { BlockRpc, Rpc, Stop } from '../../rpc/Rpc.ts';
import { BlockOutput } from '../output/BlockOutput.svelte.ts';
import { listItems } from './listItems.ts';

/** The calls of the core that the list uses. */
export interface BlockListRpc {
  readonly block: Pick<BlockRpc, 'page' | 'onChange' | 'lines' | 'dividers'>;
  readonly workspace: Pick<Rpc['workspace'], 'setFolded'>;
}

/** Number of cards in the first page, and in each older one. */
const FIRST_PAGE = 200;
const NEXT_PAGE = 1000;
/** Most cards that keep their lines while they are not drawn, so that scrolling to one shows them at once. */
const KEPT_OUTPUTS = 300;

/** Cards of a terminal of another machine, which may flood: the oldest are unloaded. */
const LIMITS: ListLimits<Block> = { most: 20_000, mostChars: 32_000_000, chars: ({ cmd }) => cmd?.length ?? 0 };
const MAX_DIVIDERS = 2_000;
/** Blocks that run at the same time. */
const MAX_COUNTERS = 100;

/** Live counters of a running block. */
export interface LiveCounters {
  outputBytes: number;
  outputLines: number;
}

/** The cards of one terminal. `apply` feeds it; everything else is derived. */
export class BlockList {
  readonly terminalId: string;
  readonly #rpc: BlockListRpc;
  /** Ordered by `seq`. The array is replaced, never changed, because 10,000 cards must not be 10,000 signals. */
  #blocks = $state.raw<readonly Block[]>([]);
  #dividers = $state.raw<readonly Divider[]>([]);
  readonly #counters = new SvelteMap<string, LiveCounters>();
  readonly #outputs = new Map<string, BlockOutput>();
  /** Blocks that changed while a page was loading: the change is newer than the page. */
  readonly #touched = new Set<string>();
  #isLoading = false;
  #isAgain = false; // shown again, and changes meanwhile were not heard
  #firstPage = Promise.resolve();

  /** There are older cards that are not loaded. */
  hasOlder = $state(false);
  /** False until the first page has arrived. */
  isKnown = $state(false);
  /** Why the cards could not be read, or null. */
  fault = $state<string | null>(null);
  readonly folded: SvelteSet<string>;
  /** Cards of full-screen programs that the person has opened; they fold by themselves when the program ends. */
  readonly #opened = new SvelteSet<string>();
  readonly expanded = new SvelteSet<string>();
  /** Cards whose lines do not wrap and scroll sideways instead. */
  readonly unwrapped = new SvelteSet<string>();
  /** Cards that the core changed after their end, for example with the text of a full-screen program that it rendered later. */
  readonly settled = new SvelteSet<string>();
  /** The card that keys and the palette act on. */
  cursorId = $state<string | null>(null);

  readonly blocks = $derived(this.#blocks);
  readonly items = $derived(listItems(this.#blocks, this.#dividers, this.hasOlder));
  /** The newest divider of a cleared screen. Everything before it is out of view for a reader at the end. */
  readonly clearedKey = $derived(
    this.items.findLast((item) => item.type === 'divider' && item.divider.kind === 'cleared')?.key ?? null,
  );
  /** The card with the live terminal: the newest one that runs. Background output does not count. */
  readonly running = $derived(
    this.#blocks.findLast(({ status, kind }) => status === 'running' && kind !== 'background'),
  );
  /** Lines of cards that older pages added; they are not new output. */
  #olderLines = $state(0);
  /** Lines of the first page and of everything after it; grows while programs print. */
  readonly totalLines = $derived.by(() => {
    const live = [...this.#counters.values()].reduce((sum, { outputLines }) => sum + outputLines, 0);
    return this.#blocks.reduce(
      (sum, { id, outputLines }) => sum + (this.#counters.has(id) ? 0 : outputLines),
      live - this.#olderLines,
    );
  });

  constructor(terminalId: string, rpc: BlockListRpc, folded: Iterable<string> = []) {
    this.terminalId = terminalId;
    this.#rpc = rpc;
    this.folded = new SvelteSet(folded);
  }

  /** Follows the terminal. Subscribes before it loads the first page, so that no change is missed. */
  start(): Stop {
    this.#counters.clear();
    this.#isAgain = this.#blocks.length > 0;
    const stop = this.#rpc.block.onChange({ terminalId: this.terminalId }, (change) => this.apply(change));
    this.#firstPage = this.reload();
    return stop;
  }

  /** Loads the newest cards again: at the start, and after a lost connection. */
  async reload(): Promise<void> {
    await this.#load(undefined, FIRST_PAGE);
    if (this.fault !== null) return;
    await this.#attempt(async () => {
      this.#dividers = await this.#rpc.block.dividers({ terminalId: this.terminalId });
    });
  }

  /** Loads the next older cards, unless all are loaded or a page is already loading. */
  async loadOlder(): Promise<void> {
    if (!this.hasOlder || this.#isLoading) return;
    await this.#load(this.#blocks[0]?.seq, NEXT_PAGE);
  }

  /** Finds a block and loads older pages until it is there. Undefined when the core does not have the block. */
  async find(blockId: string): Promise<Block | undefined> {
    await this.#firstPage; // a tab that has just opened has no cards yet
    while (!this.get(blockId) && this.hasOlder && !this.fault) {
      const before = this.#blocks.length;
      await this.#load(this.#blocks[0]?.seq, NEXT_PAGE);
      if (this.#blocks.length === before) break;
    }
    return this.get(blockId);
  }

  get(blockId: string): Block | undefined {
    return this.#blocks.find(({ id }) => id === blockId);
  }

  /** The live counters of a running block, else those of its record. */
  counters(block: Block): LiveCounters {
    return this.#counters.get(block.id) ?? block;
  }

  apply(change: BlockChange): void {
    switch (change.type) {
      case 'output':
        if (this.#isOfMachine && !this.#counters.has(change.blockId) && this.#counters.size >= MAX_COUNTERS) break;
        this.#counters.set(change.blockId, { outputBytes: change.outputBytes, outputLines: change.outputLines });
        break;
      case 'divider':
        this.#dividers = [...this.#dividers.filter((one) => !isSame(one, change.divider)), change.divider];
        if (this.#isOfMachine) this.#dividers = this.#dividers.slice(-MAX_DIVIDERS);
        break;
      case 'open':
      case 'change':
      case 'close':
        this.#touched.add(change.block.id);
        if (change.type === 'change' && change.block.status !== 'running') this.settled.add(change.block.id);
        this.#put(change.block);
        this.#renewOutput(change.block, change.type === 'close');
    }
  }

  /** The lines of a block, read at the first call. Returns the same object while the block is kept. */
  output(block: Block): BlockOutput {
    const kept = this.#outputs.get(block.id);
    if (kept) {
      this.#outputs.delete(block.id); // added again below: the map's order is the order of use
      this.#outputs.set(block.id, kept);
      return kept;
    }
    const output = new BlockOutput(
      this.#rpc.block,
      { terminalId: this.terminalId, blockId: block.id },
      block.outputLines,
    );
    this.#outputs.set(block.id, output);
    if (this.#outputs.size > KEPT_OUTPUTS) {
      const oldest = this.#outputs.keys().next().value;
      if (oldest !== undefined) this.#outputs.delete(oldest);
    }
    return output;
  }

  /** The lines of a block are loaded. */
  isRead(block: Block): boolean {
    return this.#outputs.get(block.id)?.isReady === true;
  }

  /** The card shows its head only: the person folded it, or it ran a full-screen program, whose last screen is of little use. */
  isFolded(block: Block): boolean {
    return this.folded.has(block.id) || (isLeftScreen(block) && !this.#opened.has(block.id));
  }

  setFolded(blockId: string, folded: boolean): void {
    if (folded) this.#opened.delete(blockId);
    else this.#opened.add(blockId);
    if (this.folded.has(blockId) === folded) return;
    if (folded) this.folded.add(blockId);
    else this.folded.delete(blockId);
    // The fold stays in this window even if the core could not save it for the next start.
    this.#rpc.workspace.setFolded({ terminalId: this.terminalId, blockId, folded }).catch(() => undefined);
  }

  setExpanded(blockId: string, isExpanded: boolean): void {
    if (isExpanded) this.expanded.add(blockId);
    else this.expanded.delete(blockId);
  }

  /** The card that actions apply to: the one under the cursor, else the newest. */
  current(): Block | undefined {
    return (this.cursorId === null ? undefined : this.get(this.cursorId)) ?? this.#blocks.at(-1);
  }

  /** Moves the cursor by one card; without a cursor, up selects the newest. Returns the card under the cursor. */
  walk(by: 1 | -1): Block | undefined {
    const at = this.#blocks.findIndex(({ id }) => id === this.cursorId);
    const next = at < 0 ? this.#blocks.length - 1 : Math.max(0, Math.min(at + by, this.#blocks.length - 1));
    this.cursorId = this.#blocks[next]?.id ?? null;
    return this.#blocks[next];
  }

  async #load(beforeSeq: number | undefined, limit: number): Promise<void> {
    this.#isLoading = true;
    this.#touched.clear();
    await this.#attempt(async () => {
      const input = { terminalId: this.terminalId, limit, ...(beforeSeq !== undefined && { beforeSeq }) };
      const page = await this.#rpc.block.page(input);
      const first = page.blocks[0]?.seq ?? Number.POSITIVE_INFINITY;
      if (beforeSeq === undefined && (this.#isAgain || first > (this.#blocks.at(-1)?.seq ?? 0) + 1)) {
        // Others may have changed, or a hole would stay between them and the page.
        const known = this.#blocks.filter(({ id, seq }) => seq >= first || this.#touched.has(id));
        [this.#blocks, this.#olderLines, this.#isAgain] = [known, 0, false];
      }
      if (beforeSeq !== undefined || first <= (this.#blocks[0]?.seq ?? first)) this.hasOlder = page.more;
      if (beforeSeq !== undefined)
        this.#olderLines += page.blocks.reduce((sum, { outputLines }) => sum + outputLines, 0);
      const incoming = page.blocks.filter(({ id }) => !this.#touched.has(id));
      this.#merge(incoming);
      for (const block of incoming) this.#renewOutput(block, false);
      this.isKnown = true;
    });
    this.#isLoading = false;
  }

  async #attempt(run: () => Promise<void>): Promise<void> {
    try {
      await run();
      this.fault = null;
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
    }
  }

  /** Our own terminals keep everything that the person has loaded. */
  get #isOfMachine(): boolean {
    return machineOf(this.terminalId) !== null;
  }

  #put(block: Block): void {
    if (block.status !== 'running') this.#counters.delete(block.id);
    this.#merge([block]);
    const kept = this.#isOfMachine ? newestWithin(this.#blocks, LIMITS) : this.#blocks;
    if (kept === this.#blocks) return;
    this.#blocks = kept;
    this.hasOlder = true;
  }

  /** Lines read while a command ran are incomplete, and the core renders the text of a full-screen program only after its end. */
  #renewOutput(block: Block, hasClosed: boolean): void {
    const { id, status, outputLines } = block;
    const output = this.#outputs.get(id);
    const isNews = hasClosed || (status !== 'running' && (outputLines !== output?.total || output?.fault !== null));
    if (output && isNews) output.refresh(outputLines);
    // Requested before the card is drawn, because the live view stays until the text has arrived.
    else if (hasClosed) this.output(block).want();
  }

  /** Merges a page in one pass. A single block is searched from the end, where changes happen. */
  #merge(incoming: readonly Block[]): void {
    if (incoming.length === 1 && incoming[0]) {
      this.#blocks = placed(this.#blocks, incoming[0]);
      return;
    }
    const byId = new Map(this.#blocks.map((block) => [block.id, block]));
    for (const block of incoming) byId.set(block.id, block);
    this.#blocks = [...byId.values()].sort((a, b) => a.seq - b.seq);
  }
}

/** The card has only the last screen of a full-screen program that ended. Commands of a nested shell may have left more. */
export function isLeftScreen({ usedAltScreen, status, kind, nested }: Block): boolean {
  return usedAltScreen && status !== 'running' && kind === 'command' && nested === undefined;
}

/** A divider that moved, or that the next one of its kind replaces. */
function isSame(one: Divider, other: Divider): boolean {
  return one.kind === other.kind && one.kind !== 'gap' && (one.atMs === other.atMs || one.afterSeq === other.afterSeq);
}

function placed(blocks: readonly Block[], block: Block): readonly Block[] {
  const before = blocks.findLastIndex(({ seq }) => seq <= block.seq);
  if (blocks[before]?.id === block.id) return blocks.with(before, block);
  // A card has one place: a machine must not draw it twice
  const others = blocks.some(({ id }) => id === block.id) ? blocks.filter(({ id }) => id !== block.id) : blocks;
  return others.toSpliced(others.findLastIndex(({ seq }) => seq <= block.seq) + 1, 0, block);
}
