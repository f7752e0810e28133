import type { IBuffer, Terminal } from '@xterm/headless';
import type { Frame, FrameRow } from '../../contract/screen/frame.ts';
import type { XtermCore } from '../../shared/xterm/xtermInternals.ts';
import type { Clock } from '../../util/Clock.ts';
import { readFrameRow, readFrameRows } from '../rows/frameRows.ts';
import { RowMemory } from '../rows/RowMemory.ts';
import type { ScrolledOffRows } from '../rows/ScrolledOffRows.ts';
import { isSameShellText } from '../rows/ShellText.ts';
import { isSameCursor, looksSame } from './diffFrames.ts';
import type { TakenFrame } from './FrameHistory.ts';

/** Maximum time for which a synchronized update holds frames back. */
const SYNC_HOLD_MS = 250;
/** After this time, a synchronized update that the program did not end is ended. */
const SYNC_LIMIT_MS = 1000;

/** State that the emulator does not expose. */
export interface Seen {
  title: string;
  epoch: number;
  leaving: Pick<ScrolledOffRows, 'scrolled' | 'uncounted' | 'known'>;
}

interface Source {
  terminal: Terminal;
  core: XtermCore;
  clock: Clock;
  seen(): Seen;
}

/** Takes frames of an emulator: numbers them, shares their rows, and holds them back during synchronized updates. */
export class FrameSampler {
  readonly #source: Source;
  readonly #memory = new RowMemory();
  #seq = 0;
  #last: TakenFrame | undefined;
  #syncSinceMs: number | undefined;
  /** Synchronized updates that begin now end before any reader can look. */
  isSyncPassing = false;

  constructor(source: Source) {
    this.#source = source;
  }

  /** The current frame; during a synchronized update, the one before it. The same object if nothing at all changed. */
  take(): TakenFrame {
    const heldMs = this.#heldMs;
    if (heldMs !== undefined && heldMs > SYNC_LIMIT_MS) this.#endSync();
    return this.holdMs > 0 && this.#last ? this.#last : this.#capture();
  }

  /** Time for which frames are held back by a synchronized update; 0 without one. */
  get holdMs(): number {
    if (!this.#source.core.coreService.decPrivateModes.synchronizedOutput) return 0;
    return Math.max(0, SYNC_HOLD_MS - (this.#heldMs ?? 0));
  }

  /** A synchronized update begins: until it ends, frames show the current screen. */
  beginSync(): void {
    // only if frames have readers; otherwise each of an agent's updates would cost a reading of the screen
    if (this.#last && this.holdMs === 0 && !this.isSyncPassing) this.#capture();
    this.#syncSinceMs = this.#source.clock.monotonicMs();
  }

  /** The last `count` rows above the screen, oldest first. Empty for the alternate buffer. */
  rowsAbove(count: number): FrameRow[] {
    const { active } = this.#source.terminal.buffer;
    return this.#read(active, Math.max(0, active.baseY - count), active.baseY);
  }

  /** The rows of the normal screen while the alternate one is shown, otherwise null. */
  hiddenRows(): FrameRow[] | null {
    const { active, normal } = this.#source.terminal.buffer;
    return active === normal ? null : this.#read(normal, normal.baseY, normal.baseY + this.#source.terminal.rows);
  }

  #read(buffer: IBuffer, from: number, end: number): FrameRow[] {
    return Array.from({ length: end - from }, (_, row) => readFrameRow(this.#source.core, buffer, from + row));
  }

  get #heldMs(): number | undefined {
    return this.#syncSinceMs === undefined ? undefined : this.#source.clock.monotonicMs() - this.#syncSinceMs;
  }

  #endSync(): void {
    this.#syncSinceMs = undefined;
    this.#source.core.coreService.decPrivateModes.synchronizedOutput = false;
  }

  #capture(): TakenFrame {
    const last = this.#last?.frame;
    const now = this.#look(last?.rows ?? []);
    const isSame = last !== undefined && looksSame(last, now);
    if (isSame && isSameCursor(last.cursor, now.cursor) && last.scrollbackTotal === now.scrollbackTotal) {
      return this.#recount();
    }
    if (!isSame) this.#seq += 1;
    const isShared = isSame && last.rows.every((row, at) => isSameShellText(row, now.rows[at] ?? row));
    const frame = Object.freeze({ ...now, rows: isShared ? last.rows : Object.freeze(now.rows), seq: this.#seq });
    const { scrolled, uncounted } = this.#source.seen().leaving;
    this.#last = { frame, atMs: this.#source.clock.nowMs(), scrolled, uncounted };
    return this.#last;
  }

  /** The last frame with updated counts: rows may have left without a trace. */
  #recount(): TakenFrame {
    const { scrolled, uncounted } = this.#source.seen().leaving;
    const last = this.#last as TakenFrame;
    if (last.scrolled !== scrolled || last.uncounted !== uncounted) this.#last = { ...last, scrolled, uncounted };
    return this.#last as TakenFrame;
  }

  #look(before: readonly FrameRow[]): Omit<Frame, 'seq'> {
    const { terminal, core, seen } = this.#source;
    const { active, alternate } = terminal.buffer;
    const { title, epoch, leaving } = seen();
    const shape = core.coreService.decPrivateModes.cursorStyle;
    const cursor = {
      row: active.cursorY,
      col: active.cursorX,
      visible: !core.coreService.isCursorHidden,
      ...(shape !== undefined && { shape }),
    };
    return {
      rows: readFrameRows(terminal, core, before, { memory: this.#memory, known: leaving.known }),
      cursor: Object.freeze(cursor),
      title,
      altScreen: active === alternate,
      cols: terminal.cols,
      rowsCount: terminal.rows,
      scrollbackTotal: active.baseY,
      epoch,
    };
  }
}
