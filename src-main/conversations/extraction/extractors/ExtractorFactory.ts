import type { ChatSnapshot, IExtractor } from '../../../contract/chat/extractor.ts';
import { EXTRACTORS, FALLBACK } from './agents/all.ts';
import { GENERIC_AGENTS } from './agents/generic.ts';

/** What a hint of the right name is worth beside what the screen shows. */
const HINT = 0.5;

/** Knows the extractors and which one is for a screen. */
export class ExtractorFactory {
  readonly #extractors: readonly IExtractor[];

  constructor(extractors: readonly IExtractor[] = EXTRACTORS) {
    this.#extractors = extractors;
  }

  /** All but the generic one. */
  get all(): readonly IExtractor[] {
    return this.#extractors;
  }

  /** Those that a command line can start, also agents whose screens nobody has described. */
  get programs(): readonly IExtractor[] {
    return [...this.#extractors, ...GENERIC_AGENTS];
  }

  /** The extractor called `name`, null when there is none. */
  byName(name: string): IExtractor | null {
    return [...this.programs, FALLBACK].find((extractor) => extractor.name === name) ?? null;
  }

  /** The one that recognises `snapshot` best; `hint` is a name from elsewhere, such as the process tree. A generic one when no other does. */
  choose(snapshot: ChatSnapshot, hint?: string): IExtractor {
    let best = GENERIC_AGENTS.find(({ name }) => name === hint) ?? FALLBACK;
    let bestScore = 0;
    for (const extractor of this.#extractors) {
      const score = extractor.recognise(snapshot) + (extractor.name === hint ? HINT : 0);
      if (score > bestScore) [best, bestScore] = [extractor, score];
    }
    return best;
  }
}
