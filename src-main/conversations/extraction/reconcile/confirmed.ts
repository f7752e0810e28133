import type { ChatDoubt, ChatLogged, ChatMessage, ChatTool } from '../../../contract/chat/chat.ts';
import { allOf, isOfLog } from '../merge/doubts.ts';
import type { ReconcileOptions } from './reconcile.ts';
import { isSameCode, isSameForm } from './sameForm.ts';
import { comparedText, isPartOf, isSameText } from './sameText.ts';
import { type ChatUnit, isSameCall, type LogUnit } from './units.ts';

type Marks = Pick<ReconcileOptions, 'origin' | 'nowMs' | 'fromMs'>;

/** A run is noticed at most this long after its agent has logged a prompt of its command line, ms. */
const NOTICED_MS = 10_000;

/**
 * Returns the messages of a pair that change: confirmed if both sides are the same, with the source's text and a mark if they differ. A message that
 * the log has from before the run is not confirmed as one of this run.
 */
export function confirmed(chat: ChatUnit, log: LogUnit, options: Marks): ChatMessage[] {
  if (!chat.message.final) return []; // the source may lag behind a message that still grows
  if (chat.message.origins.length === 1 && chat.message.origins[0] === options.origin)
    return changes(chat.message, { ...completed(chat, log) }, options);
  return log.message.kind === 'tool'
    ? toolChanges(chat, log, options)
    : changes(chat.message, textFinding(chat, log, options), options);
}

/** The result of comparing a message. */
interface Finding {
  readonly isSame?: boolean;
  /** Both sides have the whole message, and they differ. */
  readonly isOther?: boolean;
  readonly more?: ChatLogged;
  /** The reason to doubt the message that the source gives. */
  readonly reason?: ChatDoubt['reason'];
  /** How a call ended, if the screen did not show it. */
  readonly ended?: NonNullable<ChatTool['status']>;
}

function textFinding(chat: ChatUnit, { message, text }: LogUnit, { origin, fromMs }: Marks): Finding {
  const { replayOf } = chat.message;
  const isSame = isSameText(chat.text, text);
  const isOfBefore = origin === 'log' && message.atMs !== null && message.atMs < fromMs - NOTICED_MS;
  // Another text of an earlier run does not replace this one: the run's own message may not be logged yet, or the log may be another run's.
  if (isOfBefore && replayOf === undefined)
    return { reason: 'repeated', ...(!isSame && isPartOf(chat.text, text) && { more: { text: message.text } }) };
  if (isSame && isUnproved(chat.message, message.text)) return { more: { text: message.text } };
  const form = isSame ? lostForm(chat.message, message.text, origin) : undefined;
  if (isSame) return form === undefined ? { isSame } : { isSame, more: { text: form } };
  return { isOther: !isPartOf(chat.text, text), more: { text: message.text }, reason: 'contradicted' };
}

/** Whether a doubt stays although the log has the same words: they do not show where code and its lines end. */
function isUnproved({ kind, text, doubtful }: ChatMessage, logged: string): boolean {
  if (doubtful?.reason === 'unformatted') return text !== logged;
  return doubtful !== undefined && kind === 'model' && !isSameCode(text, logged);
}

/**
 * The text with its Markdown, if a screen did not show how an answer is formatted, such as what is emphasized in a quotation that the agent draws
 * in italics. That of a verified message is the log's: a hook may give the same words with other space.
 */
function lostForm(
  { kind, text, verified, log }: ChatMessage,
  logged: string,
  origin: Marks['origin'],
): string | undefined {
  if (kind !== 'model') return undefined;
  if (verified) return origin === 'log' && log?.text !== undefined ? logged : log?.text;
  return isSameForm(text, logged) ? undefined : logged;
}

function toolChanges(chat: ChatUnit, log: LogUnit, options: Marks): ChatMessage[] {
  const { tool } = log.message;
  const { result, message } = chat;
  const isSame = isSameCall(chat, log);
  const shownOutput = result?.text ?? message.tool?.output;
  const isOutputKnown = tool?.output !== undefined && tool.output !== '';
  const hasOutput =
    isOutputKnown && shownOutput !== undefined && isSameText(comparedText(shownOutput), comparedText(tool.output));
  const moreOutput = isOutputKnown && !hasOutput ? { output: tool.output } : {};
  const moreInput = isSame && tool?.input === tool?.subject ? {} : { input: tool?.input ?? '' };
  const onCall = { ...moreInput, ...(result === null && moreOutput) };
  const ended = isEndUnseen(message.tool) && tool?.status !== 'running' ? tool?.status : undefined;
  const changed = changes(message, { ...(isSame && { isSame }), more: onCall, ...(ended && { ended }) }, options);
  if (!result?.final || !isOutputKnown) return changed;
  return [...changed, ...changes(result, hasOutput ? { isSame: true } : { more: moreOutput }, options)];
}

/** A call without input may be one row for several calls; the end of one of them is not the row's end. */
function isEndUnseen({ status, input }: Partial<ChatTool> = {}): boolean {
  return status === 'running' || (status === undefined && input !== undefined);
}

/** A message that came from the source alone may have been completed there since. */
function completed(chat: ChatUnit, { message }: LogUnit): Finding {
  const { tool } = message;
  if (!tool) return chat.message.text === message.text ? {} : { more: { text: message.text } };
  const ended = tool.status !== chat.message.tool?.status ? tool.status : undefined;
  const more = { input: tool.input, ...(tool.output !== undefined && { output: tool.output }) };
  return { more, ...(ended && { ended }) };
}

function changes(
  message: ChatMessage,
  { isSame, isOther, more = {}, reason, ended }: Finding,
  { origin, nowMs }: Marks,
): ChatMessage[] {
  const isLog = origin === 'log';
  const verified = isSame ? true : isOther ? false : message.verified;
  const log = { ...message.log, ...more };
  if (isSame && more.text === undefined) delete log.text;
  const doubtful = isLog && reason ? doubted(message, reason) : message.doubtful;
  const isTold = message.origins.includes(origin) || !(isSame || isOther || ended || Object.keys(more).length > 0);
  const next: ChatMessage = {
    ...message,
    origins: isTold ? message.origins : [...message.origins, origin],
    ...(ended && message.tool && { tool: { ...message.tool, status: ended } }),
    ...(isLog && verified !== undefined && { verified }),
    ...(doubtful && { doubtful }),
    ...(Object.keys(log).length > 0 && { log }),
  };
  if (Object.keys(log).length === 0) delete next.log;
  if (!doubtful || (isSame && doubtful.reason !== 'unanswered')) delete next.doubtful; // equal words of a prompt are no answer
  return JSON.stringify(next) === JSON.stringify(message) ? [] : [{ ...next, updatedMs: nowMs }];
}

/** The message's doubt, with the source's `reason` if it has no other. A gap shows by itself that lines are missing. */
function doubted({ text, doubtful, hasGap }: ChatMessage, reason: ChatDoubt['reason']): ChatDoubt | undefined {
  if (doubtful && !isOfLog(doubtful)) return doubtful;
  return hasGap && reason === 'contradicted' ? undefined : allOf(text, reason);
}
