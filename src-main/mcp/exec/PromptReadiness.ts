import type { IdleReport } from '../../contract/mcp/exec.ts';
import { isShellForeground, readTerminalModes } from '../../pty/terminalModes.ts';
import type { ScreenInput } from '../../screen/rows/promptText.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Clock } from '../../util/Clock.ts';
import { type IdleFacts, idleReport } from './idleReport.ts';

/** A shell that does not tell where its prompt ends has drawn it when it has printed nothing for so long. */
const DRAWN_MS = 150;

/** A look at a terminal's line. Worth what it says only as long as `PromptReadiness.isCurrent`. */
export interface LineLook {
  readonly report: IdleReport;
  readonly input: ScreenInput;
  readonly rawSize: number;
  readonly keyCount: number;
}

/** Tells whether a command may be typed into a terminal now. */
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

  /** Asks the screen and the kernel. Rejects when the terminal has no screen any more. */
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

  /** Nothing was printed or typed since, and what can be asked at once is as it was. Who then writes in the same turn writes into that line. */
  isCurrent({ rawSize, keyCount, input, report }: LineLook, typingHoldMs: number): boolean {
    const { keys } = this.#terminal.input;
    if (this.#terminal.rawSize !== rawSize || keys.count !== keyCount) return false;
    const facts = { ...this.#known(), isEditing: true, isLineEmpty: input.isEmpty, quietMs: keys.quietMs };
    return report.idle && idleReport(facts, typingHoldMs).idle;
  }

  /** What needs no waiting. */
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

  /** A prompt at which no key was pressed, and which is drawn: the line begins where the cursor stands. */
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
