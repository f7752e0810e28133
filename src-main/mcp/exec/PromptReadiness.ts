import type { IdleReport } from '../../contract/mcp/exec.ts';
import { isShellForeground, readTerminalModes } from '../../pty/terminalModes.ts';
import type { ScreenInput } from '../../screen/rows/promptText.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Clock } from '../../util/Clock.ts';
import { type IdleFacts, idleReport } from './idleReport.ts';

/** If the shell does not mark the end of its prompt, the prompt counts as drawn after this time without output. */
const DRAWN_MS = 150;

/** One look at a terminal's line. Valid only while `PromptReadiness.isCurrent`. */
export interface LineLook {
  readonly report: IdleReport;
  readonly input: ScreenInput;
  readonly rawSize: number;
  readonly keyCount: number;
}

/** Decides whether a command may be typed into a terminal now. */
export class PromptReadiness {
  readonly #terminal: PtyInstance;
  readonly #clock: Clock;
  #printedMs: number;

  constructor(terminal: PtyInstance, clock: Clock) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#printedMs = clock.monotonicMs();
    terminal.input.onFed(() => {
      this.#printedMs = clock.monotonicMs();
    });
  }

  /** Asks the screen and the kernel. Rejects if the terminal no longer has a screen. */
  async look(typingHoldMs: number): Promise<LineLook> {
    const { rawSize, screen } = this.#terminal;
    const { keys } = this.#terminal.input;
    const keyCount = keys.count;
    const first = await screen.input();
    const input = first.beforeCursor === null && this.#isFreshPrompt() ? await screen.input(true) : first;
    const isEditing = input.bracketedPaste || (await this.#isEdited());
    const facts = {
      ...this.#known(),
      isEditing,
      isLineEmpty: input.isEmpty && !keys.isInterrupting,
      quietMs: keys.quietMs,
    };
    return { report: idleReport(facts, typingHoldMs), input, rawSize, keyCount };
  }

  /**
   * Whether nothing was printed or typed since the look and all facts known synchronously are the same. A caller that writes synchronously afterwards
   * writes into the line that was looked at.
   */
  isCurrent({ rawSize, keyCount, input, report }: LineLook, typingHoldMs: number): boolean {
    const { keys } = this.#terminal.input;
    if (this.#terminal.rawSize !== rawSize || keys.count !== keyCount) return false;
    const facts = { ...this.#known(), isEditing: true, isLineEmpty: input.isEmpty, quietMs: keys.quietMs };
    return report.idle && idleReport(facts, typingHoldMs).idle;
  }

  /** The facts that are known synchronously. */
  #known(): Pick<IdleFacts, 'isRunning' | 'isShellForeground' | 'isAltScreen' | 'isAtPrompt' | 'hasAgent'> {
    const { view, book, input, agents } = this.#terminal;
    const { shellPid } = input;
    return {
      isRunning: book.runningId !== null,
      isShellForeground: shellPid === null ? null : isShellForeground(shellPid),
      isAltScreen: view.altScreen,
      isAtPrompt: view.atPrompt,
      hasAgent: agents.run !== null,
    };
  }

  /** Whether the prompt is drawn and no key was pressed at it, so the line begins at the cursor. */
  #isFreshPrompt(): boolean {
    const { view, input, book } = this.#terminal;
    const isDrawn = this.#clock.monotonicMs() - this.#printedMs >= DRAWN_MS;
    return view.atPrompt && book.runningId === null && input.line.isEmpty && isDrawn;
  }

  async #isEdited(): Promise<boolean | null> {
    const { shellPid } = this.#terminal.input;
    const modes = shellPid === null ? null : await readTerminalModes(shellPid);
    return modes === null ? null : !modes.isCanonical && !modes.hasEcho;
  }
}
