import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';

const MAX_ANSWERS = 200;

/** What the composer can complete in one directory: files, programs on PATH, branches. Reads the disk, runs nothing. */
export class PlainCompletion {
  readonly #cwd: string;
  readonly #path: string;

  constructor(cwd: string, path: string) {
    this.#cwd = cwd;
    this.#path = path;
  }

  /** Paths that continue `word`, written the way it was begun (`~`, relative, absolute); folders end in a slash. */
  async files(word: string): Promise<string[]> {
    const folder = word.endsWith('/') ? word : `${dirname(word)}/`;
    const shown = word.includes('/') ? (folder === '//' ? '/' : folder) : '';
    const start = word.endsWith('/') ? '' : basename(word);
    const entries = await readdir(this.#resolve(shown || '.'), { withFileTypes: true }).catch(() => []); // no such folder: nothing to offer
    const names = await Promise.all(
      entries
        .filter(({ name }) => name.startsWith(start) && (start.startsWith('.') || !name.startsWith('.')))
        .slice(0, MAX_ANSWERS)
        .map(async (entry) =>
          (await this.#isFolder(shown, entry)) ? `${shown}${entry.name}/` : `${shown}${entry.name}`,
        ),
    );
    return names.sort();
  }

  async commands(word: string): Promise<string[]> {
    const found = new Set<string>();
    for (const folder of this.#path.split(delimiter)) {
      if (!isAbsolute(folder)) continue;
      const names = await readdir(folder).catch(() => []); // a PATH entry that does not exist is usual
      for (const name of names) if (name.startsWith(word)) found.add(name);
    }
    return [...found].sort().slice(0, MAX_ANSWERS);
  }

  async branches(word: string): Promise<string[]> {
    const git = await this.#gitFolder();
    if (!git) return [];
    const heads = join(git, 'refs/heads');
    const loose = await readdir(heads, { recursive: true, withFileTypes: true }).catch(() => []); // a repository may have packed refs only
    const packed = await readFile(join(git, 'packed-refs'), 'utf8').catch(() => ''); // or none packed
    const names = [
      ...loose
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(heads.length + 1)),
      ...[...packed.matchAll(/^[0-9a-f]+ refs\/heads\/(.+)$/gm)].map(([, name = '']) => name),
    ];
    return [...new Set(names)]
      .filter((name) => name.startsWith(word))
      .sort()
      .slice(0, MAX_ANSWERS);
  }

  async #isFolder(
    shown: string,
    entry: { name: string; isDirectory(): boolean; isSymbolicLink(): boolean },
  ): Promise<boolean> {
    if (!entry.isSymbolicLink()) return entry.isDirectory();
    const target = await stat(join(this.#resolve(shown || '.'), entry.name)).catch(() => null); // a dangling link is no folder
    return target?.isDirectory() ?? false;
  }

  #resolve(path: string): string {
    if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(1));
    return resolve(this.#cwd, path);
  }

  async #gitFolder(): Promise<string | null> {
    for (let folder = this.#cwd; ; folder = dirname(folder)) {
      const git = join(folder, '.git');
      const found = await stat(git).catch(() => null); // not here: look above
      if (found?.isDirectory()) return git;
      if (folder === dirname(folder)) return null;
    }
  }
}
