import type { ChatMessage } from '../../../contract/chat/chat.ts';
import type { ExtractedMessage, Extraction } from '../../../contract/chat/extractor.ts';
import { alignMessages } from './alignMessages.ts';
import { isRidOfCut, TAKEN_CHARS } from './cutShort.ts';
import { EQUAL, likeness, SIMILAR } from './likeness.ts';
import { commonStart, plainWords } from './plainWords.ts';
import { isClearing, isGreeting } from './sinceClear.ts';

/** Weight of a message that should be visible and is not: more than an equal one has. After three, further ones do not count. */
const UNSEEN = EQUAL + 1;
const MOST_UNSEEN = 3 * UNSEEN;

/** An answer that shrinks by `TAKEN_CHARS` counts as dropped, unless the new answer begins with this many equal ones: it is then the same answer, drawn differently. */
const SAME_CHARS = 12;

/** The place of a message that was seen. */
export interface Placed {
  readonly seen: ExtractedMessage;
  /** Index of the same message in the log; -1 for a new message. */
  readonly known: number;
  /** For a new message, the index in the log before which it belongs. */
  readonly before: number;
  /** For a known message: it continues the known text, and an unknown amount is missing between the two. */
  readonly isBehindGap: boolean;
}

/** Facts from outside the log. */
export interface Beside {
  /** Messages of the previous conversation, which some agents print again above this one. */
  readonly earlier?: () => readonly ChatMessage[];
  /** A prompt was sent that the log does not have. */
  readonly isAsked?: boolean;
}

/**
 * Finds where the messages of a snapshot belong in `log`, the end of the conversation: which ones it has, and where the new ones go.
 * Never removes messages of the log. Messages that are left out of the result are not new: they are parts of known ones.
 */
export function placeMessages(
  log: readonly ChatMessage[],
  { messages: seen, isCovered }: Extraction,
  { earlier = () => [], isAsked = false }: Beside = {},
): Placed[] {
  const pairs = anchored(log, seen);
  const first = pairs.findIndex((known) => known >= 0);
  if (first < 0) return unanchored(log, seen, { isCovered, isAsked });
  const placed = before(log, seen.slice(0, first), pairs[first] ?? 0, isCovered);
  for (let at = first; at < seen.length; ) {
    placed.push(...knownAt(seen[at], pairs[at] ?? 0));
    const next = pairs.findIndex((known, other) => other > at && known >= 0);
    const from = (pairs[at] ?? 0) + 1;
    const between = seen.slice(at + 1, next < 0 ? seen.length : next);
    placed.push(...(next < 0 ? behind(log, from, between, isCovered) : amid(log, from, pairs[next] ?? from, between)));
    at = next < 0 ? seen.length : next;
  }
  const isAgain = (own: Placed) =>
    own.known < 0 && (isGreetedBefore(log, own.seen) || (own.before < log.length && isDrawnAgain(log, own, earlier)));
  return placed.filter((own) => !isAgain(own));
}

/** Whether a message above the end equals its neighbour, or one of the previous conversation: the program printed its rows again. */
function isDrawnAgain(
  log: readonly ChatMessage[],
  { seen, before }: Placed,
  earlier: () => readonly ChatMessage[],
): boolean {
  if (seen.kind !== 'user' && seen.kind !== 'model') return false;
  const isSame = (known: ChatMessage | undefined) => known !== undefined && likeness(known, seen) === EQUAL;
  return isSame(log[before - 1]) || isSame(log[before]) || earlier().some(isSame);
}

function anchored(log: readonly ChatMessage[], seen: readonly ExtractedMessage[]): readonly number[] {
  // After a clearing command, a program repeats the notes of its start, so an equal note does not show that it is known.
  const clearing = log.some(isClearing) ? -1 : seen.findIndex(isClearing);
  const alike = (known: number, at: number) => {
    const [a, b] = [log[known], seen[at]];
    if (clearing >= 0 && at > clearing && b && isGreeting(b)) return 0;
    const like = a && b ? likeness(a, b) : 0;
    return like === SIMILAR && isOtherAnswer(log.slice(0, known), seen.slice(0, at)) ? 0 : like;
  };
  const { known } = alignMessages({ known: log.length, seen: seen.length, alike, unseen: (from) => unseen(log, from) });
  const [only] = known;
  // A lone end of an answer does not belong to the answer before the latest question.
  const isAnswer = known.length === 1 && only !== undefined && only >= 0 && seen[0]?.isHeadCut;
  return isAnswer && log.slice(only + 1).some(({ kind }) => kind === 'user') ? [-1] : known;
}

