import {
  type BlockEffect,
  type BlockInput,
  type BlockMoment,
  type BlockState,
  initialBlockState,
  isBlockEvent,
} from '../../blocks/BlockState.ts';
import { reduceBlock } from '../../blocks/reduceBlock.ts';
import type { BlockChange, Divider } from '../../contract/api.ts';
import type { Block, TextSource } from '../../contract/block.ts';
import type { TerminalEvent } from '../../contract/event.ts';
import type { PtyExit } from '../../pty/PtyProcess.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { Emitter } from '../../util/Emitter.ts';
import { follow } from '../../util/follow.ts';
import { detach } from '../../util/strayErrors.ts';
import type { BookDeps } from '../TerminalDeps.ts';
import type { TerminalRecord } from '../TerminalRecord.ts';
import { BlockLog, type BlockPageQuery } from './BlockLog.ts';
import { BlockMemory, type BlocksBefore } from './BlockMemory.ts';
import { BlockReader } from './BlockReader.ts';
import { BlockSearch } from './BlockSearch.ts';
import { BlockTexts } from './BlockTexts.ts';
import { blockSeq, newBlockId } from './blockId.ts';
import { Dividers, restoredText } from './Dividers.ts';
import { OpenBlock } from './OpenBlock.ts';

/** Least time between two updates of live counters. */
const COUNTERS_EVERY_MS = 250;

type Moment = Omit<BlockMoment, 'newId'>;

/** The blocks of one terminal: folds events into them, writes them, and notifies listeners. */
export class BlockStore {
  readonly #deps: BookDeps;
  readonly #record: TerminalRecord;
  readonly #blocks: BlockMemory;
  readonly #log: BlockLog;
  readonly #changes = new Emitter<BlockChange>();
  readonly reader: BlockReader;
  readonly search: BlockSearch;
  readonly texts: BlockTexts;
  readonly dividers: Dividers;
  #state: BlockState;
  /** Id of the next block; made once per block, because randomness costs more than folding an event. */
  #newId = '';
  #open: OpenBlock | null = null;
  #counting: IDisposable | null = null;
  readonly #ended = new AbortController();
  /** Branch of the last prompt's folder. */
  branch: string | null = null;
  readonly onChange = this.#changes.on;

