import type { Clock } from '../../util/Clock.ts';
import type { Event } from '../../util/Emitter.ts';
import { nextBytes } from './bracketedPasteSoon.ts';
import type { TypedLine } from './TypedLine.ts';

/** A shell's line. Every value is read at each access. */
export interface ShellLine {
  readonly clock: Clock;
  readonly line: Pick<TypedLine, 'isEmpty' | 'isEntered' | 'edited'>;
  /** The shell reports its prompts, and this is one: no command runs. */
  readonly isAtPrompt: boolean;
  /** Fires when the shell has printed something. */
  readonly onFed: Event<void>;
  /** Whether the screen shows text in the line, null if unknown. */
  showsText(): Promise<boolean | null>;
  send(keys: string): void;
}

/** Time until a shell has reported what became of a line, or has drawn its next prompt; a busy machine may need it. */
const REPORT_MS = 500;

const CTRL_C = '\x03';
/**
 * For a line editor that took Ctrl-C as text (bash after Ctrl-V, fish in an unclosed paste) or ignored it in an empty line (fish): ends the paste and
 * enters a letter, also from vi's normal mode. The next Ctrl-C discards it.
 */
const END_PASTE_AND_TYPE = '\x1b[201~ix';

/**
 * Prepares a line so that Ctrl-U empties it. Keys may have moved its cursor, left insert mode or begun a paste, and Ctrl-U would leave text behind;
 * Ctrl-C ends all of that, and the next prompt proves it. False: there was no prompt.
 */
export async function preparedForDiscard(shell: ShellLine): Promise<boolean> {
  const { line } = shell;
  const isOver = () => line.isEmpty || !shell.isAtPrompt;
  if (isOver() || line.edited === 'no') return true;
  if (line.edited === 'ahead' && (await shell.showsText()) !== true) return true;
  if (line.isEntered) return until(shell, isOver);
  shell.send(CTRL_C);
  if (await until(shell, isOver)) return true;
  shell.send(END_PASTE_AND_TYPE);
  if (await until(shell, isOver)) return true; // when Ctrl-C comes, the kernel drops what the shell has not read by then
  shell.send(CTRL_C);
  return until(shell, isOver);
}

/** Waits, for `REPORT_MS` at most; false if the condition does not hold then. */
async function until({ clock, onFed }: ShellLine, holds: () => boolean): Promise<boolean> {
  const deadlineMs = clock.monotonicMs() + REPORT_MS;
  for (;;) {
    const leftMs = deadlineMs - clock.monotonicMs();
    if (holds() || leftMs <= 0) return holds();
    await nextBytes({ clock, onFed }, leftMs);
  }
}
