import type { Block } from '../contract/block.ts';
import { leavesJob } from './background.ts';
import { MAX_JOBS } from './openAndClose.ts';

/** Output of a job that an earlier core recognized at the prompt. Offsets in output.raw; `to` is null if that core did not see its end. */
export interface JobOutput {
  readonly from: number;
  readonly to: number | null;
}

/** What a core that continues a shell knows of its time before. */
export interface ShellBefore {
  /** Ids of the last commands that left a job in the background. */
  readonly jobBlockIds: readonly string[];
  /** Ascending. */
  readonly jobOutput: readonly JobOutput[];
  /** End of the output when the last key was typed: a later prompt is untouched. */
  readonly keyedAt: number;
}

/** Of a new shell. */
export const NOTHING_BEFORE: ShellBefore = { jobBlockIds: [], jobOutput: [], keyedAt: -1 };

export interface EarlierBlocks {
  /** Before the output that will be read once more. */
  readonly blocks: readonly Block[];
  /** In that output. */
  readonly earlier: readonly Block[];
}

/** `start`: where the output of this shell begins. An owner of the PTY that does not know `keyedAt` may have typed keys up to `end`. */
export function shellBefore(
  { blocks, earlier }: EarlierBlocks,
  { start, end, keyedAt = end }: { start: number; end: number; keyedAt?: number | undefined },
): ShellBefore {
  const jobs = blocks.filter(({ kind, cmd, rawStart }) => kind === 'command' && rawStart >= start && leavesJob(cmd));
  return {
    jobBlockIds: jobs.map(({ id }) => id).slice(-MAX_JOBS),
    jobOutput: earlier
      .filter(({ kind }) => kind === 'background')
      .map(({ rawStart, rawEnd }) => ({ from: rawStart, to: rawEnd })),
    keyedAt,
  };
}
