import type { ScreenReading } from '../../contract/screen/screen.ts';
import { isShellForeground, readTerminalModes } from '../../pty/terminalModes.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { InputRequest } from './InputRequest.ts';

/** What stands before the cursor where a program that draws its own input asks for a secret: an `ssh` whose other end runs sudo, say. */
const ASKS_FOR_SECRET = /(?:pass(?:word|phrase|code)|\bPIN\b|secret|token)[^:：]*[:：]\s*$/iu;

/** `self`: a line editor or a full-screen program takes every key, and draws by itself what is to be seen of it. */
export type Echo = 'on' | 'off' | 'self';

/**
 * Off while the kernel gathers a line without echo (sudo, ssh, `read -s`), while the shell itself reads single keys without it (`read -sn 1`),
 * and where that cannot be told.
 */
export async function readEcho(terminal: PtyInstance): Promise<Echo> {
  const { shellPid } = terminal.input;
  const modes = shellPid === null ? null : await readTerminalModes(shellPid);
  if (modes === null || shellPid === null) return 'off';
  if (modes.hasEcho) return 'on';
  const isShellReading = terminal.book.runningId !== null && isShellForeground(shellPid) === true;
  return modes.isCanonical || isShellReading ? 'off' : 'self';
}

/** Whether what is typed there now is meant to be seen. What draws by itself shows it, unless the name of a secret stands before the cursor. */
export function isTypingShown(echo: Echo, reading: ScreenReading | { error: unknown }): boolean {
  if (echo !== 'self') return echo === 'on';
  if ('error' in reading || !reading.full) return true;
  const { rows, cursor } = reading.frame;
  return !ASKS_FOR_SECRET.test((rows[cursor.row]?.text ?? '').slice(0, cursor.col));
}

/** Of keys that are not to be recorded: how much it was, and nothing of what. */
export function unsaid({ text, keys, paste, mouse }: Typed): string {
  if (mouse) return 'mouse';
  const count = keys?.length ?? [...(text ?? paste ?? '')].length;
  return `${count} ${keys ? 'key' : 'character'}${count === 1 ? '' : 's'}, not recorded which`;
}

type Typed = { [Part in 'text' | 'keys' | 'paste' | 'mouse']?: InputRequest[Part] | undefined };
