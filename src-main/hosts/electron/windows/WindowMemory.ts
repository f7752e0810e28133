import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { readJsonFile, replaceFile } from '../../../store/files/replaceFile.ts';
import type { Clock } from '../../../util/Clock.ts';
import type { IDisposable } from '../../../util/Disposables.ts';
import type { Log } from '../../../util/Log.ts';
import { SerialQueue } from '../../../util/SerialQueue.ts';
import { detach } from '../../../util/strayErrors.ts';
import { WindowState } from './windowState.ts';

/** A drag sends dozens of moves; the last one counts. */
const SAVE_AFTER_MS = 400;

export type Watched = Pick<BrowserWindow, 'on' | 'getNormalBounds' | 'isMaximized' | 'isFullScreen' | 'isDestroyed'>;

interface MemoryDeps {
  dataFolder: string;
  clock: Clock;
  log: Log;
  more?: (window: Watched) => Pick<WindowState, 'id' | 'others'>;
}

/** Saves size and position of the windows in window.json. If the file cannot be written, only this is lost. */
export class WindowMemory {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #more: (window: Watched) => Pick<WindowState, 'id' | 'others'>;
  readonly #writing = new SerialQueue();
  #waiting: IDisposable | null = null;

  /** `more`: the id of a window, and the other windows that are open beside it. */
  constructor({ dataFolder, clock, log, more = () => ({}) }: MemoryDeps) {
    this.#path = join(dataFolder, 'window.json');
    this.#clock = clock;
    this.#log = log;
    this.#more = more;
  }

  /** The last saved state; null at the first start and if the file is unusable (invalid JSON is kept under another name). */
  async read(): Promise<WindowState | null> {
    try {
      const read = await readJsonFile(this.#path, WindowState);
      return read.status === 'ok' ? read.value : null;
    } catch (error) {
      this.#failed('window_state_not_read', error);
      return null;
    }
  }

  /** Saves after each change, and at once when the window closes. */
  follow(window: Watched): void {
    const later = (): void => this.#saveLater(window);
    window.on('resize', later);
    window.on('move', later);
    window.on('maximize', later);
    window.on('unmaximize', later);
    window.on('enter-full-screen', later);
    window.on('leave-full-screen', later);
    window.on('close', () => detach('WindowMemory', this.save(window)));
  }

  async save(window: Watched): Promise<void> {
    this.#waiting?.dispose();
    this.#waiting = null;
    if (window.isDestroyed()) return;
    const state = { ...this.stateOf(window), ...this.#more(window) };
    try {
      await this.#writing.run(() => replaceFile(this.#path, `${JSON.stringify(state)}\n`));
    } catch (error) {
      this.#failed('window_state_not_saved', error);
    }
  }

  /** The position of `window` now. */
  stateOf(window: Watched): WindowState {
    return {
      version: 1,
      bounds: window.getNormalBounds(),
      isMaximized: window.isMaximized(),
      isFullScreen: window.isFullScreen(),
    };
  }

  #saveLater(window: Watched): void {
    this.#waiting?.dispose();
    this.#waiting = this.#clock.after(SAVE_AFTER_MS, () => detach('WindowMemory', this.save(window)));
  }

  #failed(event: string, error: unknown): void {
    this.#log(event, { reason: error instanceof Error ? error.message : String(error) });
  }
}
