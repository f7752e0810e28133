import { access, constants, readdir, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** The programs on PATH. Caches the names in each folder until the folder changes. */
export class Programs {
  readonly #folders: readonly string[];
  readonly #known = new Map<string, { changedMs: number; names: ReadonlySet<string> }>();

  constructor(path: string) {
    // A relative entry depends on the current folder, whose files may come from another person.
    this.#folders = [...new Set(path.split(delimiter).filter(isAbsolute))];
  }

  async names(): Promise<Set<string>> {
    const lists = await Promise.all(this.#folders.map((folder) => this.#list(folder)));
    return new Set(lists.flatMap((names) => [...names]));
  }

  /** Returns whether a folder has an executable file with that name. */
  async has(name: string): Promise<boolean> {
    const lists = await Promise.all(this.#folders.map(async (folder) => ({ folder, names: await this.#list(folder) })));
    for (const { folder, names } of lists) if (names.has(name) && (await isProgram(join(folder, name)))) return true;
    return false;
  }

  /** Returns the path of the program, or null. */
  async find(name: string): Promise<string | null> {
    if (name === '' || name.includes('/')) return null;
    for (const folder of this.#folders) if (await isProgram(join(folder, name))) return join(folder, name);
    return null;
  }

  async #list(folder: string): Promise<ReadonlySet<string>> {
    const found = await stat(folder).catch(() => null); // PATH entries often do not exist
    if (!found) return new Set();
    const known = this.#known.get(folder);
    if (known?.changedMs === found.mtimeMs) return known.names;
    const names = new Set(await readdir(folder).catch(() => [])); // the folder cannot be read
    this.#known.set(folder, { changedMs: found.mtimeMs, names });
    return names;
  }
}

/** Returns whether the path is an executable file. */
export async function isProgram(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null); // the file does not exist
  if (!found?.isFile()) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
