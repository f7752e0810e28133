import type { StyledLine } from '../../../src-main/contract/block.ts';
import type { BlockRef, BlockRpc } from '../../rpc/Rpc.ts';

/** Most lines that a filtered card shows. A narrower pattern shows the others. */
const MAX_LINES = 500;
const ASK_AFTER_MS = 120;

/** A line of the filtered card. `gap`: lines before it are left out. */
export interface FilteredLine {
  line: StyledLine;
  isMatch: boolean;
  gap: boolean;
}

/** The lines of one block that match, or do not match, with their context lines. */
export class BlockFilter {
  readonly #rpc: Pick<BlockRpc, 'filter'>;
  readonly #ref: BlockRef;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #version = 0;

  pattern = $state('');
  isInverted = $state(false);
  context = $state(0);
  error = $state<string | null>(null);
  isTruncated = $state(false);
  lines = $state.raw<readonly FilteredLine[]>([]);
  matchCount = $state(0);
  /** The lines are the answer to the current pattern. */
  isAnswered = $state(false);

  constructor(rpc: Pick<BlockRpc, 'filter'>, ref: BlockRef) {
    this.#rpc = rpc;
    this.#ref = ref;
  }

  /** Call when the pattern changed. Sends the request when typing pauses. */
  search(): void {
    clearTimeout(this.#timer);
    this.#version += 1;
    if (this.pattern === '') this.isAnswered = false;
    else this.#timer = setTimeout(() => void this.#ask(), ASK_AFTER_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#version += 1;
  }

  async #ask(): Promise<void> {
    const version = this.#version;
    const { pattern, isInverted: invert, context } = this;
    try {
      const found = await this.#rpc.filter({ ...this.#ref, pattern, invert, context, limit: MAX_LINES });
      if (version !== this.#version) return;
      const matches = new Set(found.matches);
      this.lines = found.lines.map((line, at) => ({
        line,
        isMatch: matches.has(line.n),
        gap: at > 0 && found.lines[at - 1]?.n !== line.n - 1,
      }));
      this.matchCount = found.matches.length;
      this.isTruncated = found.truncated;
      this.error = found.error;
      this.isAnswered = true;
    } catch (error) {
      if (version === this.#version) this.error = error instanceof Error ? error.message : String(error);
    }
  }
}
