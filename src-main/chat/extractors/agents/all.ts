import type { IExtractor } from '../../../contract/extractor.ts';
import { claude } from './claude.ts';
import { generic } from './generic.ts';

/** Every extractor there is, one line each. */
export const EXTRACTORS: readonly IExtractor[] = [claude];
/** For an agent that none of them recognises. */
export const FALLBACK: IExtractor = generic;
