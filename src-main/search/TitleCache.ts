import { PAST_ID } from '../contract/pastId.ts';
import type { SearchHit } from '../contract/search.ts';
import { pastTitles } from '../store/past/pastHits.ts';
import { titleOf } from '../store/record/retention.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';

/** Titles of terminals, read once per search. */
export class TitleCache {
  readonly #dataFolder: string;
  readonly #known = new Map<string, string>();

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
  }

  /** Titles by terminal; for imported conversations, by conversation. */
  async of(hits: readonly SearchHit[]): Promise<Record<string, string>> {
    const past = hits.flatMap((hit) =>
      hit.terminalId === PAST_ID && hit.type === 'message' ? [hit.conversationId] : [],
    );
    const titles = pastTitles(this.#dataFolder, new Set(past));
    for (const { terminalId: id } of hits) {
      if (id === PAST_ID) continue;
      const title = this.#known.get(id) ?? (await titleOf(new SessionFolder(this.#dataFolder, id)));
      this.#known.set(id, title);
      titles[id] = title;
    }
    return titles;
  }
}