/** Answers are often similar; the prompts before them distinguish two. */
function isOtherAnswer(log: readonly ChatMessage[], seen: readonly ExtractedMessage[]): boolean {
  const isUser = ({ kind }: ChatMessage | ExtractedMessage) => kind === 'user';
  const [a, b] = [log.findLast(isUser), seen.findLast(isUser)];
  return a !== undefined && b !== undefined && likeness(a, b) === 0;
}

/** Weight lost if a snapshot ends before the log's last messages: a snapshot that is not covered shows the end of the conversation. */
function unseen(log: readonly ChatMessage[], from: number): number {
  let lost = 0;
  for (let at = log.length - 1; at >= from && lost < MOST_UNSEEN; at -= 1) {
    if (log[at]?.kind === 'user' || log[at]?.kind === 'model') lost += UNSEEN;
  }
  return lost;
}

function knownAt(seen: ExtractedMessage | undefined, known: number, isBehindGap = false): Placed[] {
  return seen ? [{ seen, known, before: -1, isBehindGap }] : [];
}

function fresh(seen: ExtractedMessage, before: number): Placed {
  return { seen, known: -1, before, isBehindGap: false };
}

/**
 * Places messages that share nothing with the log. All are new, with two exceptions: the end of a message that streams or was not drawn
 * whole, and the last call of the log, if the agent has folded it.
 */
function unanchored(
  log: readonly ChatMessage[],
  seen: readonly ExtractedMessage[],
  { isCovered, isAsked }: { isCovered: boolean; isAsked: boolean },
): Placed[] {
  if (isCovered && log.length > 0) return seen.filter(isDialog).map((message) => fresh(message, log.length));
  const open = log.findLastIndex(({ kind }) => kind !== 'permission');
  const [head, ...others] = seen;
  const call = lastCall(log);
  if (head && log[call] && isFolded(log[call], head))
    return [...knownAt(head, call), ...others.map((message) => fresh(message, log.length))];
  const isWhole = log[open]?.final !== false && !log[open]?.hasGap;
  const isOther = isAsked && log[open - 1]?.kind === 'user'; // that one has its own question
  if (!head?.isHeadCut || isWhole || isOther || log[open]?.kind !== head.kind) {
    return seen.map((message) => fresh(message, log.length));
  }
  return [...knownAt(head, open, true), ...others.map((message) => fresh(message, log.length))];
}

/** Index of the call at the end of the log, before its question and its result; -1 if the log ends with something else. */
function lastCall(log: readonly ChatMessage[]): number {
  const last = log.findLastIndex(isOwn);
  return log[last]?.kind === 'toolCall' ? last : -1;
}

/** False for a call's question and result, which the picture of a folded call does not show. */
function isOwn({ kind }: ChatMessage | ExtractedMessage): boolean {
  return kind !== 'permission' && kind !== 'toolResult';
}

/** Places the messages above the first known one: unknown ones belong before it. */
function before(
  log: readonly ChatMessage[],
  seen: readonly ExtractedMessage[],
  at: number,
  isCovered: boolean,
): Placed[] {
  if (isCovered) return [];
  const [known, shown] = [log.slice(0, at).filter(isOwn), seen.filter(isOwn)];
  const isNew = (message: ExtractedMessage) => {
    const own = known[known.length - shown.length + shown.indexOf(message)];
    if (message.isHeadCut || (own && isFolded(own, message))) return false;
    return log.every((known) => likeness(known, message) === 0);
  };
  return seen.filter(isNew).map((message) => fresh(message, at));
}

/** Places messages between two known ones. */
function amid(log: readonly ChatMessage[], from: number, to: number, seen: readonly ExtractedMessage[]): Placed[] {
  let free = from;
  return seen.flatMap((message) => {
    for (let known = free; known < to; known += 1) {
      const own = log[known];
      const isOwn =
        own && (isRedrawn(own, message, { log: log.slice(from, to), seen }) || isRidOfCut(log, known, message));
      if (!isOwn) continue;
      free = known + 1;
      return knownAt(message, known);
    }
    return [fresh(message, isCuttingIn(log, to, message) ? log.length : to)];
  });
}

