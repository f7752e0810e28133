import { BlockText } from '../../blocks/BlockText.ts';
import type { Divider } from '../../contract/api.ts';
import type { Block } from '../../contract/block.ts';
import { nearestFolder } from '../../util/nearestFolder.ts';

/** Windows show only the newest. */
const MAX_IN_MEMORY = 5_000;

/** The lines between the cards of one terminal. A divider that moves keeps its kind and time. */
export class Dividers {
  readonly all: Divider[] = [];
  readonly #fire: (divider: Divider) => void;
  /** Set when the running command has cleared the screen; `printed` holds its output since. */
  #cleared: { atMs: number; printed: BlockText } | null = null;

  constructor(fire: (divider: Divider) => void) {
    this.#fire = fire;
  }

  put(divider: Divider): void {
    // Windows show one divider of a kind between two cards, so a program that clears its screen at each frame needs only one.
    const isReplaced = ({ kind, afterSeq, atMs }: Divider): boolean =>
      kind === divider.kind && (afterSeq === divider.afterSeq || atMs === divider.atMs);
    const at = divider.kind === 'gap' ? -1 : this.all.findLastIndex(isReplaced);
    if (at >= 0) this.all.splice(at, 1);
    this.all.push(divider);
    if (this.all.length > MAX_IN_MEMORY) this.all.shift();
    this.#fire(divider);
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
