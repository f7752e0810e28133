import { titleOf } from '../store/record/retention.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';

/** What terminals are called, read once for each search. */
export class TitleCache {
  readonly #dataFolder: string;
  readonly #known = new Map<string, string>();

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
  }

  /** By terminal. */
  async of(hits: readonly { readonly terminalId: string }[]): Promise<Record<string, string>> {
    const titles: Record<string, string> = {};
    for (const { terminalId: id } of hits) {
      const title = this.#known.get(id) ?? (await titleOf(new SessionFolder(this.#dataFolder, id)));
      this.#known.set(id, title);
      titles[id] = title;
    }
    return titles;
  }
}
