import type { IdleReport } from '../../contract/mcp/exec.ts';
import { encodePaste } from '../../pty/sanitizePaste.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Clock } from '../../util/Clock.ts';
import { isEcho } from './isEcho.ts';
import { isTallerThan, TOO_TALL } from './isTallerThan.ts';
import { type LineLook, PromptReadiness } from './PromptReadiness.ts';

/** Number of looks at a terminal that keeps printing before it counts as busy. */
const MAX_LOOKS = 20;
/** The longest time for which the person's keys are held (mcp.md). */
const KEYS_HELD_MS = 300;
/** A Ctrl-C that follows our Return is held longer, until the command begins; see `begins`. */
const INTERRUPT_HELD_MS = 1_000;
/** Enough for a shell on a busy machine. */
const ECHO_MS = 3_000;
/** mcp.md: "BEGIN not seen in 3 s". */
const BEGIN_MS = 3_000;
/** In canonical mode, a program gets at most 4,096 bytes per line. */
const MAX_UNBRACKETED_BYTES = 4000;
/** See `DISCARD_LINE` in Input.ts. */
const DISCARD_LINE = '\x15';
const BACKSPACE = '\x7f';
const INTERRUPT = '\x03';

export interface LineToSend {
  readonly cmd: string;
  readonly blockId: string;
  readonly actor: string;
  readonly typingHoldMs: number;
  /** Called synchronously right before the first byte and before Return: whether the command is still wanted and its approval still applies. */
  isStillAllowed(): boolean;
  /** Called synchronously right before Return is sent. */
  returning(): void;
}

/** `gaveWay`: the person typed, so our text was removed from the line. */
export type LineOutcome =
  | { type: 'sent' }
  | { type: 'blocked'; report: IdleReport }
  | { type: 'changed' }
  | { type: 'gaveWay' }
  | { type: 'failed'; why: string; screen: string };

/** Types a command into a shell's empty line, checks that the line shows it, and sends Return. One command at a time. */
export class LineWriter {
  readonly #terminal: PtyInstance;
  readonly #readiness: PromptReadiness;
  readonly #clock: Clock;
  /** Deadline for releasing the person's keys, once a key is held. */
  #giveWayMs = Number.POSITIVE_INFINITY;
  /** When the first held key arrived. */
  #heldMs = 0;
  #poke: () => void = () => undefined;

  constructor(terminal: PtyInstance, clock: Clock) {
    this.#terminal = terminal;
    this.#readiness = new PromptReadiness(terminal, clock);
    this.#clock = clock;
  }

