import type { ScreenReading } from '../../contract/screen/screen.ts';
import { isShellForeground, readTerminalModes } from '../../pty/terminalModes.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { InputRequest } from './InputRequest.ts';

/** Text before the cursor when a program that draws its own input asks for a secret, for example `ssh` to a host that runs sudo. */
const ASKS_FOR_SECRET = /(?:pass(?:word|phrase|code)|\bPIN\b|secret|token)[^:：]*[:：]\s*$/iu;

/** `self`: a line editor or full-screen program reads every key and draws the input itself. */
export type Echo = 'on' | 'off' | 'self';

/**
 * `off` while the kernel reads a line without echo (sudo, ssh, `read -s`), while the shell reads single keys without echo (`read -sn 1`), and if
 * unknown.
 */
export async function readEcho(terminal: PtyInstance): Promise<Echo> {
  const { shellPid } = terminal.input;
  const modes = shellPid === null ? null : await readTerminalModes(shellPid);
  if (modes === null || shellPid === null) return 'off';
  if (modes.hasEcho) return 'on';
  const isShellReading = terminal.book.runningId !== null && isShellForeground(shellPid) === true;
  return modes.isCanonical || isShellReading ? 'off' : 'self';
}

/** Whether typed input is meant to be visible. A program that draws its own input shows it, unless the text before the cursor asks for a secret. */
export function isTypingShown(echo: Echo, reading: ScreenReading | { error: unknown }): boolean {
  if (echo !== 'self') return echo === 'on';
  if ('error' in reading || !reading.full) return true;
  const { rows, cursor } = reading.frame;
  return !ASKS_FOR_SECRET.test((rows[cursor.row]?.text ?? '').slice(0, cursor.col));
}

/** Describes keys that must not be recorded, by their number only. */
export function unsaid({ text, keys, paste, mouse }: Typed): string {
  if (mouse) return 'mouse';
  const count = keys?.length ?? [...(text ?? paste ?? '')].length;
  return `${count} ${keys ? 'key' : 'character'}${count === 1 ? '' : 's'}, not recorded which`;
}

type Typed = { [Part in 'text' | 'keys' | 'paste' | 'mouse']?: InputRequest[Part] | undefined };
