import { createHash } from 'node:crypto';
import type { ChatMessage, ChatTool } from '../contract/chat/chat.ts';
import type { TurnUsage } from '../contract/chat/progress.ts';
import type { SpanRecord } from '../contract/telemetry.ts';
import { redactChat } from '../redaction/redactChat.ts';
import { ATTRIBUTE, OPERATION } from './genAi.ts';
import { contentOfTool, contentOfTurn } from './spanContent.ts';
import type { Turn } from './turnsOf.ts';

/** A tool's name may be any text of a screen, and backends group spans by it, so it is cut here. */
const MOST_NAME_CHARS = 100;
/** Name of a tool that the screen did not show. */
const NO_NAME = 'unknown';

export interface SpanWish {
  readonly label: string;
  /** The value of `gen_ai.provider.name`. */
  readonly provider: string;
  /** True: spans include texts of messages. */
  readonly content: boolean;
}

/**
 * Returns the spans of a turn: the span of the turn first, then one for each tool call. Every text is redacted. Pure: the same turn always has the same
 * ids, so that a collector can recognize a turn that it got twice.
 */
export function turnSpans(turn: Turn, { label, provider, content }: SpanWish): SpanRecord[] {
  const { conversation, messages } = redacted(turn, content);
  const traceId = digest('trace', turn, turn.id).slice(0, 32);
  const spanId = digest('turn', turn, turn.id).slice(0, 16);
  const error = turn.isCutShort ? 'agent_exited' : null;
  const own: SpanRecord = {
    ...{ traceId, spanId, name: `${OPERATION.turn} ${label}`, startMs: turn.startMs, endMs: turn.endMs, error },
    attributes: {
      [ATTRIBUTE.operation]: OPERATION.turn,
      [ATTRIBUTE.provider]: provider,
      [ATTRIBUTE.agent]: label,
      ...(conversation.version && { [ATTRIBUTE.agentVersion]: conversation.version }),
      [ATTRIBUTE.conversation]: conversation.id,
      ...(error && { [ATTRIBUTE.error]: error }),
      ...countsOf(turn.usage),
      ...(content && contentOfTurn(messages, error !== null)),
    },
  };
  const calls = messages.filter(({ kind }) => kind === 'toolCall');
  return [
    own,
    ...calls.map((call) => toolSpan(call, { turn, own, result: content ? resultOf(call, messages) : null })),
  ];
}

/** The conventions count tokens of caches as input too. */
function countsOf(usage: TurnUsage | null): Record<string, number> {
  const counts = {
    [ATTRIBUTE.inputTokens]: usage?.input,
    [ATTRIBUTE.outputTokens]: usage?.output,
    [ATTRIBUTE.cacheReadTokens]: usage?.cacheRead,
    [ATTRIBUTE.cacheWriteTokens]: usage?.cacheWrite,
  };
  return Object.fromEntries(
    Object.entries(counts).flatMap(([name, count]) => (typeof count === 'number' ? [[name, count]] : [])),
  );
}

interface ToolContext {
  readonly turn: Turn;
  readonly own: SpanRecord;
  /** Null if content is not sent. */
  readonly result: string | null;
}

function toolSpan(call: ChatMessage, { turn, own, result }: ToolContext): SpanRecord {
  const name = nameOf(call.tool);
  const error = ERRORS[call.tool?.status ?? 'done'] ?? (turn.isCutShort && !call.final ? 'agent_exited' : null);
  const startMs = within(call.startedMs, turn);
  return {
    ...{ traceId: own.traceId, spanId: digest('tool', turn, call.id).slice(0, 16), parentSpanId: own.spanId },
    ...{ name: `${OPERATION.tool} ${name}`, startMs, endMs: Math.max(startMs, within(call.updatedMs, turn)), error },
    attributes: {
      [ATTRIBUTE.operation]: OPERATION.tool,
      [ATTRIBUTE.toolName]: name,
      [ATTRIBUTE.toolCall]: call.id,
      ...(error && { [ATTRIBUTE.error]: error }),
      ...(result !== null && contentOfTool(call, result)),
    },
  };
}

/** Values of `error.type` by the state of a call on the screen. */
const ERRORS: Readonly<Partial<Record<NonNullable<ChatTool['status']>, string>>> = {
  failed: 'tool_failed',
  denied: 'denied',
  interrupted: 'interrupted',
};

/** Drops the texts that are not sent, so that they need no redaction. */
function redacted(
  { conversation, messages }: Turn,
  content: boolean,
): Pick<Turn, 'conversation'> & { messages: ChatMessage[] } {
  const kept = content ? messages : messages.map(withoutTexts);
  const { lines, ...told } = redactChat({ ...conversation, title: '', cwd: null, evidence: null }, kept);
  return { conversation: told.conversation, messages: lines.filter((line) => 'kind' in line) };
}

function withoutTexts({ log: _, question: __, tool, ...message }: ChatMessage): ChatMessage {
  const { name, status } = tool ?? { name: NO_NAME };
  return { ...message, text: '', ...(tool && { tool: { name, ...(status && { status }) } }) };
}

/** Finds the result that follows a call, if the call does not contain it. */
function resultOf(call: ChatMessage, messages: readonly ChatMessage[]): string {
  if (call.tool?.output !== undefined) return call.tool.output;
  const next = messages[messages.indexOf(call) + 1];
  return next?.kind === 'toolResult' ? (next.tool?.output ?? next.text) : '';
}

function nameOf(tool: ChatTool | undefined): string {
  const name = (tool?.name ?? '').replace(/\s+/g, ' ').trim();
  return name === '' ? NO_NAME : [...name].slice(0, MOST_NAME_CHARS).join('');
}

function within(ms: number, { startMs, endMs }: Turn): number {
  return Math.min(Math.max(ms, startMs), endMs);
}

function digest(what: string, { conversation }: Turn, messageId: string): string {
  const parts = ['hansard', what, conversation.terminalId, conversation.id, messageId];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
