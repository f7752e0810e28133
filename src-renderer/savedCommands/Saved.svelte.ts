import type {
  CommandsImport,
  SavedCommand,
  SavedCommandList,
  SaveVerdict,
} from '../../src-main/contract/savedCommand.ts';
import type { Rpc } from '../rpc/Rpc.ts';
import type { ListedCommand } from './matchSaved.ts';

/** What the sheet edits: a new command or a saved one. */
export interface Edited {
  command: SavedCommand;
  /** The name under which it is saved; null for a new one. */
  replaces: string | null;
}

const NOTHING: SavedCommandList = { commands: [], path: '', problem: null, project: null };

/** As many as one request takes (MAX_IMPORTED_FILES of the contract, which would bring zod into the window). */
const MAX_FILES = 200;

/** The saved commands as the window shows them: the person's own, and those of the project that the active terminal is in. */
export class Saved {
  readonly #rpc: Rpc['saved'];
  /** Whose project is listed. */
  readonly #terminalId: () => string | null;
  isOpen = $state(false);
  edited = $state.raw<Edited | null>(null);
  list = $state.raw<SavedCommandList>(NOTHING);
  /** Every command that may be used, the person's own first. */
  readonly all = $derived<readonly ListedCommand[]>([
    ...this.list.commands.map((command) => ({ ...command, from: 'own' as const })),
    ...(this.list.project?.state === 'trusted' ? this.list.project.commands : []).map((command) => ({
      ...command,
      from: 'project' as const,
    })),
  ]);
  /** Only the answer to the latest question counts. */
  #asked = 0;
  #listedFor: string | null = null;

  constructor(rpc: Rpc['saved'], terminalId: () => string | null) {
    this.#rpc = rpc;
    this.#terminalId = terminalId;
  }

  /** Reads the lists again: the command line and editors write to them too. Rejects when the core does not answer. */
  async load(): Promise<void> {
    const asked = ++this.#asked;
    const terminalId = this.#terminalId();
    try {
      const list = await this.#rpc.list({ terminalId });
      if (asked !== this.#asked) return;
      this.list = list;
      this.#listedFor = terminalId;
    } catch (error) {
      // The project of another terminal may be another one.
      if (asked === this.#asked && terminalId !== this.#listedFor) this.list = { ...this.list, project: null };
      throw error;
    }
  }

  /** Opens the sheet, and in it the form for a command if one is given. */
  open(edited: Edited | null = null): void {
    this.edited = edited;
    this.isOpen = true;
  }

  close(): void {
    this.isOpen = false;
    this.edited = null;
  }

  async save({ command, replaces }: Edited): Promise<SaveVerdict> {
    const verdict = await this.#rpc.save({ command, replaces });
    if (verdict.ok) await this.load();
    return verdict;
  }

  /** Takes a command out of the list; the answer brings it back. Null: it was gone. */
  async remove(name: string): Promise<(() => Promise<void>) | null> {
    const removed = await this.#rpc.remove({ name });
    await this.load();
    if (!removed) return null;
    return async () => {
      const verdict = await this.#rpc.restore(removed);
      await this.load();
      if (!verdict.ok) throw new Error(verdict.reason);
    };
  }

  /** Any number of files: one request takes a part of them. */
  async importFiles(files: { name: string; text: string }[], replace: boolean): Promise<CommandsImport> {
    const all: CommandsImport = { added: [], replaced: [], same: [], kept: [], refused: [] };
    for (let from = 0; from < files.length; from += MAX_FILES) {
      const part = await this.#rpc.importFiles({ files: files.slice(from, from + MAX_FILES), replace });
      all.added.push(...part.added);
      all.replaced.push(...part.replaced);
      all.same.push(...part.same);
      all.kept.push(...part.kept);
      all.refused.push(...part.refused);
    }
    await this.load();
    return all;
  }

  /** The person's yes to the project's list. False when the file has changed since they were asked. */
  async trust(asked: { path: string; sha256: string }): Promise<boolean> {
    const isTrusted = await this.#rpc.trust(asked);
    await this.load();
    return isTrusted;
  }
}