/** Whether a prompt above a streaming answer, which has its own question, cuts that answer off: it then belongs after the answer. */
function isCuttingIn(log: readonly ChatMessage[], to: number, { kind, isHeadCut }: ExtractedMessage): boolean {
  const [before, own] = [log[to - 1], log[to]];
  return kind === 'user' && !isHeadCut && before?.kind === 'user' && isStreaming(own) && to === log.length - 1;
}

function isStreaming(message: ChatMessage | undefined): boolean {
  return message?.kind === 'model' && !message.final;
}

/** Whether `message` is `known` drawn again: the only one of its kind on both sides, or still open, or folded. */
function isRedrawn(
  known: ChatMessage,
  message: ExtractedMessage,
  { log, seen }: { log: readonly ChatMessage[]; seen: readonly ExtractedMessage[] },
): boolean {
  if (known.kind !== message.kind || known.kind === 'permission') return false;
  if (!known.final) return !isTakenBack(known, message);
  if (isFolded(known, message)) return true;
  if (known.kind === 'user' || known.kind === 'command') return false; // typed text is drawn whole, or it is another message
  const isOne = (all: readonly { kind: string }[]) => all.filter(({ kind }) => kind === known.kind).length === 1;
  return isOne(log) && isOne(seen);
}

/** Places messages after the last known one: a streaming message may read differently now, the rest is new. */
function behind(
  log: readonly ChatMessage[],
  from: number,
  seen: readonly ExtractedMessage[],
  isCovered: boolean,
): Placed[] {
  let free = from;
  // Later messages are hidden, or not drawn yet. A later screen shows where new messages belong among them.
  const isLater = isCovered && log.slice(from).some(({ kind }) => kind === 'user' || kind === 'model');
  const news = isLater ? seen.filter(isDialog) : seen;
  return news.map((message) => {
    for (let known = free; known < log.length; known += 1) {
      const own = log[known];
      if (!own || !(isFolded(own, message) || isReread(own, message, isCovered) || isRidOfCut(log, known, message))) {
        if (own && !isPassing(own, message)) break;
        continue;
      }
      free = known + 1;
      return { seen: message, known, before: -1, isBehindGap: false };
    }
    return fresh(message, log.length);
  });
}

/** Whether a message may be between a call and its folded form, or is a prompt before a streaming message that a torn drawing omits. */
function isPassing({ kind }: ChatMessage, { isOpen }: ExtractedMessage): boolean {
  return kind === 'permission' || kind === 'toolResult' || kind === 'toolCall' || (kind === 'user' && isOpen);
}

/** Whether a call shows less or more of itself than before. A call that was still running cannot have disappeared. */
function isFolded(known: ChatMessage, seen: ExtractedMessage): boolean {
  if (known.kind !== 'toolCall' || seen.kind !== 'toolCall') return false;
  const isOpen = !known.final || known.tool?.status === 'running';
  return isOpen || (known.tool?.input === undefined) !== (seen.tool?.input === undefined);
}

/** Whether `seen` is the streaming message `known` in the same place, read differently. */
function isReread(known: ChatMessage, seen: ExtractedMessage, isCovered: boolean): boolean {
  if (known.final || isCovered || known.kind === 'user' || known.kind === 'permission') return false;
  if (isTakenBack(known, seen)) return false;
  return (
    known.kind === seen.kind ||
    (known.kind === 'model' && seen.kind !== 'user' && !isDialog(seen) && isBegun(known, seen))
  );
}

/** Whether one of the two is the beginning of the other: only then can rows that were taken for an answer be of another kind. */
function isBegun(known: ChatMessage, seen: ExtractedMessage): boolean {
  const [a, b] = [plainWords(known.text), plainWords(seen.text)];
  return a.startsWith(b) || b.startsWith(a);
}

/** Whether the program has dropped its answer so far and gives another one: both stay in the log. */
function isTakenBack(known: ChatMessage, seen: ExtractedMessage): boolean {
  if (known.kind !== 'model' || seen.kind !== 'model' || seen.isHeadCut || seen.hasGap) return false;
  const [a, b] = [plainWords(known.text), plainWords(seen.text)];
  return a.length - b.length >= TAKEN_CHARS && commonStart(a, b) < SAME_CHARS;
}

/** Whether the log has this greeting: a program redraws it with everything else, in any place. */
function isGreetedBefore(log: readonly ChatMessage[], seen: ExtractedMessage): boolean {
  return seen.kind === 'welcome' && log.some((known) => likeness(known, seen) > 0);
}

function isDialog({ kind }: ExtractedMessage): boolean {
  return kind === 'permission';
}
