import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ListedTheme, Theme } from '../contract/theme.ts';
import { BUILTIN_THEMES, ownTheme } from '../shared/themes/builtinThemes.ts';

/** The built-in themes and the imported ones, each a JSON file in the data folder's `themes/`. */
export class ThemeStore {
  readonly #folder: string;
  #imported: readonly Theme[] = [];

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, 'themes');
  }

  /** Reads the folder again: the command line writes to it too. A file that is no theme is left out. */
  async list(): Promise<ListedTheme[]> {
    this.#imported = await this.#read();
    return [
      ...BUILTIN_THEMES.map((theme) => ({ ...theme, isImported: false })),
      ...this.#imported.map((theme) => ({ ...theme, isImported: true })),
    ];
  }

  /** As of the last `list`; our own theme of that kind where `id` names none of that kind. */
  find(kind: Theme['kind'], id: string): Theme {
    const all = [...BUILTIN_THEMES, ...this.#imported];
    return all.find((theme) => theme.id === id && theme.kind === kind) ?? ownTheme(kind);
  }

  async #read(): Promise<Theme[]> {
    const names = await readdir(this.#folder).catch(() => []); // nothing was imported yet
    const themes: Theme[] = [];
    for (const name of names.filter((entry) => entry.endsWith('.json')).sort()) {
      const theme = await readTheme(join(this.#folder, name));
      if (theme && `${theme.id}.json` === name) themes.push(theme);
    }
    return themes;
  }
}

async function readTheme(path: string): Promise<Theme | undefined> {
  try {
    return Theme.safeParse(JSON.parse(await readFile(path, 'utf8'))).data;
  } catch {
    return undefined; // unreadable or no JSON: a file of somebody else
  }
}
