import type { IdleReason, IdleReport } from '../../contract/mcp/exec.ts';

/** The facts about a terminal at one moment. */
export interface IdleFacts {
  readonly isRunning: boolean;
  /** null if the kernel does not report it. */
  readonly isShellForeground: boolean | null;
  readonly isAltScreen: boolean;
  /** The shell's last mark was its prompt, vouched for by its nonce. */
  readonly isAtPrompt: boolean;
  /** Whether the shell's line editor reads, not the kernel's line discipline; null when unknown. */
  readonly isEditing: boolean | null;
  /** The emulator shows nothing behind the prompt's end. */
  readonly isLineEmpty: boolean;
  readonly quietMs: number | null;
  readonly hasAgent: boolean;
}

/** Checks all conditions of mcp.md for typing a command. An unknown fact counts as false. */
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
