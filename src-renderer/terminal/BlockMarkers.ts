import type { IMarker, Terminal } from '@xterm/xterm';
import type { StreamItem } from '../../src-main/contract/terminal.ts';

/** Lines of a block in the emulator's buffer; `end` is exclusive and absent while it runs. */
export interface BlockLinesRange {
  first: number;
  end?: number;
}

interface Region {
  /** Null: the block starts at the top of the buffer. */
  start: IMarker | null;
  end: IMarker | null;
}

/** Two are enough: the running block, and the last one until its finished text is drawn. */
const KEPT_REGIONS = 2;

/** Maps blocks to rows of an emulator. Markers follow scrolling and reflow; one that left the scrollback counts as line 0. */
export class BlockMarkers {
  readonly #xterm: Terminal;
  readonly #regions = new Map<string, Region>();
  #current: string | null = null;
  #prompt: IMarker | null = null;

  constructor(xterm: Terminal) {
    this.#xterm = xterm;
  }

  begin(blockId: string): void {
    this.#place(blockId, this.#marker(0));
  }

  /** The output ends at the cursor: after an unfinished line, or at the start of the next. */
  end(blockId: string): void {
    const region = this.#regions.get(blockId);
    if (region) region.end = this.#marker(this.#xterm.buffer.active.cursorX > 0 ? 1 : 0);
    if (this.#current === blockId) this.#current = null;
  }

  prompt(): void {
    this.#prompt?.dispose();
    this.#prompt = this.#marker(0);
  }

  /** The emulator was filled from a state: the positions are those of the core. */
  restore({ beginLine, promptLine, runningBlockId }: Extract<StreamItem, { type: 'state' }>): void {
    const { baseY, cursorY } = this.#xterm.buffer.active;
    const at = (line: number | null) => (line === null ? null : this.#marker(line - baseY - cursorY));
    this.#prompt = at(promptLine);
    if (runningBlockId !== null) this.#place(runningBlockId, at(beginLine));
  }

  /** Registers the running block of the list. A block that the stream did not mark covers all kept lines. */
  adopt(blockId: string): boolean {
    const isNew = !this.#regions.has(blockId);
    if (isNew) this.#place(blockId, null);
    this.#current = blockId;
    return isNew;
  }

  forget(): void {
    for (const blockId of [...this.#regions.keys()]) this.#drop(blockId);
    this.#current = null;
    this.#prompt = null;
  }

  range(blockId: string): BlockLinesRange | undefined {
    const region = this.#regions.get(blockId);
    if (!region) return undefined;
    return { first: lineOf(region.start), ...(region.end && { end: region.end.line }) };
  }

  get promptLine(): number {
    return lineOf(this.#prompt);
  }

  /** First line of the running block; 0 if no command runs. */
  get firstLine(): number {
    return lineOf((this.#current === null ? undefined : this.#regions.get(this.#current))?.start ?? null);
  }

  /**
   * A program that draws above its own start (`clear`, absolute addressing) owns the screen from its top. So does a shell that draws its prompt there
   * again, which overwrites the rows of the previous command.
   */
  widen(): void {
    const region = this.#current === null ? undefined : this.#regions.get(this.#current);
    if (region) {
      if (this.#isDrawnAbove(region.start)) region.start = this.#screenTop(region.start);
    } else if (this.#isDrawnAbove(this.#prompt)) {
      this.#prompt = this.#screenTop(this.#prompt);
      for (const blockId of [...this.#regions.keys()]) this.#drop(blockId);
    }
  }

  /** The cursor is above the marker's line, or the line was erased with the whole screen. A line that left the scrollback counts as above. */
  #isDrawnAbove(marker: IMarker | null): boolean {
    const { baseY, cursorY } = this.#xterm.buffer.active;
    if (!marker) return false;
    return marker.isDisposed ? baseY < (this.#xterm.options.scrollback ?? 0) : baseY + cursorY < marker.line;
  }

  #screenTop(before: IMarker | null): IMarker | null {
    before?.dispose();
    return this.#marker(-this.#xterm.buffer.active.cursorY);
  }

  #place(blockId: string, start: IMarker | null): void {
    this.#drop(blockId);
    this.#regions.set(blockId, { start, end: null });
    this.#current = blockId;
    for (const old of [...this.#regions.keys()].slice(0, -KEPT_REGIONS)) this.#drop(old);
  }

  #drop(blockId: string): void {
    const region = this.#regions.get(blockId);
    region?.start?.dispose();
    region?.end?.dispose();
    this.#regions.delete(blockId);
  }

  #marker(offset: number): IMarker | null {
    return this.#xterm.registerMarker(offset) ?? null;
  }
}

function lineOf(marker: IMarker | null): number {
  return marker ? Math.max(0, marker.line) : 0;
}
