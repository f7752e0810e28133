import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkTree } from '../store/record/gitBranch.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { detach } from '../util/strayErrors.ts';
import { refsFolder } from './readProject.ts';

/** Git writes one of these whenever a branch, a commit or the index changes; locks come and go before. */
const TELLING = /^(?:HEAD|index|packed-refs|FETCH_HEAD)$/;
/** In a repository with more remotes only the index and HEAD are watched. */
const MAX_REMOTES = 4;

/** Calls `onChange` when git has changed a repository. Folders that cannot be watched are left out: other causes refresh them too. */
export class RepositoryWatch implements IDisposable {
  readonly #onChange: () => void;
  readonly #watchers: FSWatcher[] = [];
  #isDisposed = false;

  constructor(tree: WorkTree, onChange: () => void) {
    this.#onChange = onChange;
    this.#add(tree.gitFolder, TELLING);
    detach('RepositoryWatch', this.#addRefs(tree));
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }

  async #addRefs(tree: WorkTree): Promise<void> {
    const common = await refsFolder(tree);
    const remotes = join(common, 'refs', 'remotes');
    const names = await readdir(remotes).catch(() => []); // no remotes
    const folders = [join(common, 'refs', 'heads'), ...names.slice(0, MAX_REMOTES).map((name) => join(remotes, name))];
    for (const folder of folders) this.#add(folder, /^(?!.*\.lock$)/);
  }

  #add(folder: string, telling: RegExp): void {
    if (this.#isDisposed) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null || telling.test(name)) this.#onChange();
      });
      watcher.on('error', () => watcher.close()); // the folder is gone
      this.#watchers.push(watcher);
    } catch {
      // no such folder, or the system's limit of watches is reached
    }
  }
}
