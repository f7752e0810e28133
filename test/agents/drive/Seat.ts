import type { FrameRow } from '../../../src-main/contract/screen/frame.ts';
import type { SeqMismatch, WaitCondition, WaitQuery, WaitResult } from '../../../src-main/contract/screen/screen.ts';
import type { Order, RigAgent } from '../launch/Agent.ts';

/** The screen counts as still after this time without a change, ms. */
const STILL_MS = 400;
/** Stillness before Return, so that the program has read the whole text, ms. */
const TYPED_MS = 150;
/** Pause between two keys, ms: programs take several keys at once for a paste, or read only the first. */
const KEY_EVERY_MS = 8;
/** The same pause during an answer, ms: some programs lose keys that come faster than they draw. */
const BUSY_KEY_EVERY_MS = 40;
/** Attempts to type a text whose keys get lost. */
const BUSY_TRIES = 3;
/** Limit for a typed text to appear, ms. */
const STANDS_MS = 4_000;
/** Matches white space and the edges of an input box, which appear where it wraps its text. */
const BETWEEN_WORDS = '[\\s│┃]+';
const TIMEOUT_MS = 45_000;

/** The part of a terminal that a person sees and uses. */
export interface SeatTerminal {
  type(data: string): void;
  paste(text: string, confirmed: boolean): Promise<{ readonly pasted: boolean }>;
  readonly screen: {
    wait(query: WaitQuery, signal?: AbortSignal): Promise<WaitResult | SeqMismatch>;
    frame(): Promise<{ readonly rows: readonly FrameRow[] }>;
  };
}

/** A person at a terminal, who reads the screen and types. */
export class Seat {
  readonly #terminal: SeatTerminal;

  constructor(terminal: SeatTerminal) {
    this.#terminal = terminal;
  }

  /** Resolves when all conditions hold at once; throws with the screen's text after `timeoutMs`. */
  async sees(conditions: readonly WaitCondition[], what: string, timeoutMs = TIMEOUT_MS): Promise<void> {
    const result = await this.#wait(conditions, timeoutMs);
    if (result.outcome === 'met') return;
    throw new Error(`${what}: ${result.outcome} after ${result.waitedMs} ms on this screen:\n${await this.text()}`);
  }

