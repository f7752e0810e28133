import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { ExtractedMessage, Extraction } from '../../../contract/chat/extractor.ts';
import { alignMessages } from './alignMessages.ts';
import { likeness } from './likeness.ts';

/** Commands by which the agents begin a new conversation, and by which they make a long one short. */
const CLEARING = /^\/(clear|new|reset)\b/;
const COMPACTING = /^\/(compact|compress)\b/;

type Said = Pick<ExtractedMessage, 'kind' | 'text'>;

export function isClearing({ kind, text }: Said): boolean {
  return kind === 'command' && CLEARING.test(text);
}

export function isCompacting({ kind, text }: Said): boolean {
  return kind === 'command' && COMPACTING.test(text);
}

/**
 * Of a snapshot's messages those of the present conversation, whose log is `log`: on its way from one to the next a screen may
 * still show the one before, and some print everything again at their end. Only the greeting drawn right above belongs to the new one;
 * the command itself where the log has it.
 */
export function sinceClear(
  log: readonly ChatMessage[],
  seen: readonly ExtractedMessage[],
  isAfterClear: boolean,
): readonly ExtractedMessage[] {
  const hasCommand = log.some(isClearing);
  if (!hasCommand && !isAfterClear) return seen;
  let best = seen;
  let most = Number.NEGATIVE_INFINITY;
  seen.forEach((message, at) => {
    if (!isClearing(message)) return;
    const rest = seen.slice(hasCommand ? at : at + 1);
    const { weight } = alignMessages({
      known: log.length,
      seen: rest.length,
      alike: (known, own) => alike(log[known], rest[own]),
    });
    if (weight < most) return;
    most = weight;
    best = hasCommand ? seen.slice(greetedFrom(seen, at)) : rest;
  });
  return best;
}

/** Index of the greeting that stands right above message `at`; `at` where none does. */
function greetedFrom(seen: readonly ExtractedMessage[], at: number): number {
  const from = seen.slice(0, at).findLastIndex(({ kind }) => kind === 'welcome');
  return from >= 0 && seen.slice(from, at).every(isGreeting) ? from : at;
}

/** Of a command that was typed as far as this: the agents' menus complete it. */
export function isClearingDraft(draft: string): boolean {
  return (
    CLEARING.test(draft) || (draft.length > 1 && ['/clear', '/new', '/reset'].some((name) => name.startsWith(draft)))
  );
}

/**
 * An agent that prints nothing of its `/clear` greets as at its start: its greeting, an input box under it, and nothing between,
 * where a conversation stood. What is being drawn has no input box yet; in the box the command itself was not sent yet, while the next
 * prompt may stand there already; and whoever only cleared the screen (Ctrl-L) has typed no command.
 * A printed command begins a conversation by itself. If the present conversation already began with that command, seen or not
 * (`isAfterClear`), the greeting decides here too.
 */
export function isGreetedAnew(
  log: readonly ChatMessage[],
  { messages, state, draft, isCovered }: Extraction,
  isAfterClear: boolean,
): boolean {
  const isGreeted =
    messages.some(({ kind }) => kind === 'welcome') && messages.every((one) => isGreeting(one) || isClearing(one));
  if (!isGreeted || isCovered || state !== 'idle') return false;
  if (draft === undefined || isClearingDraft(draft)) return false;
  const command = log.findLastIndex(isClearing);
  if (messages.some(isClearing) ? command < 0 && !isAfterClear : command >= 0) return false;
  return log.slice(command + 1).some(({ kind }) => kind === 'user' || kind === 'model');
}

/** All that `seen` shows is of the conversation before: nothing of it is news. Two may begin with the same command. */
export function isOfBefore(before: readonly ChatMessage[], seen: readonly ExtractedMessage[]): boolean {
  const said = seen.filter((message) => !isGreeting(message) && !isClearing(message));
  return said.some((message) => before.some((known) => alike(known, message) > 0));
}

export function isGreeting({ kind }: Pick<Said, 'kind'>): boolean {
  return kind === 'welcome' || kind === 'notice';
}

function alike(known: ChatMessage | undefined, seen: ExtractedMessage | undefined): number {
  return known && seen ? likeness(known, seen) : 0;
}
