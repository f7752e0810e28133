import type { ExtractedMessage, Extraction } from '../../../contract/chat/extractor.ts';
import { unfinished } from './doubts.ts';

/** What programs say of an answer that was stopped, or is asked for once more. */
const CUT = /^(?:\w+ )?(?:was )?(?:interrupted|cancel?led|aborted)\b|\bretrying request\b/i;

/** Marks answers that the program says were cut short right below them. */
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
