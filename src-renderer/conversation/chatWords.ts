import type {
  AgentState,
  ChatEvent,
  ChatMessage,
  ChatTool,
  Conversation,
  StateEvidence,
} from '../../src-main/contract/chat/chat.ts';
import { formatClock, formatCount, formatLines } from '../app/formatWords.ts';

const STATES: Readonly<Record<AgentState, string>> = {
  starting: 'starting',
  idle: 'idle',
  working: 'working',
  needs_approval: 'waits for approval',
  needs_input: 'waits for you',
  exited: 'ended',
  cleared: 'cleared',
  unknown: 'state unknown',
};

export function stateWords(state: AgentState): string {
  return STATES[state];
}

export function isWaiting(state: AgentState): boolean {
  return state === 'needs_approval' || state === 'needs_input';
}

/** What the colour of a state is called in style sheets. */
export function stateTone(state: AgentState): 'works' | 'waits' | 'rests' {
  if (isWaiting(state)) return 'waits';
  return state === 'working' || state === 'starting' ? 'works' : 'rests';
}

const CHANNELS: Readonly<Record<StateEvidence['by'], string>> = {
  hook: 'the agent’s own hook',
  osc: 'a signal of the agent’s',
  screen: 'its screen',
  process: 'its process',
  activity: 'its output',
};

/** `told by its screen (permission.ask): “Do you want to proceed?”`; '' when nothing is known. */
export function evidenceWords(evidence: StateEvidence | null): string {
  if (!evidence) return '';
  const line = evidence.line.trim();
  return `told by ${CHANNELS[evidence.by]} (${evidence.rule})${line ? `: “${line}”` : ''}`;
}

/** What a divider says; null for an event that people need not see. */
export function eventWords({ type, isUnseen }: ChatEvent): string | null {
  switch (type) {
    case 'cli:clear':
      return 'cleared';
    case 'cli:compact':
      return 'compacted';
    case 'screenCleared':
      return 'screen cleared';
    case 'cli:exit':
      return isUnseen ? 'ended unseen, some time after' : 'ended';
    default:
      return null;
  }
}

/** `11 messages`. */
export function countWords({ messages }: Conversation): string {
  if (messages === 0) return 'nothing said';
  return messages === 1 ? '1 message' : `${formatCount(messages)} messages`;
}

/** What the agent's own log says of the whole; '' when it says nothing, or was never found. */
export function verifiedWords({ verified, verifiable }: Conversation): string {
  if (verified === 0) return '';
  return verified === verifiable ? 'verified' : `${formatCount(verified)} of ${formatCount(verifiable)} verified`;
}

/** Two or three words for a line of a list: the first question, else when it began. */
export function conversationName({ title, startedMs }: Conversation, nowMs: number): string {
  return title || `Conversation of ${formatClock(startedMs, nowMs)}`;
}

/** At the right of a folded tool: how it stands, and how much it answered. '' where nothing is known. */
export function toolWords(tool: ChatTool | undefined, output: string): string {
  const size = output === '' ? '' : formatLines(output.split('\n').length);
  const status = tool?.status;
  return [status === 'done' ? '' : status, size].filter(Boolean).join(' · ');
}

/** How a question was answered; '' while it is open, and where nothing answered it. */
export function verdictWords({ question }: ChatMessage): string {
  if (!question?.verdict) return '';
  const { choice, by } = question.verdict;
  const who = by === null ? '' : by === 'user' ? ' by you' : ` by ${by.replace(/^agent:/, '')}`;
  return choice === null ? `Answered${who}, choice not seen` : `Answered${who}: ${choice}`;
}

/** The facts behind a message, one per line. */
export function provenanceWords({ provenance, origins, verified, log }: ChatMessage): string[] {
  const { extractor, extractorVersion, confidence, rawStart, rawEnd, seq } = provenance;
  const from = origins.map((origin) => ({ screen: 'the screen', hook: 'a hook', log: 'the agent’s log' })[origin]);
  return [
    `Read from ${from.join(' and ')}`,
    ...(origins.includes('screen')
      ? [`By ${extractor}, version ${extractorVersion}, ${Math.round(confidence * 100)} % sure`]
      : []),
    `Bytes ${formatCount(rawStart)}–${formatCount(rawEnd)} of the record, frame ${formatCount(seq)}`,
    ...(verified === true && !log ? ['The agent’s own log has the same'] : []),
    ...(verified === false && !log ? ['The agent’s own log does not have it'] : []),
    ...(log ? ['The agent’s own log says it otherwise'] : []),
  ];
}
