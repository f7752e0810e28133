import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { type MaskedChunk, NonceMask } from './NonceMask.ts';

/** A held start of a nonce is released after this time without output, so that an echoed `Z` shows. */
const HOLD_MS = 5;

export interface ShellMaskDeps {
  readonly clock: Clock;
  readonly nonce: string;
  /** Offset of the shell's first byte. */
  readonly offset: number;
  take(chunk: MaskedChunk): void;
}

/** Masks the nonce in one shell's output, and holds a start of a nonce only briefly. */
export class ShellMask {
  readonly #deps: ShellMaskDeps;
  readonly #mask: NonceMask;
  #holding: IDisposable | null = null;

  constructor(deps: ShellMaskDeps) {
    this.#deps = deps;
    this.#mask = new NonceMask(deps.nonce, deps.offset);
  }

  feed(chunk: Uint8Array): void {
    this.#holding?.dispose();
    this.#holding = null;
    this.#deps.take(this.#mask.feed(chunk));
    if (this.#mask.heldBytes > 0) this.#holding = this.#deps.clock.after(HOLD_MS, () => this.flush());
  }

  flush(): void {
    this.#deps.take(this.#mask.flush());
  }

  /** Call when the shell has exited: nothing will complete the held bytes. */
  end(): void {
    this.#holding?.dispose();
    this.#deps.take(this.#mask.end());
  }
}
