import type { ScreenReading } from '../../contract/screen/screen.ts';
import type { TerminalView } from '../../contract/terminal.ts';
import { readTerminalModes, type TerminalModes } from '../../pty/terminalModes.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';

/**
 * The input that a terminal waits for. `command`: its shell is at the prompt. `prompt`, `answer`: its agent is idle, or asks something. `secret`: a
 * line that is hidden while it is typed. `keys`: a program reads single keys, which it may also do while it works. `line`: the text before the cursor
 * looks like a question, and nothing was printed since. `nothing`: it works, or has ended. `unknown`: no evidence, because a quiet build looks the
 * same.
 */
export type WaitsFor = 'command' | 'prompt' | 'answer' | 'secret' | 'keys' | 'line' | 'nothing' | 'unknown';

export interface WaitFacts {
  readonly view: Pick<TerminalView, 'state' | 'agent' | 'atPrompt' | 'runningBlockId' | 'keyTaker'>;
  /** Null if the kernel does not report it. */
  readonly modes: TerminalModes | null;
  /** The text before the cursor in its row; null if not known. */
  readonly before: string | null;
  /** Time since the last output, ms. */
  readonly quietMs: number;
}

/** Quiet time after which a program counts as having printed its question. */
const ASKED_MS = 500;
const QUESTION_END = /[?:：>\])»][ \t]*$/u;

export function waitsFor({ view, modes, before, quietMs }: WaitFacts): WaitsFor {
  if (view.state === 'exited') return 'nothing';
  if (view.agent) return AGENTS[view.agent.state] ?? 'unknown';
  if (view.runningBlockId === null) return view.atPrompt ? 'command' : 'unknown';
  if (modes?.isCanonical === true && !modes.hasEcho) return 'secret';
  if (view.keyTaker) return 'keys';
  if (modes?.isCanonical !== true || before === null || quietMs < ASKED_MS) return 'unknown';
  return QUESTION_END.test(before) ? 'line' : 'unknown';
}

const AGENTS: Readonly<Partial<Record<string, WaitsFor>>> = {
  idle: 'prompt',
  needs_approval: 'answer',
  needs_input: 'answer',
  working: 'nothing',
  starting: 'nothing',
};

/** Asks the kernel only while a command runs. */
export async function readWaitsFor(
  { view, input: { shellPid } }: PtyInstance,
  reading: ScreenReading,
  quietMs: number,
): Promise<WaitsFor> {
  const modes = view.runningBlockId === null || shellPid === null ? null : await readTerminalModes(shellPid);
  const frame = reading.full ? reading.frame : null;
  const before = frame ? (frame.rows[frame.cursor.row]?.text ?? '').slice(0, frame.cursor.col) : null;
  return waitsFor({ view, modes, before, quietMs });
}