  /** Reports whether a line can be typed now. */
  async idle(typingHoldMs: number): Promise<IdleReport> {
    return (await this.#readiness.look(typingHoldMs)).report;
  }

  async send(line: LineToSend): Promise<LineOutcome> {
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const look = await this.#readiness.look(line.typingHoldMs);
      if (!look.report.idle) return { type: 'blocked', report: look.report };
      const refusal = refuse(line.cmd, look, this.#terminal.view);
      if (refusal !== null) return { type: 'failed', why: refusal, screen: '' };
      if (!this.#readiness.isCurrent(look, line.typingHoldMs)) continue;
      if (!line.isStillAllowed()) return { type: 'changed' };
      return this.#write(line, look.input.bracketedPaste); // synchronously after the check
    }
    return { type: 'blocked', report: { idle: false, reasons: ['foreground_process'], quietMs: null } };
  }

  /**
   * Whether the shell has begun the sent command. `passed`: it drew its prompt and ran nothing. `late`: neither within 3 s; if the command begins
   * before the next prompt, its block still opens. The person's keys are held until it begins, within limits: when Ctrl-C directly follows Return,
   * bash runs the line without its first character.
   */
  async begins(blockId: string, hasBegun: () => boolean): Promise<'begun' | 'passed' | 'late'> {
    const { book, input } = this.#terminal;
    const keyCount = input.keys.count;
    const deadlineMs = this.#clock.monotonicMs() + BEGIN_MS;
    const opened = book.onChange(({ type }) => type === 'open' && this.#poke());
    try {
      while (!hasBegun() && this.#clock.monotonicMs() < deadlineMs && input.shellPid !== null) {
        this.#giveWay();
        await this.#wake(Math.min(deadlineMs, this.#giveWayMs));
      }
    } finally {
      opened.dispose();
      this.#release();
    }
    if (hasBegun()) return 'begun';
    const isPassed = book.isPassed(blockId);
    book.givenUp(blockId, this.#now());
    if (isPassed) return 'passed';
    const isAsking = input.shellPid !== null && (await this.#terminal.screen.input()).bracketedPaste;
    if (isAsking && !hasBegun() && input.keys.count === keyCount) input.write(INTERRUPT); // the shell asks for the rest of our line
    return hasBegun() ? 'begun' : 'late';
  }

  async #write(line: LineToSend, isBracketed: boolean): Promise<LineOutcome> {
    const { input } = this.#terminal;
    input.hold(() => {
      this.#heldMs = this.#clock.monotonicMs();
      this.#giveWayMs = this.#heldMs + KEYS_HELD_MS;
      this.#poke();
    });
    let outcome: LineOutcome | null = null;
    try {
      input.write(encodePaste(line.cmd, isBracketed));
      outcome = await this.#echoed(line);
      return outcome;
    } finally {
      if (outcome?.type !== 'sent') this.#release();
    }
  }

  /** Sends Return as soon as the line shows the command. */
  async #echoed(line: LineToSend): Promise<LineOutcome> {
    const { input, screen, book } = this.#terminal;
    const deadlineMs = this.#clock.monotonicMs() + ECHO_MS;
    for (;;) {
      const { rawSize } = this.#terminal;
      const shown = await screen.input();
      if (!line.isStillAllowed()) return this.#takeBack(line, 'changed');
      if (isEcho(shown.beforeCursor, line.cmd)) {
        line.returning();
        book.submitted(line.cmd, this.#now(), { actor: line.actor, blockId: line.blockId });
        input.write('\r');
        return { type: 'sent' };
      }
      const nowMs = this.#clock.monotonicMs();
      if (nowMs >= this.#giveWayMs) return this.#takeBack(line, 'gaveWay');
      if (nowMs >= deadlineMs) return await this.#fail(line);
      if (this.#terminal.rawSize === rawSize) await this.#wake(Math.min(this.#giveWayMs, deadlineMs)); // output came after this look
    }
  }

  /** Releases the person's keys if they were held long enough. */
  #giveWay(): void {
    if (this.#clock.monotonicMs() < this.#giveWayMs) return;
    const longerMs = this.#heldMs + INTERRUPT_HELD_MS;
    if (this.#terminal.input.isInterruptHeld && this.#clock.monotonicMs() < longerMs) this.#giveWayMs = longerMs;
    else this.#release();
  }

  /** Sends the person's held keys, synchronously. */
  #release(): void {
    this.#giveWayMs = Number.POSITIVE_INFINITY;
    if (this.#terminal.input.isHeld) this.#terminal.input.release();
  }

  /** Removes our text from the line, then sends the person's keys synchronously. */
  #takeBack<T extends 'gaveWay' | 'changed'>({ cmd }: LineToSend, type: T): { type: T } {
    const { input } = this.#terminal;
    input.write(discard(cmd));
    this.#release();
    return { type };
  }

  async #fail(line: LineToSend): Promise<LineOutcome> {
    const screen = await this.screenText();
    this.#takeBack(line, 'changed');
    return {
      type: 'failed',
      why: 'the shell did not show the command as it was typed, so it was taken out again',
      screen,
    };
  }

  async screenText(): Promise<string> {
    const { rows } = await this.#terminal.screen.frame();
    const text = rows.map((row) => row.text);
    while (text.at(-1) === '') text.pop();
    return text.join('\n');
  }

  /** Resolves when the shell prints something, when the person types, or at `untilMs`. */
  #wake(untilMs: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = (): void => {
        timer.dispose();
        fed.dispose();
        this.#poke = () => undefined;
        resolve();
      };
      this.#poke = stop;
      const timer = this.#clock.after(Math.max(0, untilMs - this.#clock.monotonicMs()), stop);
      const fed = this.#terminal.input.onFed(stop);
    });
  }

  #now(): { atMs: number; monoMs: number } {
    return { atMs: this.#clock.nowMs(), monoMs: this.#clock.monotonicMs() };
  }
}

/** The reason why this prompt cannot take the line at all, or null. */
function refuse(cmd: string, { input }: LineLook, { cols, rows }: { cols: number; rows: number }): string | null {
  if (cmd.includes('\n') && !input.bracketedPaste)
    return 'this shell takes no pastes, so it would run each line by itself';
  if (!input.bracketedPaste && Buffer.byteLength(cmd) > MAX_UNBRACKETED_BYTES)
    return 'this shell takes no pastes, and the command is too long to be typed';
  return isTallerThan(cmd, { cols, rows }) ? TOO_TALL : null;
}

/** Keys that empty a line which contains `cmd` with the cursor behind it. Some line editors discard only the cursor's own line of several. */
export function discard(cmd: string): string {
  return DISCARD_LINE + (BACKSPACE + DISCARD_LINE).repeat(cmd.split('\n').length - 1);
}