  /** Whether the pattern appears on the screen before `signal` aborts. */
  async comes(pattern: string, signal: AbortSignal): Promise<boolean> {
    try {
      const result = await this.#wait([onScreen(pattern)], TIMEOUT_MS, signal);
      return result.outcome === 'met';
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  idle({ ready, busy, dialog }: RigAgent, what: string, timeoutMs = TIMEOUT_MS): Promise<void> {
    return this.sees([onScreen(ready), absent(busy), absent(dialog), still(STILL_MS)], what, timeoutMs);
  }

  /** Waits, as people do. */
  looks(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  /**
   * Resolves when the last words of `text` appear on the screen after the call; with `isSent`, also if they are there already: the answer to a queued
   * prompt may be drawn before the person looks for it.
   */
  says(text: string, what: string, isSent = false): Promise<void> {
    const words = (text.match(/[\p{L}\p{N}]+/gu) ?? []).slice(-2);
    const pattern = words.join('[^\\p{L}\\p{N}]+');
    return this.sees([{ type: 'match', pattern, flags: 'mu', scope: isSent ? 'screen' : 'new' }], what);
  }

  keys(data: string): void {
    this.#terminal.type(data);
  }

  /** Types a line, and Return once the agent shows the text. Without `agent`, the line goes to the shell, whose command lines waits do not match. */
  async line(text: string, agent?: Pick<RigAgent, 'returnAfterMs'>): Promise<void> {
    const typed: WaitCondition = { type: 'match', pattern: endOf(text), flags: 'm', scope: 'new' };
    const shown = agent ? this.sees([typed], `"${text}" is shown`) : null;
    await Promise.all([shown, this.#type(text)]);
    await this.sees([still(agent?.returnAfterMs ?? TYPED_MS)], `"${text}" is taken in`);
    this.#terminal.type('\r');
  }

  /** Types a line while the screen changes, and checks it before Return, because a program that is busy drawing loses keys. */
  async hurries(text: string, { returnAfterMs = TYPED_MS }: Pick<RigAgent, 'returnAfterMs'>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      await this.#keys(text, BUSY_KEY_EVERY_MS);
      if (await this.#stands(text)) break;
      if (tries === BUSY_TRIES) throw new Error(`"${text}" was typed ${tries} times, and is not in the input box`);
      await this.#keys('\x7f'.repeat(text.length), BUSY_KEY_EVERY_MS);
    }
    await this.looks(returnAfterMs);
    this.#terminal.type('\r');
  }

  async paste(text: string, agent: Pick<RigAgent, 'returnAfterMs'>): Promise<void> {
    const paste = async (): Promise<void> => {
      const verdict = await this.#terminal.paste(text, true);
      if (!verdict.pasted) throw new Error(`the paste was refused: ${JSON.stringify(verdict)}`);
    };
    await Promise.all([this.sees([{ type: 'changed' }], 'the paste'), paste()]);
    await this.sees([still(agent.returnAfterMs ?? STILL_MS)], 'the pasted text');
    this.#terminal.type('\r');
  }

  async gives(order: Order, agent: RigAgent): Promise<void> {
    if ('keys' in order) this.keys(order.keys);
    else await this.line(order.line, agent);
  }

  async text(): Promise<string> {
    const { rows } = await this.#terminal.screen.frame();
    return rows.map((row) => row.text).join('\n');
  }

  /** Types a key and waits for a change, then for stillness: on a busy machine, a screen may be still because the program has not drawn yet. */
  async press(key: string, stillMs: number): Promise<void> {
    await Promise.all([this.sees([{ type: 'changed' }], 'a key'), this.#terminal.type(key)]);
    await this.sees([still(stillMs)], 'what a key does');
  }

  /** Waits until the first key appears, because a busy agent would take keys that pile up for a paste. */
  async #type(text: string): Promise<void> {
    if (text.startsWith('/')) return this.#keys(text); // during a pause, a menu of commands would complete it
    const [first = '', ...rest] = text;
    await this.press(first, TYPED_MS);
    await this.#keys(rest);
  }

  async #keys(keys: Iterable<string>, everyMs = KEY_EVERY_MS): Promise<void> {
    for (const key of keys) {
      this.#terminal.type(key);
      await this.looks(everyMs);
    }
  }

  /** Whether the whole text is on the screen, with any wrapping. */
  async #stands(text: string): Promise<boolean> {
    const pattern = text.trim().split(/\s+/).map(escaped).join(BETWEEN_WORDS);
    const result = await this.#wait([onScreen(pattern)], STANDS_MS);
    return result.outcome === 'met';
  }

  async #wait(conditions: readonly WaitCondition[], timeoutMs: number, signal?: AbortSignal): Promise<WaitResult> {
    const query = { conditions: [...conditions], mode: 'all' as const, timeoutMs, scrollback: 0 };
    const result = await this.#terminal.screen.wait(query, signal);
    if ('error' in result) throw new Error(result.error);
    if (result.outcome !== 'slow-pattern' || timeoutMs < result.waitedMs) return result;
    // On a busy machine, even a plain pattern can exceed its 50 ms. New text may be old by now, so search the whole screen.
    return this.#wait(conditions.map(anywhere), timeoutMs - result.waitedMs, signal);
  }
}

export const onScreen = (pattern: string): WaitCondition => ({ type: 'match', pattern, flags: 'm', scope: 'screen' });
export const absent = (pattern: string): WaitCondition => ({ type: 'absent', pattern, flags: 'm' });
export const still = (ms: number): WaitCondition => ({ type: 'stable', ms, ignoreRows: [] });

function anywhere(condition: WaitCondition): WaitCondition {
  return condition.type === 'match' ? { ...condition, scope: 'screen' } : condition;
}

/** A pattern for the last words of a text, with any wrapping. */
function endOf(text: string): string {
  const words = text.trim().split(/\s+/).slice(-3);
  return words.map((word) => escaped(word.slice(-20))).join(BETWEEN_WORDS);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
