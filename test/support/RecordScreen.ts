import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { expect } from 'vitest';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { WindowScreen } from '../machines/rig/WindowScreen.ts';
import { screenRows } from './screenState.ts';

const PIECE_BYTES = 1024 * 1024;
/** A new core reads the output since the last prompt again, on a machine that may be busy. */
const CAUGHT_UP = { timeout: 120_000 };

interface SizeAt {
  readonly at: number;
  readonly cols: number;
  readonly rows: number;
}

/** The screen of a terminal by its recorded bytes and sizes alone. The caller disposes it. */
export class RecordScreen {
  readonly #id: string;
  readonly #folder: SessionFolder;
  readonly #model = new ScreenModel({ cols: 80, rows: 24, scrollbackLines: 1000 });
  #offset = 0;
  /** Number of sizes that the screen has had. */
  #sizes = 0;

  constructor(dataFolder: string, id: string) {
    this.#id = id;
    this.#folder = new SessionFolder(dataFolder, id);
  }

  /** Expects a new window to show exactly what is recorded up to the same byte, also while the program draws. */
  isShownBy(api: CoreConnection['api']): Promise<void> {
    return this.#compare(api, (window) => expect(window.rows).toEqual(this.#rowsAt(window.offset)));
  }

  /**
   * The same at some offset: for an agent, whose terminal the core makes taller for a moment, and for a program with synchronized updates, in
   * the middle of which a new window shows a part.
   */
  settlesIn(api: CoreConnection['api']): Promise<void> {
    return this.#compare(api, async (window) => {
      const isSame = () => window.rows.join('\n') === this.#rowsAt(window.offset).join('\n');
      await expect.poll(isSame, CAUGHT_UP).toBe(true);
    });
  }

  dispose(): void {
    this.#model.dispose();
  }

  async #compare(api: CoreConnection['api'], compare: (window: WindowScreen) => unknown): Promise<void> {
    const window = new WindowScreen(api, this.#id);
    try {
      await expect.poll(() => window.counts.states, CAUGHT_UP).toBeGreaterThan(0);
      await expect.poll(() => window.offset, CAUGHT_UP).toBeGreaterThanOrEqual(this.#offset);
      await compare(window);
    } finally {
      window.dispose();
    }
  }

  #rowsAt(offset: number): string[] {
    const sizes = this.#readSizes();
    for (const size of sizes.slice(this.#sizes)) {
      if (size.at > offset) break;
      this.#write(size.at);
      this.#model.resize(size);
      this.#sizes += 1;
    }
    this.#write(offset);
    return screenRows(this.#model);
  }

  #write(end: number): void {
    const fd = openSync(this.#folder.raw, 'r');
    while (this.#offset < end) {
      const bytes = Buffer.alloc(Math.min(PIECE_BYTES, end - this.#offset));
      expect(readSync(fd, bytes, 0, bytes.length, this.#offset)).toBe(bytes.length);
      this.#model.write(bytes);
      this.#offset += bytes.length;
    }
    closeSync(fd);
  }

  #readSizes(): SizeAt[] {
    const lines = readFileSync(this.#folder.events, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as SizeAt).filter(({ cols, rows }) => cols > 0 && rows > 0);
  }
}
