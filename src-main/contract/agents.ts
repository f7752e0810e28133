import { z } from 'zod';
import type { AgentState, StateEvidence } from './chat/chat.ts';
import type { ChatPlan, SubAgent } from './chat/progress.ts';
import { TerminalId } from './ids.ts';

/** The question that an agent shows at the foot of its screen. */
export interface AgentQuestion {
  /** Of this question as it is drawn: another one, or the same with other words or options, has another id. */
  readonly id: string;
  /** The question and its subject, lines joined by LF, without the options. */
  readonly text: string;
  /** Labels, in the order of the screen, without checkboxes. */
  readonly options: readonly string[];
  /**
   * Why it can only be answered in its terminal: `unread`, the screen shows no options; `checkboxes`, several may be checked, and the screen names no
   * key for the next page; `pointer`, the screen does not show which option Return chooses. Null: an option can be chosen from here.
   */
  readonly obstacle: 'unread' | 'checkboxes' | 'pointer' | null;
  /** For each option, whether it is checked; null if it is not a checkbox. Choosing a checkbox checks or unchecks it. */
  readonly checked: readonly (boolean | null)[];
  /** For each option, whether it takes a text. It can then be chosen only with a text. */
  readonly takesText: readonly boolean[];
  /** True if `option: 'next'` goes to the next page: the next question, or the answers so far. */
  readonly hasNext: boolean;
}

/** A message for an agent that waits until the agent takes input. */
export interface QueuedReply {
  readonly id: string;
  readonly text: string;
  readonly queuedMs: number;
  /** What it waits for: the end of a turn, an answer to a question, the person's own unsent text, an input line that is not found, or an agent. */
  readonly waitsFor: 'turn' | 'answer' | 'draft' | 'input' | 'agent';
}

/** A line of replies.json. */
export const KeptReply = z.object({
  id: z.string(),
  terminalId: TerminalId,
  conversationId: z.string(),
  text: z.string(),
  queuedMs: z.number(),
});
export type KeptReply = z.infer<typeof KeptReply>;

/** replies.json in the data folder. */
export const RepliesFile = z.object({ version: z.literal(1), replies: z.array(KeptReply) });

/** One agent's conversation in the list of all agents. */
export interface AgentRow {
  readonly terminalId: TerminalId;
  readonly conversationId: string;
  /** Name of the extractor, and as people call the agent. */
  readonly agent: string;
  readonly label: string;
  readonly version: string | null;
  /** First line of the first prompt; '' before one was seen. */
  readonly title: string;
  readonly cwd: string | null;
  /** Folder of the repository around `cwd`, also if that is in a linked work tree; null outside of git. */
  readonly project: string | null;
  /** The branch there; of an ended conversation, the one at its start. */
  readonly branch: string | null;
  /** `exited` once it has ended. */
  readonly state: AgentState;
  readonly evidence: StateEvidence | null;
  /** Since when it is in that state, ms since 1970. */
  readonly sinceMs: number;
  /** The last sentence that it said, or the tool that runs: Markdown of one line, at most 240 characters; '' before. */
  readonly said: string;
  /** `said` is the tool that runs. */
  readonly isTool: boolean;
  /** Its plan or to-do list; null if none was seen. */
  readonly plan: ChatPlan | null;
  /** In the order in which they were started. A row whose `parentId` is not among them is the agent's own. */
  readonly subAgents: readonly SubAgent[];
  /** Number of files that differ from before its first prompt; null if not known. */
  readonly files: number | null;
  /** Null unless it waits for the person. */
  readonly question: AgentQuestion | null;
  readonly queued: readonly QueuedReply[];
}

/** First all rows, then each that changed or went away. */
export type AgentsChange =
  | { readonly type: 'all'; readonly rows: readonly AgentRow[] }
  | { readonly type: 'row'; readonly row: AgentRow }
  | { readonly type: 'removed'; readonly conversationId: string };

export const AgentAnswer = z.object({
  terminalId: TerminalId,
  /** The question that the person saw. */
  questionId: z.string().max(64),
  /** Index into its options, or its next page. */
  option: z.union([z.number().int().min(0).max(99), z.literal('next')]),
  /**
   * Text of the answer. An option that takes text gets it; with any other option it becomes the next prompt, sent as soon as the agent takes one.
   */
  text: z.string().trim().min(1).max(10_000).optional(),
});
export type AgentAnswer = z.infer<typeof AgentAnswer>;

/**
 * `changed`: the screen shows another question than the person saw, or none. `typing`: the person types there. `terminal`: only its terminal can
 * answer it. `pointer`: the pointer did not go to the option. `text`: the option takes a text, and the answer has no text or the screen did not
 * show it. `open`: the keys were sent, and the question is still there. Only `open` means that keys chose an option.
 */
export type AnswerRefusal = 'gone' | 'changed' | 'typing' | 'terminal' | 'pointer' | 'text' | 'open';
export type AnswerVerdict = { readonly ok: true } | { readonly ok: false; readonly reason: AnswerRefusal };

/** `sent`: it went to the agent. `queued`: it waits in the row's list. */
export type ReplyVerdict =
  | { readonly ok: true; readonly sent: boolean }
  | { readonly ok: false; readonly reason: 'gone' | 'full' };

/** `working`: Escape was sent, and the agent still works. */
export type InterruptVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'gone' | 'idle' | 'working' };
