import type { AgentState } from '../../../src-main/contract/chat/chat.ts';

/** One message of the script. */
export interface ExpectedMessage {
  readonly kind: 'user' | 'model' | 'toolCall';
  /** Markdown, or a tool's input. */
  readonly text: string;
  /** The message was interrupted: the recorded text is a beginning of `text` with at most `sentChars` characters. */
  readonly sentChars?: number;
  readonly tool?: ExpectedTool;
}

export interface ExpectedTool {
  readonly does: 'shell' | 'read' | 'write' | 'edit';
  /** The agent's name for the tool. */
  readonly name: string;
  /** Absent if the agent's screen does not show it. */
  readonly status?: 'done' | 'failed' | 'denied' | 'interrupted';
  /** Output of a command. Absent if the script does not know it. */
  readonly output?: string;
}

export interface ExpectedConversation {
  readonly agent: string;
  /** The previous conversation ended by a clear. */
  readonly isAfterClear: boolean;
  /** It resumes an earlier conversation, whose messages are drawn again and are not in `messages`. */
  readonly isResumed?: true;
  /** Id that the agent printed at its end, to resume the conversation. */
  readonly resumeId?: string;
  readonly messages: ExpectedMessage[];
}

/** The agent is in this state from `atMs` of the cast on. A recorded state may be 0.5 s late. */
export interface ExpectedState {
  readonly atMs: number;
  /** The state is certain until this time and may have ended after it. Absent: until the next state's `atMs`. */
  readonly untilMs?: number;
  readonly state: AgentState;
  /** The event that started the state. */
  readonly because: string;
}

/** A run from the Return that started the agent to the shell's next prompt, on the cast's clock. */
export interface ExpectedRun {
  readonly agent: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** expected.json: the true content of a recording, from its script. */
export interface Expected {
  readonly about: string;
  readonly agent: string;
  readonly version: string;
  readonly variant: string;
  readonly case: string;
  readonly cols: number;
  readonly rows: number;
  /** The window shrank by a third of its width once the first answer had begun, and got its old width at the next turn. */
  readonly isResized?: true;
  readonly conversations: ExpectedConversation[];
  readonly runs: ExpectedRun[];
  readonly states: ExpectedState[];
}
