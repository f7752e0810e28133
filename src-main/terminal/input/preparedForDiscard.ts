import type { Clock } from '../../util/Clock.ts';
import type { Event } from '../../util/Emitter.ts';
import { nextBytes } from './bracketedPasteSoon.ts';
import type { TypedLine } from './TypedLine.ts';

/** A shell's line. Every value is read at each access. */
export interface ShellLine {
  readonly clock: Clock;
  readonly line: Pick<TypedLine, 'isEmpty' | 'isEntered' | 'mayRun' | 'edited'>;
  /** The shell reports its prompts, and this is one: no command runs. */
  readonly isAtPrompt: boolean;
  /** When the shell reported its prompt, ms of the monotonic clock. */
  readonly promptedMs: number;
  /** False if one of the shell's programs reads the keys, for example an editor for the line. */
  readonly hasTerminal: boolean;
  /** Fires when the shell has printed something. */
  readonly onFed: Event<void>;
  /** Whether the screen shows text in the line, null if unknown. */
  showsText(): Promise<boolean | null>;
  send(keys: string): void;
}

/** Time until a shell has reported what became of a line, or has drawn its next prompt; a busy machine may need it. */
const REPORT_MS = 500;

/** Time from a prompt until keys typed ahead have run as a command or are shown in the line of a new prompt. */
const AHEAD_MS = 250;

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
  if (line.edited === 'ahead') {
    if (await until(shell, isOver, shell.promptedMs + AHEAD_MS - shell.clock.monotonicMs())) return true;
    if (line.edited === 'ahead' && (await shell.showsText()) !== true) return true;
  }
  // The person's own Ctrl-C may just have ended the line.
  const isCtrlCTyped = line.isEntered && !line.mayRun;
  if (isCtrlCTyped && (await until(shell, isOver))) return true;
  // When Ctrl-C comes, the kernel drops what the shell has not read by then, so each key gets its time.
  for (const keys of [CTRL_C, END_PASTE_AND_TYPE, CTRL_C]) {
    // Ctrl-C would interrupt the command of an entered line, and these keys are not for an editor that has the terminal.
    const mayPress = !line.mayRun && shell.hasTerminal;
    if (mayPress) shell.send(keys);
    if (await until(shell, isOver)) return true;
    if (!mayPress) return false;
  }
  return false;
}

/** Waits, for `withinMs` at most; false if the condition does not hold then. */
async function until({ clock, onFed }: ShellLine, holds: () => boolean, withinMs = REPORT_MS): Promise<boolean> {
  const deadlineMs = clock.monotonicMs() + withinMs;
  for (;;) {
    const leftMs = deadlineMs - clock.monotonicMs();
    if (holds() || leftMs <= 0) return holds();
    await nextBytes({ clock, onFed }, leftMs);
  }
}