  constructor(deps: BookDeps, record: TerminalRecord, from: BlocksBefore) {
    this.#deps = deps;
    this.#record = record;
    this.#blocks = new BlockMemory(from.blocks ?? [], from.earlier, from.kept);
    this.#log = new BlockLog(record, this.#blocks, deps);
    this.dividers = new Dividers(record, (divider) => this.#changes.fire({ type: 'divider', divider }));
    const get = (id: string) => this.get(id);
    const openOf = (id: string) => (this.#open?.id === id ? this.#open : null);
    this.reader = new BlockReader(record, get, openOf, () => this.texts);
    const { folder } = record;
    this.search = new BlockSearch({ folder, reader: this.reader, page: (query) => this.page(query) });
    this.texts = new BlockTexts({
      ...{ record, deps },
      derived: (block, derived) => {
        this.reader.forget(block.id);
        this.#keep({ ...(this.#blocks.get(block.id) ?? block), ...derived }, 'change');
      },
    });
    const { id: terminalId, cwd } = record.meta;
    const { nextSeq, before } = from;
    this.#state = initialBlockState({ terminalId, nextSeq, startOffset: record.size, cwd, before });
    record.onGap((gap) =>
      this.#divide('gap', gap.atMs, `${gap.toOffset - gap.fromOffset} bytes could not be recorded: ${gap.reason}`),
    );
  }

  get runningId(): string | null {
    return this.running?.id ?? null;
  }

  /** The running command, or null. */
  get running(): Block | null {
    return this.#state.open?.kind === 'command' ? this.#state.open : null;
  }

  /** True if output now belongs to no block, but to the prompt or the command line. False until a shell has shown its first prompt. */
  get isBetween(): boolean {
    return this.#state.open === null && this.#state.phase !== 'start';
  }

  /** Start of the open block's output. */
  get openedAt(): number | null {
    return this.#state.open?.rawStart ?? null;
  }

  /** A client's line was sent, and the shell has neither started it nor drawn a prompt since. */
  get isClientStarting(): boolean {
    const { submitted } = this.#state;
    return submitted?.blockId !== undefined && submitted.isPassed !== true;
  }

  /** What keys came before: after the shell announced its prompt, and in a line that an earlier core saw. */
  get keysBefore(): Pick<BlockState, 'isTouched' | 'isLineBegun'> {
    return this.#state;
  }

  get lastSeq(): number {
    return this.#state.nextSeq - 1;
  }

  /** A shell starts at `offset`: resets the state machine, but block numbers continue. */
  started(offset: number, isRestored: boolean, nowMs: number): void {
    const { terminalId, nextSeq } = this.#state;
    this.#state = initialBlockState({ terminalId, nextSeq, startOffset: offset, cwd: this.#record.meta.cwd });
    if (isRestored) this.#divide('restored', nowMs, restoredText(this.#record.meta.cwd));
  }

  take(event: TerminalEvent, now: Moment): void {
    if (event.type === 'screenCleared') this.dividers.cleared(this.#state.open, this.lastSeq, now.atMs);
    if (isBlockEvent(event)) this.#reduce(event, now);
  }

  textRead(blockId: string, cmd: string | null, now: Moment, source: TextSource = 'screen'): void {
    if (cmd !== null || !this.#blocks.isKeptOut(blockId)) this.#reduce({ type: 'text', blockId, cmd, source }, now);
  }

  /** Another shell, or a remote, has taken over the terminal. May be called repeatedly. */
  nested(program: string, now: Moment): void {
    if (this.#state.open?.nested === undefined) this.#reduce({ type: 'nested', program }, now);
  }

  typed(keys: string, now: Moment): void {
    this.#reduce({ type: 'input', keys }, now);
  }

  submitted(cmd: string, now: Moment, by: { actor: string; blockId?: string } = { actor: 'user' }): void {
    this.#reduce({ type: 'submit', cmd, ...by }, now);
  }

  givenUp(blockId: string, now: Moment): void {
    this.#reduce({ type: 'givenUp', blockId }, now);
  }

  /** True if the line of that block was sent, and the shell has drawn a prompt since without beginning it. */
  isPassed(blockId: string): boolean {
    const { submitted } = this.#state;
    return submitted?.blockId === blockId && submitted.isPassed === true;
  }

  noMarks(now: Moment): void {
    this.#reduce({ type: 'noMarks', at: this.#record.size }, now);
  }

  shellExited({ exitCode, signal }: PtyExit, now: Moment): void {
    this.#reduce({ type: 'exit', at: this.#record.size, exitCode, signal }, now);
    const how = signal === null ? `exit ${exitCode ?? 'unknown'}` : signal;
    this.#divide('exited', now.atMs, how);
  }

  /** Call this after processing the output of an adopted shell. */
  caughtUp({ atMs: endedMs }: Moment): void {
    for (const block of this.#blocks.lost(this.#state.open?.id))
      this.#keep({ ...block, status: 'interrupted', endedBy: 'recovery', endedMs, rawEnd: this.#record.size }, 'close');
  }

  async get(id: string): Promise<Block | null> {
    return this.#state.open?.id === id ? this.#state.open : this.#log.get(id);
  }

  page(query: BlockPageQuery): Promise<{ blocks: Block[]; more: boolean }> {
    const { open, nextSeq } = this.#state;
    return this.#log.page(query, { nextSeq, open: open && this.#current(open) });
  }

  async *follow(signal?: AbortSignal): AsyncGenerator<BlockChange> {
    yield* follow(this.#changes.on, () => [], signal, this.#ended.signal);
  }

  async setBookmarked(id: string, bookmarked: boolean): Promise<void> {
    const block = await this.get(id);
    if (!block) throw new Error(`No block "${id}" in terminal "${this.#record.meta.id}"`);
    if (this.#state.open?.id === id) this.#state = { ...this.#state, open: { ...this.#state.open, bookmarked } };
    this.#keep({ ...this.#current(block), bookmarked }, 'change');
  }

  /** Writes the times of all output so far; every other file is always up to date. */
  flush(): void {
    this.#record.flush();
  }

  /** Resolves when every block is on disk. */
  async close(): Promise<void> {
    this.#counting?.dispose();
    await this.texts.close();
    await this.#log.close();
    this.#ended.abort();
    this.#changes.dispose();
  }

  #reduce(input: BlockInput, now: Moment): void {
    if (blockSeq(this.#newId) !== this.#state.nextSeq)
      this.#newId = newBlockId(this.#state.nextSeq, this.#deps.randomId(3));
    const [state, effects] = reduceBlock(this.#state, input, { ...now, newId: this.#newId });
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: BlockEffect): void {
    switch (effect.type) {
      case 'open':
        return this.#opened(effect.block);
      case 'output':
        return this.#grew(effect.bytes);
      case 'backfill':
        return this.#backfilled(effect);
      case 'change':
        return this.#changed(effect.block);
      case 'close':
        return this.#closed(effect.block);
      case 'event':
        return this.#record.write(effect.record);
    }
  }

  #opened(block: Block): void {
    const { cols } = this.#record.meta;
    const opened = this.#blocks.begun({ ...block, cols, ...(this.branch !== null && { gitBranch: this.branch }) });
    this.#state = { ...this.#state, open: opened };
    this.#open = new OpenBlock(opened, this.#record.folder, { ...this.#deps, kept: this.#blocks.keptIndex(opened.id) });
    this.#keep(opened, 'open');
  }

  #grew(bytes: Uint8Array): void {
    this.#open?.append(bytes);
    this.dividers.printed(bytes);
    this.#counting ??= this.#deps.clock.after(COUNTERS_EVERY_MS, () => this.#tellCounters());
  }

  /** Takes bytes from before the block was known, reading them from the record. */
  #backfilled({ from, to }: { from: number; to: number }): void {
    const bytes = this.#record.readRecent(from, to);
    if (bytes) this.#open?.append(bytes);
  }

  #tellCounters(): void {
    this.#counting = null;
    const { open } = this.#state;
    if (!open || !this.#open) return;
    const { id: blockId, outputBytes } = open;
    this.#changes.fire({ type: 'output', blockId, outputBytes, outputLines: this.#open.lines });
  }

  #closed(block: Block): void {
    const text = this.#open;
    this.#open = null;
    this.dividers.closed(block);
    if (!text) return this.#keep(block, 'close');
    const ended = text.end();
    const addressed = block.addressed || text.mayHaveImages;
    const closed = this.#blocks.ended({ ...block, outputLines: text.lines, addressed });
    this.#keep(closed, 'close');
    this.#deps.history.add(closed);
    const needsFiles = !closed.ephemeral && text.isUnwritten;
    const derived = this.texts.ended(closed, { written: ended, needsFiles });
    detach('BlockStore', Promise.all([ended, derived]));
  }

  /** A command may become known after its end, and with it whether the block is kept at all. */
  #changed(reduced: Block): void {
    const wasKept = this.#blocks.get(reduced.id)?.ephemeral === false;
    const block = this.#blocks.changed(reduced);
    this.#keep(block, 'change');
    if (block.rawEnd === null) return;
    this.#deps.history.add(block);
    if (!wasKept) detach('BlockStore', this.texts.repair([block]));
  }

  #keep(block: Block, change: 'open' | 'change' | 'close'): void {
    this.#blocks.put(block, this.#state.open?.id);
    if (!block.ephemeral && !(change === 'open' && this.#blocks.isWritten(block.id)))
      this.#log.append(block, this.lastSeq);
    this.#changes.fire({ type: change, block });
  }

  /** Adds the running block's counters, which are newer in the state than in the memory. */
  #current(block: Block): Block {
    const { open } = this.#state;
    if (!open || open.id !== block.id) return block;
    return { ...open, outputLines: this.#open?.lines ?? open.outputLines };
  }

  #divide(kind: Divider['kind'], atMs: number, text: string): void {
    this.dividers.put({ kind, afterSeq: this.lastSeq, atMs, text });
  }
}
