import type { ExtractedMessage } from '../../../contract/chat/extractor.ts';
import { withoutStub } from '../markdown/cutEnds.ts';

/** The last message of an agent at work. */
export function opened(message: ExtractedMessage): ExtractedMessage {
  const text = message.kind === 'model' ? withoutStub(message.text) : message.text;
  return { ...message, text, isOpen: true };
}
