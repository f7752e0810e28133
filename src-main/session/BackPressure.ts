import type { PtyProcess } from '../pty/PtyProcess.ts';
import type { ScreenHandle } from '../screen/ScreenHandle.ts';
import type { IDisposable } from '../util/Disposables.ts';

/** The screen worker may be this far behind before the program is made to wait; LiveStream's ring must hold more. */
const SCREEN_HIGH_WATER_BYTES = 2 * 1024 * 1024;

/** A program that prints faster than the screen can follow is made to wait, as by any terminal. */
export class BackPressure implements IDisposable {
  readonly #screen: Pick<ScreenHandle, 'backlogBytes' | 'onDrain'>;
  readonly #process: () => PtyProcess | null;
  readonly #draining: IDisposable;
  #isPaused = false;

  constructor(screen: Pick<ScreenHandle, 'backlogBytes' | 'onDrain'>, process: () => PtyProcess | null) {
    this.#screen = screen;
    this.#process = process;
    this.#draining = screen.onDrain(() => this.#resume());
  }

  /** Bytes have gone to the screen. */
  fed(): void {
    if (this.#isPaused || this.#screen.backlogBytes < SCREEN_HIGH_WATER_BYTES) return;
    this.#isPaused = true;
    this.#process()?.pause();
  }

  dispose(): void {
    this.#draining.dispose();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#process()?.resume();
  }
}
