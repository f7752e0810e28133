import type { FrameRow } from '../../../src-main/contract/screen/frame.ts';
import type { SeqMismatch, WaitCondition, WaitQuery, WaitResult } from '../../../src-main/contract/screen/screen.ts';
import type { Order, RigAgent } from '../launch/Agent.ts';

/** The screen is taken for still after this, ms. */
const STILL_MS = 400;
/** Before Return, so that all of the text has been taken in, ms. */
const TYPED_MS = 150;
/** Between two keys, ms: programs take a bundle of keys for a paste, or read only the first of it. */
const KEY_EVERY_MS = 8;
/** The same while it streams: some lose keys that come faster than they draw. */
const BUSY_KEY_EVERY_MS = 40;
/** So often a text is typed whose keys are lost. */
const BUSY_TRIES = 3;
/** A text that was typed is drawn within this, ms. */
const STANDS_MS = 4_000;
/** Where an input box breaks its text, its edges stand. */
const BETWEEN_WORDS = '[\\s│┃]+';
const TIMEOUT_MS = 45_000;

/** What of a terminal a person sees and reaches. */
export interface SeatTerminal {
  type(data: string): void;
  paste(text: string, confirmed: boolean): Promise<{ readonly pasted: boolean }>;
  readonly screen: {
    wait(query: WaitQuery, signal?: AbortSignal): Promise<WaitResult | SeqMismatch>;
    frame(): Promise<{ readonly rows: readonly FrameRow[] }>;
  };
}

/** A person at the terminal: looks at the screen, and types. */
export class Seat {
  readonly #terminal: SeatTerminal;

  constructor(terminal: SeatTerminal) {
    this.#terminal = terminal;
  }

  /** Resolves when all conditions hold at once; throws with the screen when they do not in time. */
  async sees(conditions: readonly WaitCondition[], what: string, timeoutMs = TIMEOUT_MS): Promise<void> {
    const result = await this.#wait(conditions, timeoutMs);
    if (result.outcome === 'met') return;
    throw new Error(`${what}: ${result.outcome} after ${result.waitedMs} ms`);
  }

  /** Whether the pattern comes on the screen before `signal` aborts. */
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

  /** Does nothing for a while, as people do. */
  looks(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** Resolves when words have come on the screen since the call. */
  says(text: string, what: string): Promise<void> {
    const words = (text.match(/[\p{L}\p{N}]+/gu) ?? []).slice(-2);
    const pattern = words.join('[^\\p{L}\\p{N}]+');
    return this.sees([{ type: 'match', pattern, flags: 'mu', scope: 'new' }], what);
  }

  keys(data: string): void {
    this.#terminal.type(data);
  }

  /** Types a line as a person does: Return when the text is there. Without an agent it is the shell's, and no wait matches a command line. */
  async line(text: string, agent?: Pick<RigAgent, 'returnAfterMs'>): Promise<void> {
    const typed: WaitCondition = { type: 'match', pattern: endOf(text), flags: 'm', scope: 'new' };
    const shown = agent ? this.sees([typed], `"${text}" is shown`) : null;
    await Promise.all([shown, this.#type(text)]);
    await this.sees([still(agent?.returnAfterMs ?? TYPED_MS)], `"${text}" is taken in`);
    this.#terminal.type('\r');
  }

  /** Types a line while the screen goes on changing, and looks at it before Return: a program that is busy drawing loses keys. */
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

  /** Types a key, and waits for what it does: on a busy machine a screen may be still because nothing was drawn yet. */
  async press(key: string, stillMs: number): Promise<void> {
    await Promise.all([this.sees([{ type: 'changed' }], 'a key'), this.#terminal.type(key)]);
    await this.sees([still(stillMs)], 'what a key does');
  }

  /** Watches the first key arrive: an agent that is busy with itself would take what gathers for a paste. */
  async #type(text: string): Promise<void> {
    if (text.startsWith('/')) return this.#keys(text); // a pause would let a menu of commands complete it
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

  /** Whether all of the text is on the screen, however it is wrapped. */
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
    // On a busy machine even a plain pattern can run out of its 50 ms. What was new may be old by now.
    return this.#wait(conditions.map(anywhere), timeoutMs - result.waitedMs, signal);
  }
}

export const onScreen = (pattern: string): WaitCondition => ({ type: 'match', pattern, flags: 'm', scope: 'screen' });
export const absent = (pattern: string): WaitCondition => ({ type: 'absent', pattern, flags: 'm' });
export const still = (ms: number): WaitCondition => ({ type: 'stable', ms, ignoreRows: [] });

function anywhere(condition: WaitCondition): WaitCondition {
  return condition.type === 'match' ? { ...condition, scope: 'screen' } : condition;
}

/** The last words, however they are wrapped. */
function endOf(text: string): string {
  const words = text.trim().split(/\s+/).slice(-3);
  return words.map((word) => escaped(word.slice(-20))).join(BETWEEN_WORDS);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
