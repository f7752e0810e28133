import type {
  AgentState,
  ChatEvent,
  ChatMessage,
  ChatTool,
  Conversation,
  StateEvidence,
} from '../../src-main/contract/chat/chat.ts';
import { planWords } from '../../src-main/contract/chat/planWords.ts';
import type { SubAgent } from '../../src-main/contract/chat/progress.ts';
import { formatClock } from '../app/clock.svelte.ts';
import { strings } from '../app/strings.ts';

const STATES: Readonly<Record<AgentState, string>> = strings.conversation.states;

export function stateWords(state: AgentState): string {
  return STATES[state];
}

export function isWaiting(state: AgentState): boolean {
  return state === 'needs_approval' || state === 'needs_input';
}

/** Name of a state's colour in style sheets. */
export function stateTone(state: AgentState): 'works' | 'waits' | 'rests' {
  if (isWaiting(state)) return 'waits';
  return state === 'working' || state === 'starting' ? 'works' : 'rests';
}

const CHANNELS: Readonly<Record<StateEvidence['by'], string>> = strings.conversation.channels;

/** For example `read from its screen (permission.ask): “Do you want to proceed?”`; '' without evidence. */
export function evidenceWords(evidence: StateEvidence | null): string {
  return evidence ? strings.conversation.evidence(CHANNELS[evidence.by], evidence.rule, evidence.line.trim()) : '';
}

/** Text of a divider; null for an event of no use to people. */
export function eventWords({ type, isUnseen, plan, subAgent }: ChatEvent): string | null {
  const { events, plan: planned } = strings.conversation;
  switch (type) {
    case 'cli:clear':
      return events.cleared;
    case 'cli:compact':
      return events.compacted;
    case 'screenCleared':
      return events.screenCleared;
    case 'cli:exit':
      return isUnseen ? events.endedUnseen : events.ended;
    case 'subAgentChanged':
      return subAgent ? subAgentWords(subAgent) : null;
    case 'planChanged':
      return plan && plan.items.length > 0 ? planned.changed(planWords(plan)) : planned.cleared;
    default:
      return null;
  }
}

function subAgentWords({ state, title, kind, id }: SubAgent): string {
  return strings.conversation.subAgent(strings.agents.subAgents.states[state], title || kind || id);
}

/** `11 messages`. */
export function countWords({ messages }: Conversation): string {
  return messages === 0 ? strings.conversation.list.noMessages : strings.counts.messages(messages);
}

/** How much of the conversation the agent's own log verifies; '' if the log has nothing or was not found. */
export function verifiedWords({ verified, verifiable }: Conversation): string {
  const { someVerified, verified: all } = strings.conversation.list;
  if (verified === 0) return '';
  return verified === verifiable ? all : someVerified(verified, verifiable);
}

/** Name for a list: the first question, else the time of the start. */
export function conversationName({ title, startedMs }: Conversation, nowMs: number): string {
  return title || strings.conversation.list.unnamed(formatClock(startedMs, nowMs));
}

/** Right side of a folded tool: its state, and the size of its result; '' if unknown. */
export function toolWords(tool: ChatTool | undefined, output: string): string {
  const size = output === '' ? '' : strings.counts.lines(output.split('\n').length);
  const status = tool?.status;
  return [status === 'done' ? '' : status, size].filter(Boolean).join(' · ');
}

/** The answer to a question; '' while it is open or has no answer. */
export function verdictWords({ question }: ChatMessage): string {
  if (!question?.verdict) return '';
  const { choice, by } = question.verdict;
  const { by: named, byYou, verdict, verdictUnknown } = strings.conversation.permission;
  const who = by === null ? '' : by === 'user' ? byYou : named(by.replace(/^agent:/, ''));
  return choice === null ? verdictUnknown(who) : verdict(who, choice);
}

/** Details of how a message was read, one per line. */
export function provenanceWords({ provenance, origins, verified, log }: ChatMessage): string[] {
  const { extractor, extractorVersion, confidence, rawStart, rawEnd, seq } = provenance;
  const words = strings.conversation.source;
  return [
    words.readFrom(origins.map((origin) => words.origins[origin])),
    ...(origins.includes('screen') ? [words.extractor(extractor, extractorVersion, Math.round(confidence * 100))] : []),
    words.bytes(rawStart, rawEnd, seq),
    ...(verified === true && !log ? [words.logMatches] : []),
    ...(verified === false && !log ? [words.logLacks] : []),
    ...(log ? [words.logDiffers] : []),
  ];
}
