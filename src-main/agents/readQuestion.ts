import { createHash } from 'node:crypto';
import type { AgentQuestion } from '../contract/agents.ts';
import type { ChatLine, ChatMessage } from '../contract/chat/chat.ts';
import type { Frame } from '../contract/screen/frame.ts';
import { type Dialog, findDialog } from '../conversations/extraction/dialog/findDialog.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { Clock } from '../util/Clock.ts';
import { screenChanges } from './screenChanges.ts';

/** Enough for an agent that erases its rows to draw them again. */
export const REDRAWN_MS = 300;
const CHECKBOX = /^(?:\[(?: |✔|✓|x|X)\]|☐|☑|☒) */;
const CHECKED = /^(?:\[[^ ]\]|☑|☒)/;
const ID_DIGITS = 24;

/** A question on a screen, and the frame that it was read from. */
export interface ShownDialog {
  readonly question: AgentQuestion;
  readonly dialog: Dialog;
  /** The time when it appeared on the screen, ms since 1970. */
  readonly sinceMs: number;
}

/**
 * The question that the agent in the terminal shows now, fully drawn; null if the screen shows none, or if the conversation does not contain it yet,
 * because its id would change then.
 */
export async function readQuestion(terminal: PtyInstance): Promise<ShownDialog | null> {
  const { agent } = terminal.view;
  if (!agent) return null;
  const dialog = dialogOf(await terminal.screen.drawn());
  if (!dialog || !terminal.agents.hasTerminal) return null; // in this order: the processes are looked at only for a question
  const asked = openQuestion(terminal.chat.lines, agent.conversationId);
  if (!asked) return null;
  const extractor = terminal.agents.run?.extractor;
  const takesText = dialog.options.map((label) => extractor?.takesText?.(label) ?? false);
  const question = { ...questionOf(dialog, `${agent.conversationId}/${asked.id}`), takesText };
  const whole = wholeText(asked.text, question.text);
  return { question: { ...question, text: whole }, dialog, sinceMs: asked.startedMs };
}

/** The question on the screen, also if the agent has just erased its rows to draw them again; null if there is none. */
export async function shownQuestion(terminal: PtyInstance, clock: Clock): Promise<ShownDialog | null> {
  for await (const _ of screenChanges({ terminal, clock }, REDRAWN_MS)) {
    const shown = await readQuestion(terminal).catch(() => null); // the terminal was closed meanwhile
    if (shown || !terminal.view.agent) return shown;
  }
  return null;
}

function dialogOf({ rows, cols, altScreen, title, cursor }: Frame): Dialog | null {
  return findDialog({ rows, screenTop: 0, cols, altScreen, title, cursorRow: cursor.visible ? cursor.row : null });
}

/** A one-line question may be below its subject, after blank rows; its message contains both. */
function wholeText(said: string, about: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  const at = lines.lastIndexOf(about);
  return at > 0 ? lines.slice(0, at + 1).join('\n') : about;
}

/** Finds the message of the open question, so that two questions with the same words have different ids. */
function openQuestion(lines: readonly ChatLine[], conversationId: string): ChatMessage | null {
  const isOpen = (line: ChatLine): line is ChatMessage =>
    'kind' in line &&
    line.kind === 'permission' &&
    line.conversationId === conversationId &&
    line.question !== undefined &&
    line.question.verdict === undefined;
  return lines.findLast(isOpen) ?? null;
}

/** `of`: its owner. The pointer's position is ignored, because an answer moves it. */
export function questionOf(dialog: Dialog, of: string): Omit<AgentQuestion, 'takesText'> {
  const { about: text, isPaged } = dialog;
  const words = JSON.stringify([of, text, dialog.options]);
  const id = createHash('sha256').update(words).digest('hex').slice(0, ID_DIGITS);
  const checked = dialog.options.map((label) => (CHECKBOX.test(label) ? CHECKED.test(label) : null));
  const options = dialog.options.map((label) => label.replace(CHECKBOX, ''));
  return { id, text, options, obstacle: obstacleOf(dialog), checked, hasNext: isPaged };
}

function obstacleOf({ options, pointed, isPaged }: Dialog): AgentQuestion['obstacle'] {
  if (options.some((label) => CHECKBOX.test(label)) && !isPaged) return 'checkboxes';
  return pointed === null ? 'pointer' : null;
}
