import type { IdleReason, IdleReport } from '../../contract/mcp/exec.ts';

/** What is known of a terminal at one moment. */
export interface IdleFacts {
  readonly isRunning: boolean;
  /** null: the kernel does not tell. */
  readonly isShellForeground: boolean | null;
  readonly isAltScreen: boolean;
  /** The shell's last mark was its prompt, vouched for by its nonce. */
  readonly isAtPrompt: boolean;
  /** The shell's line editor reads, and not the kernel's line discipline; null when that cannot be told. */
  readonly isEditing: boolean | null;
  /** The emulator shows nothing behind the prompt's end. */
  readonly isLineEmpty: boolean;
  readonly quietMs: number | null;
  readonly hasAgent: boolean;
}

/** All of mcp.md's conditions for a command to be typed. What cannot be told counts as not being so. */
export function idleReport(facts: IdleFacts, typingHoldMs: number): IdleReport {
  const { quietMs } = facts;
  const isNoPrompt = !facts.isRunning && (!facts.isAtPrompt || facts.isEditing !== true);
  const found: readonly (readonly [IdleReason, boolean])[] = [
    ['block_running', facts.isRunning],
    ['foreground_process', facts.isShellForeground !== true],
    ['alt_screen', facts.isAltScreen],
    ['no_prompt', isNoPrompt],
    ['line_not_empty', !facts.isRunning && !isNoPrompt && !facts.isLineEmpty],
    ['user_typing', quietMs !== null && quietMs < typingHoldMs],
    ['agent_session', facts.hasAgent],
  ];
  const reasons = found.filter(([, isSo]) => isSo).map(([reason]) => reason);
  return { idle: reasons.length === 0, reasons, quietMs };
}
