import { readingWords, versionWords } from '../../../contract/chat/versionWords.ts';
import type { ChatDocument } from './ChatDocument.ts';
import { spanOf } from './times.ts';

/** The facts below the title, one per string. */
export function factsOf({ conversation, redactions, timeZone }: ChatDocument): string[] {
  const { cwd, startedMs, updatedMs, endedMs, messages, verified, verifiable, terminalId } = conversation;
  const doubt = readingWords(conversation);
  return [
    versionWords(conversation),
    ...(cwd === null ? [] : [cwd]),
    spanOf(startedMs, endedMs ?? updatedMs, timeZone),
    counted(messages, 'message'),
    ...(doubt === null ? [] : [doubt]),
    ...(verified === 0 ? [] : [`${verified} of ${verifiable} confirmed by the agent’s own log`]),
    ...(redactions === null
      ? []
      : [redactions === 0 ? 'no secrets found' : `${counted(redactions, 'secret')} redacted`]),
    `terminal ${terminalId}`,
  ];
}

export function titleOf({ conversation }: ChatDocument): string {
  return conversation.title === '' ? `A conversation with ${conversation.label}` : conversation.title;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
