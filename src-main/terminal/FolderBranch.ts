import { detach } from '../util/strayErrors.ts';
import type { BlockStore } from './blocks/BlockStore.ts';
import type { TerminalDeps } from './TerminalDeps.ts';
import type { TerminalStatus } from './TerminalStatus.ts';

/** The git branch of the terminal's folder, which its tab and its next blocks show. */
export class FolderBranch {
  readonly #read: TerminalDeps['readBranch'];
  readonly #book: BlockStore;
  readonly #status: TerminalStatus;

  constructor({ readBranch }: Pick<TerminalDeps, 'readBranch'>, book: BlockStore, status: TerminalStatus) {
    this.#read = readBranch;
    this.#book = book;
    this.#status = status;
  }

  /** Call this when the folder, or the branch in it, may be another one. */
  look(): void {
    detach('FolderBranch', this.#look());
  }

  async #look(): Promise<void> {
    const { cwd } = this.#status.view;
    const branch = await this.#read(cwd);
    if (cwd !== this.#status.view.cwd) return;
    this.#book.branch = branch;
    this.#status.branched(branch);
  }
}
