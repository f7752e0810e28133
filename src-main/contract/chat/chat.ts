import * as z from 'zod/mini';
import { Count, TerminalId } from '../ids.ts';
import { ChatPlan, SubAgent, TurnUsage } from './progress.ts';

/** The kind of a message in an agent's conversation. */
export const ChatKind = z.enum([
  'welcome',
  'user',
  'model',
  'toolCall',
  'toolResult',
  'command',
  'permission',
  'notice',
  'exit',
]);
export type ChatKind = z.infer<typeof ChatKind>;

/** A tool as the screen shows it. Parts that it does not show are absent, never guessed. */
export const ChatTool = z.object({
  name: z.string(),
  input: z.optional(z.string()),
  status: z.optional(z.enum(['running', 'done', 'failed', 'denied', 'interrupted'])),
  output: z.optional(z.string()),
});
export type ChatTool = z.infer<typeof ChatTool>;

/** Source of a message: a range of output.raw, the frame from which it was read, and its extractor. */
export const ChatProvenance = z.object({
  rawStart: Count,
  rawEnd: Count,
  seq: Count,
  extractor: z.string(),
  extractorVersion: z.int(),
  /** From 0 to 1: 1 if read from the agent's own marks, less if read from its appearance. */
  confidence: z.number().check(z.minimum(0), z.maximum(1)),
});
export type ChatProvenance = z.infer<typeof ChatProvenance>;

/** Source that reported a message: the screen, an agent's hook, or the agent log. */
export const ChatOrigin = z.enum(['screen', 'hook', 'log']);
export type ChatOrigin = z.infer<typeof ChatOrigin>;

/**
 * Why a text may be incomplete. `joined`: screens were joined without proof that they follow each other, so words may be missing or repeated.
 * `repeated`: it may be a redrawn older message. `unfinished`: its end was not seen. `frame`: it contains parts of the agent's frame.
 * `unasked`: an answer without a question before it. `unanswered`: a prompt; the agent worked, and no answer was seen. `shortened`: a prompt;
 * the input box had more text. `unformatted`: code was drawn like prose, so its lines may differ. `redrawn`: the agent later drew a finished
 * answer differently. `foreign`: the agent had ended, and the next program may have printed it. `contradicted`: the agent log has another text.
 * `unlogged`: the agent log does not have it. `from`, `to`: the characters of the text in doubt.
 */
export const ChatDoubt = z.object({
  reason: z.enum([
    'joined',
    'repeated',
    'unfinished',
    'frame',
    'unasked',
    'unanswered',
    'shortened',
    'unformatted',
    'redrawn',
    'foreign',
    'contradicted',
    'unlogged',
  ]),
  from: Count,
  to: Count,
});
export type ChatDoubt = z.infer<typeof ChatDoubt>;

/** Text of the agent log that differs from the screen's, or adds to it. Never replaces it. */
export const ChatLogged = z.object({
  text: z.optional(z.string()),
  input: z.optional(z.string()),
  output: z.optional(z.string()),
});
export type ChatLogged = z.infer<typeof ChatLogged>;

/** How an agent's question was answered. */
export const ChatVerdict = z.object({
  /** The option's label, or the key that cancelled. Null if the choice was not seen. Never a guess. */
  choice: z.nullable(z.string()),
  /** `user`, or `agent:` and the client's name. Null if no person or client pressed a key (the agent's own rules, a hook). */
  by: z.nullable(z.string()),
  atMs: z.number(),
});
export type ChatVerdict = z.infer<typeof ChatVerdict>;

/** The options of an agent's question, and its answer. */
export const ChatQuestion = z.object({
  options: z.array(z.string()),
  /** Absent while it is open, and if the agent ended without an answer. */
  verdict: z.optional(ChatVerdict),
});
export type ChatQuestion = z.infer<typeof ChatQuestion>;

export { GAP_LINE } from './gapLine.ts';

