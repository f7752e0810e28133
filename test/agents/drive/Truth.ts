import type { AgentState } from '../../../src-main/contract/chat/chat.ts';
import type { ExpectedConversation, ExpectedMessage, ExpectedTool } from '../compare/expected.ts';
import type { Served } from '../scriptedModel/ScriptedModel.ts';
import type { ToolUse } from '../scriptedModel/script.ts';
import type { Decision } from './steps.ts';

/** A state, with wall-clock times in ms since 1970. */
export interface TrueState {
  readonly wallMs: number;
  untilWallMs?: number;
  readonly state: AgentState;
  readonly because: string;
}

/** Collects the true messages, states and runs while a case plays. */
export class Truth {
  readonly conversations: ExpectedConversation[] = [];
  readonly states: TrueState[] = [];
  readonly runs: { agent: string; fromWallMs: number; toWallMs: number }[] = [];

  /** Adds a conversation. `from` is its relation to the previous one. */
  begins(agent: string, from: 'cleared' | 'resumed' | null = null): void {
    const isResumed = from === 'resumed' ? { isResumed: true as const } : {};
    this.conversations.push({ agent, isAfterClear: from === 'cleared', ...isResumed, messages: [] });
  }

  starts(agent: string): void {
    this.runs.push({ agent, fromWallMs: Date.now(), toWallMs: Number.POSITIVE_INFINITY });
    this.is('starting', 'its command was sent');
    this.mayEnd();
  }

  /** The run ended. `resumeId` is the id that the agent printed to resume its conversation. */
  ended(resumeId?: string): void {
    const last = this.runs.at(-1);
    if (last) last.toWallMs = Date.now();
    const told = this.conversations.pop();
    if (told) this.conversations.push({ ...told, ...(resumeId !== undefined && { resumeId }) });
    this.is('exited', 'the shell is back');
  }

  asked(prompt: string): void {
    this.#add({ kind: 'user', text: prompt });
  }

  /** The last prompt was sent as `text`. */
  sent(text: string): void {
    const messages = this.conversations.at(-1)?.messages ?? [];
    const at = messages.findLastIndex(({ kind }) => kind === 'user');
    const typed = messages[at];
    if (typed && typed.text !== text) messages[at] = { ...typed, text };
  }

  /** Adds a finished answer: its text, then its tool with the result. */
  answered(
    { reply, call, isCut, sentChars }: Served,
    decision: Decision | null,
    { showsFailures, denied }: { showsFailures: boolean; denied: 'denied' | 'interrupted' },
  ): void {
    const { text = '', tool } = reply;
    if (text !== '') this.#add({ kind: 'model', text, ...(isCut && { sentChars }) });
    if (!tool || !call || isCut) return;
    const output = tool.does === 'shell' && decision !== 'deny' ? tool.prints : undefined;
    const isFailed = tool.does === 'shell' && tool.fails === true;
    const status: ExpectedTool['status'] = decision === 'deny' ? denied : isFailed ? 'failed' : 'done';
    const said: ExpectedTool = {
      does: tool.does,
      name: call.name,
      ...((!isFailed || showsFailures) && { status }),
      ...(output !== undefined && { output }),
    };
    this.#add({ kind: 'toolCall', text: wanted(tool), tool: said });
  }

  /** Adds an answer outside the script. */
  said(text: string): void {
    this.#add({ kind: 'model', text });
  }

  is(state: AgentState, because: string): void {
    const last = this.states.at(-1);
    if (last?.state === state && last.untilWallMs === undefined) return;
    this.states.push({ wallMs: Date.now(), state, because });
  }

  /** From now on, the agent may have left its state. */
  mayEnd(): void {
    const last = this.states.at(-1);
    if (last) last.untilWallMs ??= Date.now();
  }

  #add(message: ExpectedMessage): void {
    const conversation = this.conversations.at(-1);
    if (!conversation) throw new Error('something was said before an agent was started');
    conversation.messages.push(message);
  }
}

function wanted(tool: ToolUse): string {
  return tool.does === 'shell' ? tool.command : tool.path;
}
