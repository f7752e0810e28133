import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { ExtractedMessage, Extraction } from '../../../contract/chat/extractor.ts';
import { alignMessages } from './alignMessages.ts';
import { likeness } from './likeness.ts';

/** Commands that begin a new conversation, and commands that shorten a long one. */
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
 * Returns the snapshot's messages of the present conversation, whose log is `log`. At the change from one conversation to the next, a
 * screen may still show the previous one, and some agents print everything again when they end. Of the messages above the command, only
 * the greeting directly above it belongs to the new conversation; the command itself does if the log has it.
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

/** Index of the greeting directly above message `at`; `at` if there is no greeting. */
function greetedFrom(seen: readonly ExtractedMessage[], at: number): number {
  const from = seen.slice(0, at).findLastIndex(({ kind }) => kind === 'welcome');
  return from >= 0 && seen.slice(from, at).every(isGreeting) ? from : at;
}

/** Whether `draft` is a clearing command or the beginning of one: the agents' menus complete it. */
export function isClearingDraft(draft: string): boolean {
  return (
    CLEARING.test(draft) || (draft.length > 1 && ['/clear', '/new', '/reset'].some((name) => name.startsWith(draft)))
  );
}

/**
 * Whether an agent that does not print its `/clear` has begun a new conversation: it shows its greeting as at its start with an input box
 * below and nothing between, where a conversation was. A screen that is still being drawn has no input box yet. A command in the box is
 * not sent yet, but the next prompt or command may already be there, with its menu. A person who only clears the screen (Ctrl-L) types no
 * command.
 * A printed command alone begins a conversation. If the present conversation already began with that command, seen or not
 * (`isAfterClear`), the greeting decides here too.
 */
export function isGreetedAnew(
  log: readonly ChatMessage[],
  { messages, state, draft, isCovered }: Extraction,
  isAfterClear: boolean,
): boolean {
  const isGreeted =
    messages.some(({ kind }) => kind === 'welcome') && messages.every((one) => isGreeting(one) || isClearing(one));
  if (!isGreeted || state !== 'idle' || draft === undefined || isClearingDraft(draft)) return false;
  if (isCovered && !draft.startsWith('/')) return false;
  const command = log.findLastIndex(isClearing);
  if (messages.some(isClearing) ? command < 0 && !isAfterClear : command >= 0) return false;
  return log.slice(command + 1).some(({ kind }) => kind === 'user' || kind === 'model');
}

/** Whether `seen` still shows the previous conversation, so nothing in it is new. Both may begin with the same command. */
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