/** One message of a conversation. chat.jsonl has a line for each version; the later one wins by `id`. */
export const ChatMessage = z.object({
  id: z.string(),
  terminalId: TerminalId,
  conversationId: z.string(),
  /** Position in the terminal's log. A fraction if the message was found later, between two others. */
  order: z.number(),
  kind: ChatKind,
  /** Markdown. */
  text: z.string(),
  tool: z.optional(ChatTool),
  /** False while it streams. */
  final: z.boolean(),
  startedMs: z.number(),
  updatedMs: z.number(),
  provenance: ChatProvenance,
  /** `user`, or `agent:` and the client whose keys asked for it; `unknown` if several did and it was seen too late to decide. */
  actor: z._default(z.string(), 'user'),
  origins: z._default(z.array(ChatOrigin), ['screen']),
  /** The text has a `GAP_LINE`. */
  hasGap: z.optional(z.boolean()),
  doubtful: z.optional(ChatDoubt),
  /** A resumed agent redrew it: id of its original conversation, null if unknown. Absent for a new message. */
  replayOf: z.optional(z.nullable(z.string())),
  /** The agent log has the same text. */
  verified: z.optional(z.boolean()),
  log: z.optional(ChatLogged),
  /** Only for `permission`. */
  question: z.optional(ChatQuestion),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** True for history that an agent redrew: a search finds it in its original conversation. */
export function isFoundElsewhere({ replayOf }: Pick<ChatMessage, 'replayOf'>): boolean {
  return typeof replayOf === 'string';
}

/** `cleared` applies only to a conversation: the agent continues with the next one. */
export const AgentState = z.enum([
  'starting',
  'idle',
  'working',
  'needs_approval',
  'needs_input',
  'exited',
  'cleared',
  'unknown',
]);
export type AgentState = z.infer<typeof AgentState>;

/** Evidence for a state, for people: the channel, the rule that decided and the line, title or signal that it matched. */
export const StateEvidence = z.object({
  by: z.enum(['hook', 'osc', 'screen', 'process', 'activity']),
  rule: z.string(),
  line: z.string(),
});
export type StateEvidence = z.infer<typeof StateEvidence>;

/** An event of a conversation. A line of chat.jsonl; has `type` where a message has `kind`. */
export const ChatEvent = z.object({
  type: z.enum([
    'cli:newSession',
    'cli:exit',
    'cli:clear',
    'cli:compact',
    'cli:resize',
    'screenCleared',
    'stateChanged',
    'planChanged',
    'subAgentChanged',
    'usageChanged',
  ]),
  id: z.string(),
  terminalId: TerminalId,
  conversationId: z.string(),
  order: z.number(),
  atMs: z.number(),
  /** Offset in output.raw. */
  at: Count,
  /** Of `cli:newSession`: the extractor's name, the agent's folder, the command's block, and after `cli:clear` the conversation before. */
  agent: z.optional(z.string()),
  /** Of `cli:newSession`: the agent's version, from its package. */
  version: z.optional(z.string()),
  /** Of `cli:newSession`: the title that the person gave. Absent or '': the conversation has that of its first prompt. */
  title: z.optional(z.string()),
  cwd: z.optional(z.string()),
  blockId: z.optional(z.string()),
  parentId: z.optional(z.string()),
  /** Of `stateChanged`. */
  state: z.optional(AgentState),
  evidence: z.optional(z.nullable(StateEvidence)),
  /** Of `planChanged`: the whole list. */
  plan: z.optional(ChatPlan),
  /** Of `subAgentChanged`. A later line with the same id replaces it. */
  subAgent: z.optional(SubAgent),
  /** Of `usageChanged`. A later line with the same `turnId` replaces it. */
  usage: z.optional(TurnUsage),
  /** Of `cli:exit`: the id with which the agent can resume. */
  resumeId: z.optional(z.string()),
  /** Of `cli:exit`: the core was gone before, so the end was not seen. Position and time are the last known ones. */
  isUnseen: z.optional(z.boolean()),
});
export type ChatEvent = z.infer<typeof ChatEvent>;

/** A line of chat.jsonl. */
export type ChatLine = ChatMessage | ChatEvent;

/** A conversation as lists show it. Folded from the lines of chat.jsonl. */
export interface Conversation {
  readonly id: string;
  readonly terminalId: string;
  /** Name of the extractor. */
  readonly agent: string;
  /** The agent's name for people. */
  readonly label: string;
  /** The agent's version, from its package or welcome text; null or absent when both lack it. */
  readonly version?: string | null;
  /** Tests compare recordings of this version with the agent's real messages. */
  readonly isVersionChecked?: boolean;
  /** The person's title, else the first line of the first prompt; at most 120 characters. '' before the first prompt. */
  readonly title: string;
  readonly cwd: string | null;
  readonly blockId: string | null;
  /** The conversation before a `/clear`. */
  readonly parentId: string | null;
  readonly resumeId: string | null;
  readonly startedMs: number;
  readonly updatedMs: number;
  /** Null while it is open. If its end was not seen, the last known time. */
  readonly endedMs: number | null;
  readonly messages: number;
  /** Messages that the agent's own log confirms, and those it could confirm. */
  readonly verified: number;
  readonly verifiable: number;
  readonly state: AgentState;
  readonly evidence: StateEvidence | null;
  /** The agent's plan or to-do list after its last change; absent if none was seen, or the list is empty. */
  readonly plan?: ChatPlan;
  /** Its sub-agents, in the order of their starts; absent if none was seen. */
  readonly subAgents?: readonly SubAgent[];
  /**
   * Why messages may be missing. `unread`: nothing was read of an agent that worked or ran for a while. `unasked`: it answered,
   * and no prompt was seen. Absent without a sign of either.
   */
  readonly doubt?: 'unread' | 'unasked';
}

/** Changes in a terminal's conversations: first the whole list, then each change. A message replaces the one with the same id. */
export type ChatChange =
  | { type: 'all'; conversations: Conversation[] }
  | { type: 'conversation'; conversation: Conversation }
  | { type: 'message'; message: ChatMessage }
  | { type: 'event'; event: ChatEvent };

/** `chat.onChange` yields these: a message that the subscriber already has comes as a delta. */
export type ChatDelta = ChatChange | MessageDelta;

/** Changes a message that was sent before: `text` replaces its text from `at` (in UTF-16 units) to the end. */
export interface MessageDelta {
  readonly type: 'delta';
  readonly id: string;
  readonly at: number;
  readonly text: string;
  /** All other fields, present only if one of them changed. */
  readonly rest?: Omit<ChatMessage, 'text'>;
}

/** The agent in a terminal, on its tab. */
export interface AgentStatus {
  readonly name: string;
  readonly label: string;
  readonly state: AgentState;
  readonly evidence: StateEvidence | null;
  readonly sinceMs: number;
  readonly conversationId: string;
  /** The question for which it waits, in its own words, at most 200 characters; null unless the state is `needs_…`. */
  readonly asks: string | null;
}
