import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ListedTheme, Theme, type ThemeImport } from '../contract/window/theme.ts';
import { BUILTIN_THEMES, ownTheme } from '../shared/themes/builtinThemes.ts';
import { readSmall } from '../store/files/readPiece.ts';
import { replaceFile } from '../store/files/replaceFile.ts';
import { BadThemeFile } from './formats/ThemeFile.ts';

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

  /** As of the last `list`; our own theme of that kind if `id` is unknown. */
  find(kind: Theme['kind'], id: string): Theme {
    const all = [...BUILTIN_THEMES, ...this.#imported];
    return all.find((theme) => theme.id === id && theme.kind === kind) ?? ownTheme(kind);
  }

  /** Stores a theme file of another terminal as ours. Rejects only when the disk refuses. */
  async importFile(fileName: string, text: string): Promise<ThemeImport> {
    try {
      const { parseThemeFile } = await import('./parseThemeFile.ts'); // only now: it brings the parsers
      const theme = parseThemeFile(fileName, text);
      const replaced = (await this.#read()).some(({ id }) => id === theme.id);
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await replaceFile(this.#pathOf(theme.id), `${JSON.stringify(theme, null, 2)}\n`);
      return { ok: true, theme: { ...theme, isImported: true }, replaced };
    } catch (thrown) {
      if (!(thrown instanceof BadThemeFile)) throw thrown;
      return { ok: false, reason: thrown.message };
    }
  }

  /** Deletes an imported theme; one that is not there is gone already. */
  async remove(id: Theme['id']): Promise<void> {
    await rm(this.#pathOf(id), { force: true });
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}.json`);
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
    return Theme.safeParse(JSON.parse(await readSmall(path))).data;
  } catch {
    return undefined; // unreadable, or not JSON
  }
}
