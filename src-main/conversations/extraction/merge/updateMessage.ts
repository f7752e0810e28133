import type { ChatDoubt, ChatMessage, ChatTool } from '../../../contract/chat/chat.ts';
import type { ExtractedMessage } from '../../../contract/chat/extractor.ts';
import { frameDoubt } from '../selfCheck.ts';
import { allOf, doubtOf, isReplaceable, isWhole, unfinished } from './doubts.ts';
import { continued, filled, headless, type Joined, withGap } from './joinText.ts';
import { type Restored, withLost } from './lostLines.ts';
import { isAllIn, isThinned } from './pieces.ts';
import { plainWords } from './plainWords.ts';

/** Programs redraw a complete answer in its final layout within this time, ms (recorded: 16). */
const TIDY_MS = 250;

/** Where and when something was read. */
export interface Reading {
  /** Offsets of output.raw between which the news was drawn; `fromAt` is absent if unknown. */
  readonly at: number;
  readonly fromAt?: number;
  readonly atMs: number;
  /** The frame's `seq`. */
  readonly seq: number;
  readonly extractor: string;
  readonly extractorVersion: number;
  /** The actor whose keys asked for it; default: `user`. */
  readonly actor?: string;
}

/** How to take a message that was seen. */
export interface Taking {
  readonly isCovered: boolean;
  readonly isFinal: boolean;
  /** An unknown amount of text is missing between the known text and the seen text. */
  readonly isBehindGap: boolean;
}

/** The ids and the order of a new message. */
export type Named = Pick<ChatMessage, 'id' | 'terminalId' | 'conversationId' | 'order'>;

export function newMessage(named: Named, seen: ExtractedMessage, isFinal: boolean, reading: Reading): ChatMessage {
  const { kind, tool, question, confidence, isHeadCut } = seen;
  const doubt = seen.doubt ?? frameDoubt(seen);
  const { text, hasGap } = isHeadCut ? headless(seen.text) : { text: seen.text, hasGap: seen.hasGap === true };
  return {
    ...named,
    kind,
    text,
    ...(tool && { tool }),
    ...(question && { question: { options: [...question.options] } }),
    final: isFinal,
    startedMs: reading.atMs,
    updatedMs: reading.atMs,
    provenance: {
      rawStart: reading.fromAt ?? reading.at,
      rawEnd: reading.at,
      seq: reading.seq,
      extractor: reading.extractor,
      extractorVersion: reading.extractorVersion,
      confidence,
    },
    actor: reading.actor ?? 'user',
    origins: ['screen'],
    ...(hasGap && { hasGap }),
    ...(doubt && { doubtful: doubt }),
  };
}

/** Adds to `known` what `seen` shows; returns the same object if that is nothing new. */
export function updateMessage(
  known: ChatMessage,
  seen: ExtractedMessage,
  taking: Taking,
  reading: Reading,
): ChatMessage {
  const isFresh = reading.atMs - known.updatedMs < TIDY_MS;
  const joined = textOf(known, seen, { ...taking, isFresh });
  const told = known.kind === 'toolCall' || seen.kind === 'toolCall' ? callOf(known, seen) : { text: joined.text };
  const final = taking.isFinal || (known.final && told.text === known.text);
  const doubt =
    known.kind === 'toolCall'
      ? null
      : (joined.doubt ??
        doubtOf(known, seen, told.text) ??
        contradiction(known, seen, { ...taking, text: told.text }) ??
        frameDoubt({ kind: known.kind, text: told.text }));
  const { hasGap: _, doubtful: __, verified, ...rest } = known;
  const next: ChatMessage = {
    ...rest,
    ...(verified !== undefined && told.text === known.text && { verified }),
    kind: known.final ? known.kind : seen.kind,
    ...told,
    final,
    ...(joined.hasGap && { hasGap: true }),
    ...(doubt && { doubtful: doubt }),
    ...(seen.question && !known.final && { question: { ...known.question, options: [...seen.question.options] } }),
  };
  if (isSame(known, next)) return known;
  return withReading(next, seen, reading);
}

/** Closes a message of which nothing more will be seen. An answer is marked as unfinished, unless it is doubtful already. */
export function closed(message: ChatMessage, reading: Reading): ChatMessage {
  const isCut = message.kind === 'model' && !message.doubtful;
  const { confidence } = message.provenance;
  const told = withReading(message, { confidence }, reading);
  return { ...told, ...(isCut && { doubtful: unfinished(message.text) }), final: true };
}

/**
 * Returns a doubt if a finished answer is kept although a later picture shows it whole and different: a program may draw over text that
 * it has not cleared. Nothing shows which of the two is right.
 */
