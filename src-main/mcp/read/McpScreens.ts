import type { ScreenReading, SeqMismatch, WaitQuery, WaitResult } from '../../contract/screen/screen.ts';
import type { ScreenReader } from '../../terminal/screen/ScreenReader.ts';
import type { IDisposable } from '../../util/Disposables.ts';

/**
 * Screens as outside clients ask for them. Readings are not redacted here, because secrets are found by their surrounding text; callers redact them
 * on the way out. A wait matches redacted text, so no client can guess a secret piece by piece.
 */
export class McpScreens implements Pick<ScreenReader, 'read' | 'wait' | 'deltas' | 'before' | 'at'> {
  readonly #screens: ScreenReader;
  readonly #whenHidden: (terminalId: string, hidden: () => void) => IDisposable;

  constructor(screens: ScreenReader, whenHidden: (terminalId: string, hidden: () => void) => IDisposable) {
    this.#screens = screens;
    this.#whenHidden = whenHidden;
  }

  /** Resolves with null also as soon as the terminal is hidden, so clients learn nothing about it afterwards. */
  async wait(terminalId: string, query: WaitQuery, signal?: AbortSignal): Promise<WaitResult | SeqMismatch | null> {
    const hidden = new AbortController();
    const looking = this.#whenHidden(terminalId, () => hidden.abort());
    const either = signal ? AbortSignal.any([signal, hidden.signal]) : hidden.signal;
    try {
      return await this.#screens.wait(terminalId, { ...query, redacted: true }, either);
    } catch (error) {
      if (hidden.signal.aborted && !signal?.aborted) return null;
      throw error;
    } finally {
      looking.dispose();
    }
  }

  read(...of: Parameters<ScreenReader['read']>): Promise<ScreenReading | SeqMismatch | null> {
    return this.#screens.read(...of);
  }

  deltas(...of: Parameters<ScreenReader['deltas']>): ReturnType<ScreenReader['deltas']> {
    return this.#screens.deltas(...of);
  }

  before(...of: Parameters<ScreenReader['before']>): ReturnType<ScreenReader['before']> {
    return this.#screens.before(...of);
  }

  at(...of: Parameters<ScreenReader['at']>): ReturnType<ScreenReader['at']> {
    return this.#screens.at(...of);
  }
}
