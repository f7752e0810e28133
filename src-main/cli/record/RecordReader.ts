import { lstatSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Block } from '../../contract/block.ts';
import type { TerminalView } from '../../contract/terminal.ts';
import { machineOf, withoutMachine } from '../../shared/machineIds.ts';
import { readMetaAsIs, readTabs } from '../../store/files/readAsIs.ts';
import { type ReadFault, readFaultOf } from '../../store/files/readFault.ts';
import { resolveDataFolder } from '../../store/instance/dataFolder.ts';
import { listTerminals } from '../../store/record/listTerminals.ts';
import { asEnded, readBlocks } from '../../store/record/readBlocks.ts';
import { SessionFolder } from '../../store/record/SessionFolder.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { count } from '../print/formatFigures.ts';
import { remark } from '../print/output.ts';
import { type CoreFound, LiveCore } from './LiveCore.ts';
import { byNewest, type ListedRow, rowOfFolder, rowOfMeta, rowOfView, type TerminalRow } from './TerminalRow.ts';

/** Each page is larger by this factor, so that the newest blocks load fast and a full search needs few pages. */
const PAGE_GROWTH = 10;
const FIRST_PAGE = 50;

export function currentDataFolder(): string {
  return resolveDataFolder(process.env, process.platform, homedir());
}

/**
 * The whole record of a data folder: from the running core for terminals in tabs, from the files for all others, or for all without a core. Writes
 * nothing but the catalogue of terminals and never takes the lock. The owner disposes it.
 *
 * Commands that a person kept out of the record (`ephemeral`) are only on their card, so they are not returned here either.
 */
export class RecordReader implements IDisposable {
  readonly dataFolder: string;
  readonly #found: CoreFound;
  readonly #faults = new Map<string, string>();
  readonly #unreached = new Set<string>();
  #views: Promise<ReadonlyMap<string, TerminalView>> | null = null;
  #listed: Promise<readonly ListedRow[]> | null = null;

  private constructor(dataFolder: string, found: CoreFound) {
    this.dataFolder = dataFolder;
    this.#found = found;
  }

  /** Rejects with a CliError if the path is not a folder. A missing folder is an empty record. */
  static async open(dataFolder = currentDataFolder()): Promise<RecordReader> {
    if (statSync(dataFolder, { throwIfNoEntry: false })?.isDirectory() === false) {
      throw new CliError(
        `the data folder ${dataFolder} is not a folder. Set HANSARD_HOME to one, or move the file away.`,
        EXIT.noInput,
      );
    }
    return new RecordReader(dataFolder, await LiveCore.find(dataFolder));
  }

  get core(): LiveCore | null {
    return this.#found.status === 'ok' ? this.#found.core : null;
  }

