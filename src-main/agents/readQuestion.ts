import { createHash } from 'node:crypto';
import type { AgentQuestion } from '../contract/agents.ts';
import type { ChatLine } from '../contract/chat/chat.ts';
import type { Frame } from '../contract/screen/frame.ts';
import { type Dialog, findDialog } from '../conversations/extraction/dialog/findDialog.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';

const CHECKBOX = /^(?:\[(?: |✔|✓|x|X)\]|☐|☑|☒)/;
const ID_DIGITS = 24;

/** A question on a screen, and the frame that it was read from. */
export interface ShownDialog {
  readonly question: AgentQuestion;
  readonly dialog: Dialog;
  readonly seq: number;
  readonly epoch: string;
}

/** The question that the agent in the terminal shows now; null when its screen has none. */
export async function readQuestion(terminal: PtyInstance): Promise<ShownDialog | null> {
  const { agent } = terminal.view;
  if (!agent) return null;
  const reading = await terminal.screen.read({ scrollback: 0 });
  if ('error' in reading || !reading.full) return null;
  const dialog = dialogOf(reading.frame);
  if (!dialog) return null;
  const asked = openQuestion(terminal.chat.lines, agent.conversationId);
  const question = questionOf(dialog, `${agent.conversationId}/${asked ?? ''}`);
  return { question, dialog, seq: reading.seq, epoch: reading.epoch };
}

function dialogOf({ rows, cols, altScreen, title, cursor }: Frame): Dialog | null {
  return findDialog({ rows, screenTop: 0, cols, altScreen, title, cursorRow: cursor.visible ? cursor.row : null });
}

/** Id of the message that holds the question which is not answered yet: two questions with the same words are two. */
function openQuestion(lines: readonly ChatLine[], conversationId: string): string | null {
  const open = lines.findLast(
    (line) =>
      'kind' in line &&
      line.kind === 'permission' &&
      line.conversationId === conversationId &&
      line.question?.verdict === undefined,
  );
  return open?.id ?? null;
}

/** `of`: whose it is. Where the pointer is does not matter: an answer moves it. */
export function questionOf(dialog: Dialog, of: string): AgentQuestion {
  const { about: text, options } = dialog;
  const words = JSON.stringify([of, text, options]);
  const id = createHash('sha256').update(words).digest('hex').slice(0, ID_DIGITS);
  return { id, text, options, obstacle: obstacleOf(dialog) };
}

function obstacleOf({ options, pointed }: Dialog): AgentQuestion['obstacle'] {
  if (options.some((label) => CHECKBOX.test(label))) return 'checkboxes';
  return pointed === null ? 'pointer' : null;
}
