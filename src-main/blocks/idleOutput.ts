import type { Block } from '../contract/block.ts';
import type { BlockInput, BlockMoment, BlockState, Reduced } from './BlockState.ts';
import { isTooLong, joinBytes, judgeIdle, linesOf } from './background.ts';
import { closeOpen, newBlock, openBlock } from './openAndClose.ts';
import { isSettled, mayEcho, wasEcho } from './typedAhead.ts';

type Output = Extract<BlockInput, { type: 'output' }>;

/** Takes output while no block is open: it belongs to none, unless a job printed it. */
export function takeIdleOutput(state: BlockState, output: Output, now: BlockMoment): Reduced {
  if (state.phase !== 'editing') return [state, []];
  const known = state.jobOutput.find(({ from }) => from >= output.at && from < output.end);
  if (known)
    return openBackground(state, { at: known.from, bytes: output.bytes.subarray(known.from - output.at) }, now);
  if (state.idleLine === null || state.jobBlockIds.length === 0) return [state, []];
  const isLate = isSettled(now.monoMs - state.promptMonoMs);
  const { at, bytes } = isLate && isHeldEcho(state, state.idleLine.bytes) ? noLine(output.at) : state.idleLine;
  const come = joinBytes(bytes, output.bytes);
  const from = judgeIdle(come);
  const isDoubtful = typeof from === 'number' && !isLate;
  const isEcho = isDoubtful && mayEcho(state.typed, linesOf(come));
  if (from === 'echo' || (isEcho && isTooLong(come))) return [{ ...state, idleLine: null }, []];
  if (from === 'open' || isEcho) return [{ ...state, idleLine: { at, bytes: come } }, []];
  return openBackground(state, { at: at + from, bytes: come.subarray(from) }, now);
}

/** No output since `at` waits for its judgement. */
export function noLine(at: number): { at: number; bytes: Uint8Array } {
  return { at, bytes: new Uint8Array(0) };
}

/** Whole lines wait only if they may be an echo. */
function isHeldEcho({ typed }: BlockState, bytes: Uint8Array): boolean {
  return typeof judgeIdle(bytes) === 'number' && wasEcho(typed, linesOf(bytes));
}

/** Takes output of an open background block. One of an earlier core ends where that core ended it: a key came there, and its echo follows. */
export function growBackground(state: BlockState, open: Block, output: Output, now: BlockMoment): Reduced {
  const known = state.jobOutput.find(({ from }) => from === open.rawStart);
  if (output.at < (known?.to ?? Number.POSITIVE_INFINITY)) {
    const grown = { ...open, outputBytes: output.end - open.rawStart };
    return [{ ...state, open: grown }, [{ type: 'output', blockId: open.id, at: output.at, bytes: output.bytes }]];
  }
  const [closed, effects] = endBackground(state, now);
  const [next, more] = takeIdleOutput(closed, output, now);
  return [next, [...effects, ...more]];
}

/** Ends an open background block with its last output. */
export function endBackground(state: BlockState, now: BlockMoment): Reduced {
  const { open } = state;
  if (open?.kind !== 'background') return [state, []];
  return closeOpen(state, { at: open.rawStart + open.outputBytes, endedBy: 'prompt', exitCode: null }, now);
}

/** All of `output` belongs to a job. */
function openBackground(state: BlockState, { at, bytes }: Pick<Output, 'at' | 'bytes'>, now: BlockMoment): Reduced {
  const start = newBlock(state, at, now);
  const block = { ...start, kind: 'background' as const, trusted: true, outputBytes: bytes.length };
  const record = {
    type: 'backgroundOutput' as const,
    blockId: block.id,
    jobBlockIds: [...state.jobBlockIds],
    atMs: now.atMs,
  };
  const [opened, effects] = openBlock({ ...state, idleLine: null }, block, now);
  return [opened, [...effects, { type: 'event', record }, { type: 'output', blockId: block.id, at, bytes }]];
}
