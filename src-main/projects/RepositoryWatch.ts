import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkTree } from '../store/record/gitBranch.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { detach } from '../util/strayErrors.ts';
import { refsFolder } from './readProject.ts';

/** Git writes one of these when a commit, the index, a branch or its upstream changes; locks come and go before. */
const TELLING = /^(?:HEAD|index|packed-refs|FETCH_HEAD|config)$/;
/** Folders of refs that are watched: one for each remote, and one for each `fix/` of branches. The index and HEAD cover most changes of others. */
const MAX_FOLDERS = 32;

/** Calls `onChange` when git has changed a repository. Folders that cannot be watched are left out: other causes refresh them too. */
export class RepositoryWatch implements IDisposable {
  readonly #tree: WorkTree;
  readonly #onChange: () => void;
  /** By folder. */
  readonly #watchers = new Map<string, FSWatcher>();
  #isDisposed = false;

  constructor(tree: WorkTree, onChange: () => void) {
    this.#tree = tree;
    this.#onChange = onChange;
    this.refresh();
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const folder of [...this.#watchers.keys()]) this.#remove(folder);
  }

  /** Git makes and removes folders of refs: with the first push to a remote, with the first branch of a prefix. */
  refresh(): void {
    detach('RepositoryWatch', this.#refresh());
  }

  async #refresh(): Promise<void> {
    const { gitFolder } = this.#tree;
    this.#add(gitFolder, TELLING);
    const common = await refsFolder(this.#tree);
    const refs = await foldersIn([join(common, 'refs', 'heads'), join(common, 'refs', 'remotes')]);
    const wanted = new Set([gitFolder, common, ...refs]);
    for (const folder of [...this.#watchers.keys()]) if (!wanted.has(folder)) this.#remove(folder);
    this.#add(common, TELLING);
    for (const folder of refs) this.#add(folder, /^(?!.*\.lock$)/);
  }

  #add(folder: string, telling: RegExp): void {
    if (this.#isDisposed || this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null || telling.test(name)) this.#onChange();
      });
      watcher.on('error', () => this.#remove(folder)); // the folder is gone
      this.#watchers.set(folder, watcher);
    } catch {
      // no such folder, or the system's limit of watches is reached
    }
  }

  #remove(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}

/** These folders and those in them, the outer ones first, up to the limit. */
async function foldersIn(outer: readonly string[]): Promise<string[]> {
  const found = [...outer];
  for (const folder of found) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // there is no such folder
    for (const entry of entries)
      if (entry.isDirectory() && found.length < MAX_FOLDERS) found.push(join(folder, entry.name));
  }
  return found;
}
