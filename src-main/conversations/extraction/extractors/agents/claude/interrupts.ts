import type { ChatTool } from '../../../../../contract/chat/chat.ts';
import type { ExtractedMessage } from '../../../../../contract/chat/extractor.ts';

/** How a call ended, as its result shows if its bullet does not. */
const OUTCOMES: readonly { match: RegExp; status: NonNullable<ChatTool['status']> }[] = [
  { match: /^Interrupted\b/, status: 'interrupted' },
  {
    match: /^(?:User rejected|Rejected (?:write|update|edit)s? to\b|No \(tell Claude|Tool use rejected)/,
    status: 'denied',
  },
];

/** Adds to calls how they ended, from their results. An interruption without a call above it is the program's note on the answer above. */
export function withOutcomes(messages: readonly ExtractedMessage[]): ExtractedMessage[] {
  return messages.map((message, at) => {
    const next = messages[at + 1];
    const call = messages[at - 1]?.tool;
    if (message.kind === 'toolResult' && isOutcome(message) && (!call || call.status === 'denied'))
      return { ...message, kind: 'notice' };
    if (!message.tool || message.tool.status === 'denied' || next?.kind !== 'toolResult') return message;
    const outcome = OUTCOMES.find(({ match }) => match.test(next.text));
    return outcome ? { ...message, tool: { ...message.tool, status: outcome.status } } : message;
  });
}

function isOutcome({ text }: ExtractedMessage): boolean {
  return OUTCOMES.some(({ match }) => match.test(text));
}
