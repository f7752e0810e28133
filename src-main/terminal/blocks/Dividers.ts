import { BlockText } from '../../blocks/BlockText.ts';
import type { Divider } from '../../contract/api.ts';
import type { Block } from '../../contract/block.ts';
import { nearestFolder } from '../../util/nearestFolder.ts';
import type { TerminalRecord } from '../TerminalRecord.ts';
import { readDividers } from './readDividers.ts';

/** Windows show only the newest. */
const MAX_IN_MEMORY = 5_000;

/** The lines between the cards of one terminal, kept in its record. A divider that moves keeps its kind and time. */
export class Dividers {
  #all: Divider[] = [];
  readonly #record: Pick<TerminalRecord, 'folder' | 'write'>;
  readonly #fire: (divider: Divider) => void;
  /** Time of the newest `cleared` in the record. */
  #clearedMs: number | null = null;
  #isClosed = false;
  /** Set when those of earlier cores are being read. */
  #reading: Promise<void> | null = null;
  /** Set when the running command has cleared the screen; `printed` holds its output since. */
  #cleared: { atMs: number; printed: BlockText } | null = null;

  constructor(record: Pick<TerminalRecord, 'folder' | 'write'>, fire: (divider: Divider) => void) {
    this.#record = record;
    this.#fire = fire;
  }

  /** The newest of the record, in the order of writing. Those of earlier cores are read at the first call; rejects if that fails. */
  async all(): Promise<readonly Divider[]> {
    this.#reading ??= this.#readEarlier().catch((error: unknown) => {
      this.#reading = null;
      throw error;
    });
    await this.#reading;
    return this.#all;
  }

  put(divider: Divider): void {
    this.#write(divider, this.#add(divider));
    this.#fire(divider);
  }

  /** A screen that is cleared again at the same place, as a program does at each frame, is one line with its first time. */
  #write(divider: Divider, before: Divider | undefined): void {
    if (this.#isClosed) return;
    if (divider.kind !== 'cleared') return this.#record.write({ type: 'divider', ...divider });
    const isAgain = before?.afterSeq === divider.afterSeq;
    if (isAgain) this.#clearedMs ??= before.atMs;
    else if (!before) this.#clearedMs = divider.atMs;
    if (!isAgain) this.#record.write({ type: 'divider', ...divider, atMs: this.#clearedMs ?? divider.atMs });
  }

  async #readEarlier(): Promise<void> {
    const earlier = await readDividers(this.#record.folder, MAX_IN_MEMORY);
    const own = this.#all; // some or all of them are among those that were read
    this.#all = [];
    for (const divider of [...earlier, ...own]) this.#add(divider);
  }

  /** Returns the divider that it replaces. Windows show one of a kind between two cards. */
  #add(divider: Divider): Divider | undefined {
    const isReplaced = ({ kind, afterSeq, atMs, text }: Divider): boolean =>
      kind === divider.kind &&
      (kind === 'gap'
        ? atMs === divider.atMs && text === divider.text
        : afterSeq === divider.afterSeq || atMs === divider.atMs);
    const before = this.#all.findLast(isReplaced);
    if (before) this.#all = this.#all.filter((one) => !isReplaced(one));
    this.#all.push(divider);
    if (this.#all.length > MAX_IN_MEMORY) this.#all.shift();
    return before;
  }

  /** Later ones are not kept: that Hansard ends the shell is no news to the next core, which says that it started another. */
  close(): void {
    this.#isClosed = true;
  }

  /** The screen was cleared, by the command `open` or at the prompt. */
  cleared(open: Block | null, lastSeq: number, atMs: number): void {
    this.#cleared = open && { atMs, printed: new BlockText(0, open.cols) };
    this.#putCleared(open ? open.seq - 1 : lastSeq, atMs);
  }

  /** Takes output of the open block. */
  printed(bytes: Uint8Array): void {
    const printed = this.#cleared?.printed;
    if (printed && printed.lines === 0) printed.feed(bytes);
  }

  /** If the ended command printed nothing after clearing the screen, it is hidden too, so the divider moves after it. */
  closed({ seq }: Block): void {
    const cleared = this.#cleared;
    this.#cleared = null;
    cleared?.printed.end();
    if (cleared?.printed.lines === 0) this.#putCleared(seq, cleared.atMs);
  }

  #putCleared(afterSeq: number, atMs: number): void {
    this.put({ kind: 'cleared', afterSeq, atMs, text: '' });
  }
}

/** Says where the shell of a reopened terminal starts; `cwd`: the folder in which the one before it was. */
export function restoredText(cwd: string): string {
  const folder = nearestFolder(cwd);
  return folder === cwd ? 'a new shell in the same folder' : `a new shell in ${folder}, because ${cwd} is gone`;
}
