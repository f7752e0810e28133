import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandSpec } from './spec.ts';

const MAX_KEPT = 40;

/** The specifications that the build wrote, one file per command. A file is read when its command is first completed. */
export class SpecStore {
  readonly #folder: string;
  readonly #known = new Map<string, Promise<CommandSpec | null>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Resolves to null for a command without a specification. */
  load(name: string): Promise<CommandSpec | null> {
    if (!/^[a-z0-9][\w.+-]{0,40}$/i.test(name)) return Promise.resolve(null);
    const known = this.#known.get(name) ?? this.#read(name);
    this.#known.delete(name);
    this.#known.set(name, known);
    for (const old of [...this.#known.keys()].slice(0, -MAX_KEPT)) this.#known.delete(old);
    return known;
  }

  /** Does not validate the files, because our own build wrote them. */
  async #read(name: string): Promise<CommandSpec | null> {
    try {
      return JSON.parse(await readFile(join(this.#folder, `${name}.json`), 'utf8')) as CommandSpec;
    } catch {
      return null; // most commands have no specification
    }
  }
}