function contradiction(
  known: ChatMessage,
  seen: ExtractedMessage,
  { text, isCovered, isBehindGap }: Taking & { text: string },
): ChatDoubt | null {
  const isAnswer = known.kind === 'model' && seen.kind === 'model';
  if (!isAnswer || !known.final || text !== known.text || isCovered || isBehindGap || !isWhole(seen)) return null;
  const [a, b] = [plainWords(text), plainWords(seen.text)];
  return a.includes(b) || isThinned(seen.text, text) ? null : allOf(text, 'redrawn');
}

export function withReading(
  message: ChatMessage,
  seen: Pick<ExtractedMessage, 'confidence'>,
  reading: Reading,
): ChatMessage {
  const { at, atMs, seq, extractor, extractorVersion } = reading;
  const { rawStart, rawEnd } = message.provenance;
  const provenance = {
    rawStart,
    rawEnd: Math.max(rawEnd, at),
    seq,
    extractor,
    extractorVersion,
    confidence: seen.confidence,
  };
  return { ...message, updatedMs: Math.max(message.updatedMs, atMs), provenance };
}

function isSame(a: ChatMessage, b: ChatMessage): boolean {
  if (
    a.kind !== b.kind ||
    a.text !== b.text ||
    a.final !== b.final ||
    !a.hasGap !== !b.hasGap ||
    a.doubtful?.reason !== b.doubtful?.reason
  )
    return false;
  if (a.question?.options.join('\n') !== b.question?.options.join('\n')) return false;
  return isSameTool(a.tool, b.tool);
}

function isSameTool(a: ChatTool | undefined, b: ChatTool | undefined): boolean {
  if (a === b) return true;
  return a?.name === b?.name && a?.input === b?.input && a?.status === b?.status && a?.output === b?.output;
}

/** Keeps the known text if a snapshot may show only a part of it; a streaming text is replaced by its present reading. */
function textOf(
  known: ChatMessage,
  seen: ExtractedMessage,
  { isCovered, isBehindGap, isFresh }: Taking & { isFresh: boolean },
): Joined & Pick<Restored, 'doubt'> {
  const kept = { text: known.text, hasGap: known.hasGap === true };
  const taken = { text: seen.text, hasGap: seen.hasGap === true };
  // A text read whole from one picture is better than a joined one.
  if (isSettledBy(known, seen) && !isCovered) return taken;
  if (seen.hasGap && isAllIn(seen.text, known.text)) return kept;
  const isCut = seen.isHeadCut && (!known.hasGap || seen.hasGap);
  if (isBehindGap || isCut) return continued(known.text, seen.text);
  if (known.hasGap && !seen.hasGap) {
    if (seen.isHeadCut) return continued(known.text, seen.text);
    return isThinned(known.text, seen.text) ? taken : filled(known.text, seen.text);
  }
  const [a, b] = [plainWords(known.text), plainWords(seen.text)];
  if (a === b) return known.final && !isFresh ? kept : taken;
  if (b.startsWith(a)) return taken;
  if (known.kind === 'permission' && !known.final) return b.length >= a.length ? taken : kept;
  // A dialog over an answer hides lines of it and adds none.
  if (isCovered) return seen.kind === 'model' && isThinned(known.text, seen.text) ? taken : kept;
  if (seen.hasGap) return known.final ? kept : withGap(known.text, seen.text);
  if (known.final) return b.length > a.length && !a.startsWith(b) ? taken : kept;
  const whole = known.kind === 'model' ? withLost(known.text, seen.text) : null;
  return whole === null ? taken : { ...whole, hasGap: false };
}

/** Whether a joined text is now read whole. Only the beginning of the known text settles nothing: the picture may end there. */
function isSettledBy(known: ChatMessage, seen: ExtractedMessage): boolean {
  if (!known.doubtful || !isReplaceable(known.doubtful) || !isWhole(seen) || known.kind !== seen.kind) return false;
  const [a, b] = [plainWords(known.text), plainWords(seen.text)];
  return b.length >= a.length || !a.startsWith(b);
}

/** A call keeps its most detailed text; its status is the one shown now. */
function callOf(known: ChatMessage, seen: ExtractedMessage): Pick<ChatMessage, 'text' | 'tool'> {
  const before = known.tool;
  const now = seen.tool;
  if (!now || !before) return { text: seen.text, ...(now && { tool: now }) };
  const isRicher =
    (now.input ?? '').length >= (before.input ?? '').length && (now.input !== undefined || before.input === undefined);
  const isTaken = isRicher && (!known.final || before.input === undefined);
  const status = now.status ?? (before.status === 'running' ? undefined : before.status);
  const output = now.output ?? before.output;
  const { status: _, ...shown } = isTaken ? now : before;
  const tool = { ...shown, ...(status && { status }), ...(output !== undefined && { output }) };
  return { text: isTaken ? seen.text : known.text, tool };
}
