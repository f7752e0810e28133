import { leavesJob } from '../../blocks/background.ts';
import { MAX_JOBS } from '../../blocks/openAndClose.ts';
import type { ShellBefore } from '../../blocks/ShellBefore.ts';
import { SETTLED_MS } from '../../blocks/typedAhead.ts';
import type { Block } from '../../contract/block.ts';

interface EarlierBlocks {
  /** Before the output that will be read once more. */
  readonly blocks: readonly Block[];
  /** In that output. */
  readonly earlier: readonly Block[];
}

interface Keys {
  readonly end: number;
  readonly keyedAt?: number | undefined;
  readonly isLineBegun?: boolean | undefined;
}

/** `start`: where the output of this shell begins. An owner of the PTY that does not know `keyedAt` may have typed keys up to `end`. */
export function shellBefore(
  { blocks, earlier }: EarlierBlocks,
  { start, end, keyedAt: known, isLineBegun = true }: Keys & { start: number },
): ShellBefore {
  const keyedAt = known ?? end;
  // a killed core may not have recorded the end of a card that a key has ended
  const endOf = ({ rawStart, rawEnd }: Block) => rawEnd ?? (known !== undefined && known > rawStart ? known : null);
  const jobs = blocks.filter(({ kind, cmd, rawStart }) => kind === 'command' && rawStart >= start && leavesJob(cmd));
  return {
    jobBlockIds: jobs.map(({ id }) => id).slice(-MAX_JOBS),
    jobOutput: earlier
      .filter(({ kind }) => kind === 'background')
      .map((block) => ({ from: block.rawStart, to: endOf(block) })),
    keyedAt,
    isLineBegun,
  };
}

/** Offsets at which output begins a chunk of its own, and the pause after which it does, so that it is judged as when it came. */
export function cutsFor({ jobOutput }: ShellBefore): { borders: number[]; pauseMs: number } {
  const borders = jobOutput.flatMap(({ from, to }) => (to === null ? [from] : [from, to]));
  return { borders, pauseMs: SETTLED_MS };
}
