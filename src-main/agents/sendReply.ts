import type { QueuedReply } from '../contract/agents.ts';
import type { ChatLine } from '../contract/chat/chat.ts';
import { encodePaste } from '../pty/sanitizePaste.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { Clock } from '../util/Clock.ts';
import { readQuestion } from './readQuestion.ts';
import { screenChanges, untilShown } from './screenChanges.ts';

/** Limit for pasted text to appear in the input line of a busy agent. */
const DRAWN_MS = 10_000;
/** Agents treat an earlier Return as part of the text (Codex: within 120 ms). */
const RETURN_AFTER_MS = 300;
/** Enough for an agent to start work on a prompt, or to empty its input line. */
const TAKEN_MS = 5_000;

export interface ReplySpec {
  readonly terminal: PtyInstance;
  readonly conversationId: string;
  readonly text: string;
  /** `user`, or `agent:` and the client. */
  readonly actor: string;
  readonly clock: Clock;
  /** Called right before the first byte. It throws if the reply must not be sent; then nothing is sent. */
  readonly guard?: (() => void) | undefined;
}

interface Sending extends ReplySpec {
  readonly promptsBefore: number;
}

/** `isSeen` is false if the text was typed, but the agent did not visibly take the prompt. */
export type ReplyOutcome = { readonly sent: true; readonly isSeen: boolean } | { readonly waitsFor: WaitsFor };
export type WaitsFor = QueuedReply['waitsFor'];

/** What blocks a prompt for that conversation; null if the agent takes input and its input line is empty. */
export function waitsFor(terminal: PtyInstance, conversationId: string): WaitsFor | null {
  const { agent } = terminal.view;
  if (agent?.conversationId !== conversationId || !terminal.agents.hasTerminal) return 'agent';
  if (agent.state === 'needs_approval' || agent.state === 'needs_input') return 'answer';
  if (agent.state !== 'idle') return 'turn';
  const draft = terminal.agents.run?.draft;
  if (draft === undefined) return 'input';
  return draft === '' ? null : 'draft';
}

/**
 * Types a prompt into the agent's empty input line and sends it. Keys that the person types meanwhile follow it. Sends nothing if the agent takes no
 * input or its input line contains text. The caller sends one reply at a time to each terminal.
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
    const isBracketed = await bracketed(terminal);
    const now = waitsFor(terminal, conversationId);
    if (now !== null) return { waitsFor: now };
    if (isBracketed === null) return { waitsFor: 'input' };
    if (!isBracketed && /[\r\n]/.test(text)) return { waitsFor: 'input' }; // each line would be a separate prompt
    spec.guard?.();
    put(spec, encodePaste(text, isBracketed));
    return { sent: true, isSeen: await sendTyped(spec, promptsBefore).catch(() => false) }; // the text was typed, whatever happens to the screen
  } finally {
    input.release();
  }
}

/** Whether pastes are bracketed, once the screen is drawn; null if the emulator is being replaced or the terminal was closed. */
function bracketed({ screen }: PtyInstance): Promise<boolean | null> {
  const read = async () => {
    await screen.drawn();
    return screen.bracketedPaste();
  };
  return read().catch(() => null);
}

/**
 * Presses Return for the text in the input line; resolves with whether the agent visibly took it. Return is pressed once, and only behind text that
 * the agent shows: a slow agent would read another one as the answer to a question.
 */
async function sendTyped(spec: ReplySpec, promptsBefore: number): Promise<boolean> {
  if (!(await isDrawn(spec))) return false;
  await new Promise<void>((resolve) => spec.clock.after(RETURN_AFTER_MS, resolve));
  if (!(await canSend(spec)) || hasLostHead(spec)) return false;
  put(spec, '\r');
  return isTaken({ ...spec, promptsBefore });
}

async function isDrawn(spec: ReplySpec): Promise<boolean> {
  for await (const _ of screenChanges(spec, DRAWN_MS)) if (hasDraft(spec)) return true;
  return false;
}

function hasDraft({ terminal }: ReplySpec): boolean {
  return (terminal.agents.run?.draft ?? '') !== '';
}

/**
 * True if the agent's input line lacks the first letters of the text: the agent has dropped keys (Claude Code 2.1.329 did, after a refused tool), and
 * another prompt would be sent. Judges only a short line, which is shown whole; a first `!` or `/` may be shown apart from the rest.
 */
function hasLostHead({ terminal, text }: ReplySpec): boolean {
  if (text.includes('\n') || text.length > terminal.view.cols / 2) return false;
  const [shown, wanted] = [terminal.agents.run?.draft ?? '', text].map((line) => line.replace(/\s+/g, ''));
  if (!shown || !wanted?.endsWith(shown)) return false;
  return /^[\p{L}\p{N}]+$/u.test(wanted.slice(0, wanted.length - shown.length));
}

/** True if no new question is open, which Return would answer. */
async function canSend({ terminal, conversationId }: ReplySpec): Promise<boolean> {
  await terminal.screen.drawn();
  return waitsFor(terminal, conversationId) !== 'answer' && (await readQuestion(terminal).catch(() => null)) === null;
}

/** Bypasses the hold, which is for the person's keys. */
function put({ terminal, actor }: ReplySpec, data: string): void {
  terminal.agents.typed(data, actor);
  terminal.input.write(data);
}

/** Whether the agent works, its input line was emptied, or it shows the prompt as sent. */
async function isTaken(sending: Sending): Promise<boolean> {
  const { terminal, conversationId, promptsBefore } = sending;
  for await (const _ of screenChanges(sending, TAKEN_MS)) {
    const { agent } = terminal.view;
    if (agent?.conversationId !== conversationId || agent.state !== 'idle') return true;
    if (promptsOf(terminal, conversationId) > promptsBefore) return true;
    if (terminal.agents.run?.draft === '') return true;
  }
  return false;
}

function promptsOf({ chat }: PtyInstance, conversationId: string): number {
  const isPrompt = (line: ChatLine) => 'kind' in line && line.kind === 'user' && line.conversationId === conversationId;
  return chat.lines.filter(isPrompt).length;
}
