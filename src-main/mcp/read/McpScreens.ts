import type { ScreenReading, SeqMismatch, WaitQuery, WaitResult } from '../../contract/screen/screen.ts';
import type { ScreenReader } from '../../terminal/screen/ScreenReader.ts';
import type { IDisposable } from '../../util/Disposables.ts';

/**
 * The screens as outside clients ask about them. Readings are as they are, since secrets are known by what stands around them, and are
 * redacted on their way out; a wait is judged on redacted text, so that no client can guess at a secret piece by piece.
 */
export class McpScreens implements Pick<ScreenReader, 'read' | 'wait' | 'deltas' | 'before' | 'at'> {
  readonly #screens: ScreenReader;
  readonly #whenHidden: (terminalId: string, hidden: () => void) => IDisposable;

  constructor(screens: ScreenReader, whenHidden: (terminalId: string, hidden: () => void) => IDisposable) {
    this.#screens = screens;
    this.#whenHidden = whenHidden;
  }

  /** Null too as soon as the terminal is hidden: when what was waited for comes about there is nothing for clients. */
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
