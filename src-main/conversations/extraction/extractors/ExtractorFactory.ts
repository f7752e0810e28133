import type { ChatSnapshot, IExtractor } from '../../../contract/chat/extractor.ts';
import { EXTRACTORS, FALLBACK } from './agents/all.ts';
import { GENERIC_AGENTS } from './agents/generic.ts';

/** Score of a matching hint, added to the screen's score. */
const HINT = 0.5;

/** Holds the extractors and chooses one for a screen. */
export class ExtractorFactory {
  readonly #extractors: readonly IExtractor[];

  constructor(extractors: readonly IExtractor[] = EXTRACTORS) {
    this.#extractors = extractors;
  }

  /** All but the generic one. */
  get all(): readonly IExtractor[] {
    return this.#extractors;
  }

  /** All that a command line can start, including agents whose screens are not described. */
  get programs(): readonly IExtractor[] {
    return [...this.#extractors, ...GENERIC_AGENTS];
  }

  /** The extractor called `name`; null if it does not exist. */
  byName(name: string): IExtractor | null {
    return [...this.programs, FALLBACK].find((extractor) => extractor.name === name) ?? null;
  }

  /** The extractor that recognises `snapshot` best, or a generic one. `hint`: a name from elsewhere, for example from the process tree. */
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
