import type { QueuedReply } from '../contract/agents.ts';
import type { ChatLine } from '../contract/chat/chat.ts';
import { encodePaste } from '../pty/sanitizePaste.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { Clock } from '../util/Clock.ts';
import { screenChanges, untilShown } from './screenChanges.ts';

/** An agent that got a prompt has begun to work on it by then, or has emptied its input line. */
const TAKEN_MS = 5_000;

export interface ReplySpec {
  readonly terminal: PtyInstance;
  readonly conversationId: string;
  readonly text: string;
  /** `user`, or `agent:` and the client. */
  readonly actor: string;
  readonly clock: Clock;
}

/** `unseen`: it was typed and Return sent, and the agent was not seen to take it. */
export type ReplyOutcome = { readonly sent: true; readonly isSeen: boolean } | { readonly waitsFor: WaitsFor };
type WaitsFor = QueuedReply['waitsFor'];

/** What a prompt for that conversation has to wait for; null when the agent takes input and its input line is empty. */
export function waitsFor(terminal: PtyInstance, conversationId: string): WaitsFor | null {
  const { agent } = terminal.view;
  if (agent?.conversationId !== conversationId) return 'agent';
  if (agent.state === 'needs_approval' || agent.state === 'needs_input') return 'answer';
  if (agent.state !== 'idle') return 'turn';
  const draft = terminal.agents.run?.draft;
  if (draft === undefined) return 'input';
  return draft === '' ? null : 'draft';
}

/**
 * Types a prompt into the agent's empty input line and sends it. What the person types meanwhile comes behind it. Where the agent takes no input,
 * or its input line holds text, this sends nothing. The caller sends one reply at a time to each terminal.
 */
export async function sendReply(spec: ReplySpec): Promise<ReplyOutcome> {
  const { terminal, conversationId, text, clock } = spec;
  const { input } = terminal;
  const early = waitsFor(terminal, conversationId);
  if (early !== null) return { waitsFor: early };
  await untilShown(terminal, clock);
  if (input.isHeld) return { waitsFor: 'draft' };
  const promptsBefore = promptsOf(terminal, conversationId);
  input.hold(() => undefined);
  try {
    await terminal.screen.lastStep();
    const isBracketed = await terminal.screen.bracketedPaste();
    const now = waitsFor(terminal, conversationId);
    if (now !== null) return { waitsFor: now };
    if (!isBracketed && /[\r\n]/.test(text)) return { waitsFor: 'input' }; // each line would be a prompt of its own
    put(spec, encodePaste(text, isBracketed));
    await terminal.screen.bracketedPaste(); // programs take a Return in one piece with a paste as a part of it
    put(spec, '\r');
  } finally {
    input.release();
  }
  return { sent: true, isSeen: await isTaken(spec, promptsBefore) };
}

/** Past the hold, which is for the person's keys. */
function put({ terminal, actor }: ReplySpec, data: string): void {
  terminal.agents.typed(data, actor);
  terminal.input.write(data);
}

/** It works, its input line was emptied, or it shows the prompt as said. */
async function isTaken(spec: ReplySpec, promptsBefore: number): Promise<boolean> {
  const { terminal, conversationId } = spec;
  let isTyped = false;
  for await (const _ of screenChanges(spec, TAKEN_MS)) {
    const { agent } = terminal.view;
    if (agent?.conversationId !== conversationId || agent.state !== 'idle') return true;
    if (promptsOf(terminal, conversationId) > promptsBefore) return true;
    const isEmpty = terminal.agents.run?.draft === '';
    if (isTyped && isEmpty) return true;
    isTyped ||= !isEmpty;
  }
  return false;
}

function promptsOf({ chat }: PtyInstance, conversationId: string): number {
  const isPrompt = (line: ChatLine) => 'kind' in line && line.kind === 'user' && line.conversationId === conversationId;
  return chat.lines.filter(isPrompt).length;
}
