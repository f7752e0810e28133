import type { ExtractedMessage, Extraction } from '../../../contract/chat/extractor.ts';
import { unfinished } from './doubts.ts';

/** Programs print this below an answer that was stopped or is requested again. */
const CUT = /^(?:\w+ )?(?:was )?(?:interrupted|cancel?led|aborted)\b|\bretrying request\b/i;

/** Marks answers that the program reports as cut short directly below them. */
export function withCutShort(extraction: Extraction): Extraction {
  const { messages } = extraction;
  const isCut = ({ kind }: ExtractedMessage, at: number) => {
    const next = messages.slice(at + 1).find((other) => other.kind !== 'permission');
    return kind === 'model' && next?.kind === 'notice' && CUT.test(next.text);
  };
  if (!messages.some(isCut)) return extraction;
  return {
    ...extraction,
    messages: messages.map((own, at) =>
      isCut(own, at) ? { ...own, doubt: own.doubt ?? unfinished(own.text), isStopped: true } : own,
    ),
  };
}
