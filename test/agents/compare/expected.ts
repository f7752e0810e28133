import type { AgentState } from '../../../src-main/contract/chat/chat.ts';

/** One message as the script has it. */
export interface ExpectedMessage {
  readonly kind: 'user' | 'model' | 'toolCall';
  /** Markdown; of a tool what it was asked to do. */
  readonly text: string;
  /** It was interrupted: the recorded text is a beginning of `text`, at most `sentChars` long. */
  readonly sentChars?: number;
  readonly tool?: ExpectedTool;
}

export interface ExpectedTool {
  readonly does: 'shell' | 'read' | 'write' | 'edit';
  /** As the agent calls it. */
  readonly name: string;
  /** Absent where the agent's screen does not tell it. */
  readonly status?: 'done' | 'failed' | 'denied' | 'interrupted';
  /** What a command prints. Absent where the script does not know. */
  readonly output?: string;
}

export interface ExpectedConversation {
  readonly agent: string;
  /** The conversation before it was cleared. */
  readonly isAfterClear: boolean;
  /** It goes on with an earlier one, whose messages are drawn again and are none of these. */
  readonly isResumed?: true;
  /** With which the agent can go on, as it said at its end. */
  readonly resumeId?: string;
  readonly messages: ExpectedMessage[];
}

/** From `atMs` of the cast on the agent is in this state; half a second late is in time. */
export interface ExpectedState {
  readonly atMs: number;
  /** To then for certain: afterwards it may be over already. Absent: to the next one's `atMs`. */
  readonly untilMs?: number;
  readonly state: AgentState;
  /** What happened then. */
  readonly because: string;
}

/** From the Return that started the agent to the shell's next prompt, on the cast's clock. */
export interface ExpectedRun {
  readonly agent: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** expected.json: what was really said in a recording, from the script. */
export interface Expected {
  readonly about: string;
  readonly agent: string;
  readonly version: string;
  readonly variant: string;
  readonly case: string;
  readonly cols: number;
  readonly rows: number;
  /** The window got narrower by a third once the first answer had begun, and was as before at the next turn. */
  readonly isResized?: true;
  readonly conversations: ExpectedConversation[];
  readonly runs: ExpectedRun[];
  readonly states: ExpectedState[];
}
