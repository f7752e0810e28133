import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { Pair } from './align.ts';
import type { LogMessage } from './LogMessage.ts';
import type { ReconcileOptions } from './reconcile.ts';
import type { ChatUnit, LogUnit } from './units.ts';

interface Compared {
  readonly messages: readonly ChatMessage[];
  readonly chat: readonly ChatUnit[];
  readonly log: readonly LogUnit[];
  readonly pairs: readonly Pair[];
}

/** The place of a missing message, between `after` and `before`. */
interface Place {
  readonly after: ChatMessage | null;
  readonly before: ChatMessage | null;
}

/**
 * Returns messages that only the source has. They are missing if messages on both sides of them were found; at the end only once the
 * conversation has ended, because the screen may still show them until then. Without any pair, the source is another conversation's.
 */
export function missingMessages(compared: Compared, options: ReconcileOptions): ChatMessage[] {
  const { messages, chat, log, pairs } = compared;
  if (pairs.length === 0) return [];
  const known = new Set(messages.map(({ id }) => id));
  const ends: readonly Pair[] = [[-1, -1], ...pairs, [chat.length, log.length]];
  return ends.slice(1).flatMap(([a, b], at) => {
    const [lastA, lastB] = ends[at] as Pair;
    if (b === log.length && !options.isEnded) return [];
    const place = placeOf(messages, chat[lastA], chat[a]);
    const missing = log.slice(lastB + 1, b).map(({ message }) => message);
    const wanted = missing.filter(({ atMs }) => atMs !== null && atMs >= options.fromMs);
    return wanted
      .map((message, index) => messageOf(message, place, { ...options, share: (index + 1) / (wanted.length + 1) }))
      .filter(({ id }) => !known.has(id));
  });
}

/** Directly after the previous pair and its result, so that messages that only the screen has come later. */
function placeOf(messages: readonly ChatMessage[], last: ChatUnit | undefined, next: ChatUnit | undefined): Place {
  const after = last ? (last.result ?? last.message) : null;
  const at = after ? messages.indexOf(after) + 1 : next ? messages.indexOf(next.message) : 0;
  return { after: after ?? messages[at - 1] ?? null, before: messages[at] ?? null };
}

function orderIn({ after, before }: Place, share: number): number {
  const low = after?.order ?? (before?.order ?? 1) - 1;
  const high = before?.order ?? low + 1;
  return low + (high - low) * share;
}

function messageOf(message: LogMessage, place: Place, options: ReconcileOptions & { share: number }): ChatMessage {
  const near = (place.after ?? place.before) as ChatMessage;
  const { tool } = message;
  const { rawEnd } = place.after?.provenance ?? { rawEnd: near.provenance.rawStart };
  return {
    id: `${near.conversationId}-${options.origin}-${message.id}`,
    terminalId: near.terminalId,
    conversationId: near.conversationId,
    order: orderIn(place, options.share),
    kind: message.kind === 'tool' ? 'toolCall' : message.kind,
    text: tool ? `${tool.name}(${tool.subject})` : message.text,
    ...(tool && { tool: { name: tool.name, input: tool.subject, ...(tool.status && { status: tool.status }) } }),
    final: true,
    startedMs: message.atMs ?? near.startedMs,
    updatedMs: options.nowMs,
    provenance: { ...near.provenance, rawStart: rawEnd, rawEnd, extractor: options.agent, confidence: 1 },
    actor: near.actor,
    origins: [options.origin],
    ...(tool && { log: { input: tool.input, ...(tool.output !== undefined && { output: tool.output }) } }),
  };
}
