import { z } from 'zod';
import { TerminalId } from '../ids.ts';
import { ChatPlan, SubAgent } from './progress.ts';

/** What somebody or something said in an agent's conversation. */
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

/** A tool as the screen shows it. What it does not show is absent, never guessed. */
export const ChatTool = z.object({
  name: z.string(),
  input: z.string().optional(),
  status: z.enum(['running', 'done', 'failed', 'denied', 'interrupted']).optional(),
  output: z.string().optional(),
});
export type ChatTool = z.infer<typeof ChatTool>;

/** Where a message comes from: a range of output.raw, the frame it was read from, and by what. */
export const ChatProvenance = z.object({
  rawStart: z.number().int().nonnegative(),
  rawEnd: z.number().int().nonnegative(),
  seq: z.number().int().nonnegative(),
  extractor: z.string(),
  extractorVersion: z.number().int(),
  /** 0 to 1: 1 is read from marks of the agent's own, less is read from its looks. */
  confidence: z.number().min(0).max(1),
});
export type ChatProvenance = z.infer<typeof ChatProvenance>;

/** Who told of a message: the screen, a hook of the agent's, the agent's own log. */
export const ChatOrigin = z.enum(['screen', 'hook', 'log']);
export type ChatOrigin = z.infer<typeof ChatOrigin>;

/**
 * Why a text may not be whole. `joined`: screens were put together, and nothing proves that they follow each other, so that words may be
 * missing or there twice. `repeated`: it may be an older message that was drawn once more. `unfinished`: its end was not seen. `frame`: parts of the
 * agent's frame stand in it. `unasked`: an answer, and nothing was asked before it. `unanswered`: of a prompt; the agent was at work, and no answer was seen.
 * `shortened`: of a prompt; more stood in the input box. `unformatted`: code was drawn as if it were prose, so that its lines may read otherwise.
 * `redrawn`: the agent drew a finished answer otherwise later. `from`, `to`: the characters of the text that this is about.
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
  ]),
  from: z.number().int().nonnegative(),
  to: z.number().int().nonnegative(),
});
export type ChatDoubt = z.infer<typeof ChatDoubt>;

/** What the agent's own log has of a message where it has more than the screen showed, or something else. Never a replacement. */
export const ChatLogged = z.object({
  text: z.string().optional(),
  input: z.string().optional(),
  output: z.string().optional(),
});
export type ChatLogged = z.infer<typeof ChatLogged>;

/** How an agent's question was answered. */
export const ChatVerdict = z.object({
  /** The option's label, or the key that cancelled. Null: the choice was not seen. Never a guess. */
  choice: z.string().nullable(),
  /** `user`, or `agent:` and the client's name. Null: no person or client pressed a key (the agent's own rules, a hook). */
  by: z.string().nullable(),
  atMs: z.number(),
});
export type ChatVerdict = z.infer<typeof ChatVerdict>;

/** What an agent's question offers, and what came of it. */
export const ChatQuestion = z.object({
  options: z.array(z.string()),
  /** Absent while it is open, and where the agent ended without an answer. */
  verdict: ChatVerdict.optional(),
});
export type ChatQuestion = z.infer<typeof ChatQuestion>;

export { GAP_LINE } from './gapLine.ts';