  /** Why a running core was not used; null if it was, or if there is none. */
  get silence(): string | null {
    if (this.#found.status !== 'silent') return null;
    return `Hansard runs (process ${this.#found.pid}) but ${this.#found.reason}: reading the files instead, which may be behind`;
  }

  /** Lists the unreadable files on stderr and sets the exit code. */
  dispose(): void {
    this.core?.dispose();
    for (const sentence of this.#unreached) remark(sentence);
    for (const [path, reason] of this.#faults) remark(`${path} ${reason}; the rest was read.`);
    if (this.#faults.size === 0) return;
    remark('`hansard doctor` suggests a fix.');
    process.exitCode = EXIT.dataErr;
  }

  /** Notes a part of the record that could not be read, once for each path. */
  note({ path, reason }: ReadFault): void {
    this.#faults.set(path, reason);
  }

  /** Notes, as a sentence, that a machine could not be asked: an everyday state, so the exit code stays. */
  noteUnreached(sentence: string): void {
    this.#unreached.add(sentence);
  }

  /** Notes an error of a terminal's files, so that the others can still be read; throws any other error. */
  passOver(error: unknown, terminalId: string): void {
    const fault = machineOf(terminalId) === null ? readFaultOf(error, this.folder(terminalId).root) : null;
    if (!fault) throw error;
    this.note(fault);
  }

  /** Throws a CliError for a terminal of another machine, whose files are there. */
  folder(terminalId: string): SessionFolder {
    if (machineOf(terminalId) !== null)
      throw new CliError(
        `the files of ${terminalId} are on its machine (\`hansard hosts\`). Run the command there, with the id ${withoutMachine(terminalId)}.`,
        EXIT.noInput,
      );
    return new SessionFolder(this.dataFolder, terminalId);
  }

  /** Terminals in tabs first, in their order; then the closed ones, last used first. */
  listed(): Promise<readonly ListedRow[]> {
    this.#listed ??= this.#list();
    return this.#listed;
  }

  /** The one used last. Other machines are asked for the last commands of their terminals, because their files are there. */
  async newest<T extends ListedRow>(listed: readonly T[]): Promise<T | undefined> {
    const used = await Promise.all(listed.map(async (row) => ({ row, id: row.id, usedMs: await this.#usedMs(row) })));
    return used.sort(byNewest)[0]?.row;
  }

  /** The full rows of listed terminals; reads files of each. */
  rows(listed: readonly ListedRow[]): Promise<TerminalRow[]> {
    return Promise.all(listed.map((one) => this.#rowOf(one)));
  }

  /** The blocks of a terminal from the newest on, in pages in the order of seq. `beforeSeq` leaves out newer ones. */
  async *pages(
    terminal: ListedRow,
    { limit = FIRST_PAGE, beforeSeq = Number.MAX_SAFE_INTEGER } = {},
  ): AsyncGenerator<Block[]> {
    let before = beforeSeq;
    for (let size = limit; ; size *= PAGE_GROWTH) {
      const { blocks, more } = await this.#page(terminal, size, before);
      yield blocks.filter(({ ephemeral }) => !ephemeral);
      const first = blocks[0];
      if (!more || !first) return;
      before = first.seq;
    }
  }

  /** Whether the terminal may be written now, by a core that has it in a tab or by a recorder. */
  isWritten({ state }: ListedRow): boolean {
    if (state === 'saved') return this.#found.status !== 'none';
    return state !== 'closed';
  }

  async #list(): Promise<ListedRow[]> {
    const views = await this.#viewsById();
    const tabs = this.core ? [...views.keys()] : await readTabs(this.dataFolder);
    const places = new Map(tabs.map((id, at) => [id, at]));
    const { terminals, odd } = listTerminals(this.dataFolder, (id) => places.has(id));
    for (const path of odd) this.note({ path, reason: 'is not a folder, although it has the name of a terminal' });
    const recorded = new Map(terminals.map((one) => [one.id, one]));
    const rows = [...new Set([...views.keys(), ...recorded.keys()])].map((id): ListedRow => {
      const { usedMs = 0, isRecording = false } = recorded.get(id) ?? {};
      const view = views.get(id);
      if (view) return { id, state: view.state, usedMs: Math.max(usedMs, view.createdMs) };
      return { id, state: isRecording ? 'recording' : places.has(id) ? 'saved' : 'closed', usedMs };
    });
    const place = ({ id }: ListedRow): number => places.get(id) ?? tabs.length;
    return rows.sort((a, b) => place(a) - place(b) || byNewest(a, b));
  }

  async #usedMs({ id, usedMs }: ListedRow): Promise<number> {
    if (machineOf(id) === null || !this.core) return usedMs;
    const page = await this.core.blocks(id, 1).catch(() => null); // its machine cannot be asked: it counts by when it was opened
    const last = page?.blocks.at(-1);
    return Math.max(usedMs, last?.endedMs ?? last?.startedMs ?? 0);
  }

  async #rowOf({ id, state, usedMs }: ListedRow): Promise<TerminalRow> {
    const view = (await this.#viewsById()).get(id);
    if (view) return rowOfView(view, usedMs);
    if (state === 'live' || state === 'exited') throw new Error(`No core has the terminal "${id}"`);
    const folder = this.folder(id);
    const meta = await readMetaAsIs(folder);
    if (!meta && lstatSync(folder.meta, { throwIfNoEntry: false }))
      this.note({ path: folder.meta, reason: 'cannot be read' });
    return meta ? rowOfMeta(meta, state, usedMs) : rowOfFolder(id, state, usedMs);
  }

  #viewsById(): Promise<ReadonlyMap<string, TerminalView>> {
    this.#views ??= (this.core?.terminals() ?? Promise.resolve([])).then(
      (views) => new Map(views.map((view) => [view.id, view])),
    );
    return this.#views;
  }

  async #page(terminal: ListedRow, limit: number, beforeSeq: number): Promise<{ blocks: Block[]; more: boolean }> {
    if (this.core && (terminal.state === 'live' || terminal.state === 'exited'))
      return this.core.blocks(terminal.id, limit, beforeSeq);
    const folder = this.folder(terminal.id);
    const { blocks, isFirst, badLines } = await readBlocks(folder, { limit, beforeSeq });
    if (badLines > 0)
      this.note({ path: folder.blocksJsonl, reason: `has ${count(badLines, 'line')} that cannot be read` });
    const isWritten = terminal.state === 'recording' || (terminal.state === 'saved' && this.#found.status !== 'none');
    const ended = isWritten ? blocks : blocks.map(asEnded);
    return { blocks: ended, more: !isFirst };
  }
}
