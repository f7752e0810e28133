import type { ChatMessage } from '../../../contract/chat/chat.ts';
import { align, type Pair } from './align.ts';
import { confirmed } from './confirmed.ts';
import type { LogMessage } from './LogMessage.ts';
import { missingMessages } from './missing.ts';
import { isSameText } from './sameText.ts';
import { type ChatUnit, chatUnits, isSameCall, type LogUnit, logUnits, worthOf } from './units.ts';
import { unloggedMessages } from './unlogged.ts';

/** Units compared at once. Of a longer conversation, only the end is compared, without the beginning that is the same. */
const MAX_UNITS = 800;

export interface ReconcileOptions {
  /** The kind of the second source. */
  readonly origin: 'log' | 'hook';
  /** Name of the extractor. */
  readonly agent: string;
  /** When the run began. Earlier messages of the source are not missing. */
  readonly fromMs: number;
  readonly nowMs: number;
  /** The conversation has ended, so later messages of the source are missing and not merely ahead of the screen. */
  readonly isEnded: boolean;
}

/**
 * Compares one conversation's messages, in their order, with a second source. Returns the messages that change, and new messages that only
 * the source has. Marks messages of the screen that an agent log contradicts or lacks. Never replaces a text and never removes a message.
 * Once its result is applied, the same source gives nothing more.
 */
export function reconcile(
  messages: readonly ChatMessage[],
  source: readonly LogMessage[],
  options: ReconcileOptions,
): ChatMessage[] {
  const chat = chatUnits(messages);
  const log = logUnits(source);
  const { pairs, from } = compared(chat, log);
  const changed = pairs.flatMap(([a, b]) => confirmed(chat[a] as ChatUnit, log[b] as LogUnit, options));
  const unlogged = unloggedMessages(chat, { pairs, from }, options);
  return [...changed, ...unlogged, ...missingMessages({ messages, chat, log, pairs }, options)];
}

/** Pairs of units that are one message on both sides. */
export function pairsOf(chat: readonly ChatUnit[], log: readonly LogUnit[]): Pair[] {
  return [...compared(chat, log).pairs];
}

/** The pairs, and the index from which every unit of the chat was compared with all units of the log that it may be. */
function compared(chat: readonly ChatUnit[], log: readonly LogUnit[]): { pairs: readonly Pair[]; from: number } {
  let same = 0;
  while (same < chat.length && same < log.length && isSame(chat[same] as ChatUnit, log[same] as LogUnit)) same += 1;
  const fromChat = Math.max(same, chat.length - MAX_UNITS);
  const fromLog = Math.max(same, log.length - MAX_UNITS);
  const rest = align(chat.length - fromChat, log.length - fromLog, (a, b) =>
    worthOf(chat[fromChat + a] as ChatUnit, log[fromLog + b] as LogUnit),
  );
  const head = Array.from({ length: same }, (_, at): Pair => [at, at]);
  const pairs = [...head, ...rest.map(([a, b]): Pair => [fromChat + a, fromLog + b])];
  const isAll = fromChat === same && fromLog === same;
  return { pairs, from: isAll ? 0 : (pairs[same]?.[0] ?? chat.length) };
}

function isSame(chat: ChatUnit, log: LogUnit): boolean {
  if (worthOf(chat, log) === 0) return false;
  return log.message.kind === 'tool' ? isSameCall(chat, log) : isSameText(chat.text, log.text);
}
