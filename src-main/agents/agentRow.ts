import type { AgentQuestion, AgentRow, QueuedReply } from '../contract/agents.ts';
import type { ChatMessage, Conversation } from '../contract/chat/chat.ts';
import { leadText } from '../contract/chat/leadText.ts';
import type { TerminalView } from '../contract/terminal.ts';

const MAX_SAID_CHARS = 240;
/** The end of a sentence, with what closes it, before the next one. */
const SENTENCE_END = /(?<=[.!?…:]["')\]`*_]*)\s+(?=\S)/u;
/** Markers of a heading, a list or a quote, which mean nothing in one line. */
const LINE_MARK = /^\s*(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+|>\s?)+/;
const FENCE = /^\s*(?:```|~~~)/;

export interface RowSource {
  readonly conversation: Conversation;
  /** Its last messages, in order. */
  readonly messages: readonly ChatMessage[];
  /** The terminal, while it is open and this conversation continues in it. */
  readonly view: TerminalView | null;
  readonly question: AgentQuestion | null;
  readonly queued: readonly QueuedReply[];
}

/** A conversation as a row of the agents list. */
export function agentRow({ conversation, messages, view, question, queued }: RowSource): AgentRow {
  const { id: conversationId, terminalId, agent, label, title, cwd } = conversation;
  const live = view?.agent?.conversationId === conversationId ? view.agent : null;
  return {
    ...{ conversationId, terminalId, agent, label, title, cwd },
    version: conversation.version ?? null,
    project: null,
    branch: view?.gitBranch ?? null,
    state: live?.state ?? conversation.state,
    evidence: live?.evidence ?? conversation.evidence,
    sinceMs: live?.sinceMs ?? conversation.endedMs ?? conversation.updatedMs,
    ...saidIn(messages),
    plan: conversation.plan ?? null,
    subAgents: conversation.subAgents ?? [],
    files: null,
    question: live ? (question ?? asked(live)) : null,
    queued,
  };
}

/** The agent waits, but its question could not be read from the screen: its own words, without options. */
function asked({ state, asks, conversationId, sinceMs }: NonNullable<TerminalView['agent']>): AgentQuestion | null {
  if (state !== 'needs_approval' && state !== 'needs_input') return null;
  const id = `${conversationId}/${sinceMs}`.slice(-64);
  return { id, text: asks ?? '', options: [], obstacle: 'unread', checked: [], takesText: [], hasNext: false };
}

/** The running tool, else the agent's last sentence. */
function saidIn(messages: readonly ChatMessage[]): Pick<AgentRow, 'said' | 'isTool'> {
  const last = messages.findLast(({ kind }) => kind === 'model' || kind === 'toolCall');
  if (last?.kind === 'toolCall' && last.tool?.status === 'running')
    return { said: cut([last.tool.name, last.tool.input ?? ''].join(' ').trim()), isTool: true };
  const model = messages.findLast(({ kind, text }) => kind === 'model' && text.trim() !== '');
  return { said: model ? lastSentence(leadText(model)) : '', isTool: false };
}

/** The last sentence of a Markdown text, on one line. Skips code blocks. */
export function lastSentence(text: string): string {
  let isCode = false;
  const prose = text.split('\n').filter((line) => {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    return !isFence && !isCode && line.trim() !== '';
  });
  const line = (prose.at(-1) ?? '').replace(LINE_MARK, '').replaceAll(/\s+/g, ' ').trim();
  return cut(line.split(SENTENCE_END).at(-1) ?? '');
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  if (line.length <= MAX_SAID_CHARS) return line;
  return `${line.slice(0, MAX_SAID_CHARS - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