/** One message of a conversation. A line of chat.jsonl for each version; the later one wins by `id`. */
export const ChatMessage = z.object({
  id: z.string(),
  terminalId: TerminalId,
  conversationId: z.string(),
  /** Place in the terminal's log. A fraction where it was found later between two others. */
  order: z.number(),
  kind: ChatKind,
  /** Markdown. */
  text: z.string(),
  tool: ChatTool.optional(),
  /** False while it still streams. */
  final: z.boolean(),
  startedMs: z.number(),
  updatedMs: z.number(),
  provenance: ChatProvenance,
  /** `user`, or `agent:` and the client whose keys asked for it; `unknown` where several do and it was seen too late to tell. */
  actor: z.string().default('user'),
  origins: z.array(ChatOrigin).default(['screen']),
  /** The text has a `GAP_LINE`. */
  hasGap: z.boolean().optional(),
  doubtful: ChatDoubt.optional(),
  /** The agent was resumed and drew it again: the conversation in which it was said, null where that is not known. Absent: it was said now. */
  replayOf: z.string().nullable().optional(),
  /** The agent's own log has the same. */
  verified: z.boolean().optional(),
  log: ChatLogged.optional(),
  /** Of `permission`. */
  question: ChatQuestion.optional(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** It is history that an agent has drawn again: a search finds it in the conversation in which it was said. */
export function isFoundElsewhere({ replayOf }: Pick<ChatMessage, 'replayOf'>): boolean {
  return typeof replayOf === 'string';
}

/** `cleared` is a conversation's alone: the agent goes on with the next one. */
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

/** Why a state is believed, for people: which channel, the rule that decided and the line, title or signal it matched. */
export const StateEvidence = z.object({
  by: z.enum(['hook', 'osc', 'screen', 'process', 'activity']),
  rule: z.string(),
  line: z.string(),
});
export type StateEvidence = z.infer<typeof StateEvidence>;

/** Something that happened to a conversation. A line of chat.jsonl; has `type` where a message has `kind`. */
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
  ]),
  id: z.string(),
  terminalId: TerminalId,
  conversationId: z.string(),
  order: z.number(),
  atMs: z.number(),
  /** Offset in output.raw. */
  at: z.number().int().nonnegative(),
  /** Of `cli:newSession`: the extractor's name, where the agent runs, the command's block, and after `cli:clear` the conversation before. */
  agent: z.string().optional(),
  /** Of `cli:newSession`: the agent's version, from its package. */
  version: z.string().optional(),
  cwd: z.string().optional(),
  blockId: z.string().optional(),
  parentId: z.string().optional(),
  /** Of `stateChanged`. */
  state: AgentState.optional(),
  evidence: StateEvidence.nullable().optional(),
  /** Of `planChanged`: the whole list. */
  plan: ChatPlan.optional(),
  /** Of `subAgentChanged`. A later line with the same id replaces it. */
  subAgent: SubAgent.optional(),
  /** Of `cli:exit`: with which the agent can go on. */
  resumeId: z.string().optional(),
  /** Of `cli:exit`: nobody saw it, since the core was gone before. Place and time are of the last that is known. */
  isUnseen: z.boolean().optional(),
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
  /** As people call the agent. */
  readonly label: string;
  /** The agent's version, from its package or welcome text; null or absent when both lack it. */
  readonly version?: string | null;
  /** Tests have compared recordings of this version with what was really said. */
  readonly isVersionChecked?: boolean;
  /** First line of the first thing that was asked, at most 120 characters; '' before. */
  readonly title: string;
  readonly cwd: string | null;
  readonly blockId: string | null;
  /** The conversation before a `/clear`. */
  readonly parentId: string | null;
  readonly resumeId: string | null;
  readonly startedMs: number;
  readonly updatedMs: number;
  /** Null while it goes on. Where nobody saw its end, the time of the last that is known. */
  readonly endedMs: number | null;
  readonly messages: number;
  /** Messages that the agent's own log confirms, and those it could confirm. */
  readonly verified: number;
  readonly verifiable: number;
  readonly state: AgentState;
  readonly evidence: StateEvidence | null;
  /** The agent's plan or to-do list, as of the last change; absent if none was seen, or the list is empty. */
  readonly plan?: ChatPlan;
  /** Its sub-agents, in the order in which they were started; absent if none was seen. */
  readonly subAgents?: readonly SubAgent[];
  /**
   * Why messages may be missing: `unread`, an agent that worked or ran for a while and of which nothing was read; `unasked`, it
   * answered where nobody was seen to ask. Absent: no sign of that.
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
  /** What it waits for, in its own words, at most 200 characters; null unless the state is `needs_…`. */
  readonly asks: string | null;
}
