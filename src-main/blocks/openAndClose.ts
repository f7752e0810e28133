import type { Block, EndedBy } from '../contract/block.ts';
import type { BlockMoment, BlockState, Reduced } from './BlockState.ts';
import { leavesJob } from './background.ts';
import { signalOfStatus } from './signalName.ts';

/** Most ended blocks that wait for their text, and most jobs of a background block. */
const MAX_TEXTLESS = 16;
export const MAX_JOBS = 16;

export interface Closing {
  at: number;
  endedBy: EndedBy;
  exitCode: number | null;
  signal?: string | null;
  trusted?: boolean;
}

/** Closes the running block, if any. */
export function closeOpen(state: BlockState, closing: Closing, now: BlockMoment): Reduced {
  const { open } = state;
  if (!open) return [state, []];
  const signal = closing.signal ?? (state.reportsSignals ? signalOfStatus(closing.exitCode) : undefined);
  const block: Block = {
    ...open,
    status: statusAfter(open, closing),
    endedMs: now.atMs,
    durationMs: Math.max(0, now.monoMs - state.openedMonoMs),
    exitCode: closing.exitCode,
    endedBy: closing.endedBy,
    trusted: open.trusted && (closing.trusted ?? true),
    rawEnd: closing.at,
    outputBytes: closing.at - open.rawStart,
    ...(signal ? { signal } : {}),
  };
  const isWaiting = block.kind === 'command' && block.cmd === null;
  const textless = isWaiting ? [...state.textless, block].slice(-MAX_TEXTLESS) : state.textless;
  return [{ ...withJob(state, block), open: null, lead: null, textless }, [{ type: 'close', block }]];
}

function statusAfter(open: Block, { endedBy, exitCode, signal }: Closing): Block['status'] {
  if (endedBy === 'shell-exit' && exitCode === null && !signal) return 'interrupted'; // with the PTY host, no core saw how it ended
  if (endedBy === 'superseded' && open.kind === 'command') return 'superseded';
  return endedBy === 'prompt' && open.kind !== 'background' ? 'unknown_end' : 'completed';
}

/** Remembers a command that has left a job. */
export function withJob(state: BlockState, block: Block): BlockState {
  if (block.kind !== 'command' || !leavesJob(block.cmd)) return state;
  return { ...state, jobBlockIds: [...state.jobBlockIds, block.id].slice(-MAX_JOBS) };
}

export function openBlock(state: BlockState, block: Block, now: BlockMoment): Reduced {
  return [{ ...state, open: block, openedMonoMs: now.monoMs, nextSeq: block.seq + 1 }, [{ type: 'open', block }]];
}

/** A new block of which only the position is known. */
export function newBlock(state: BlockState, rawStart: number, now: BlockMoment): Block {
  return {
    id: now.newId,
    terminalId: state.terminalId,
    seq: state.nextSeq,
    kind: 'command',
    status: 'running',
    cmd: null,
    textSource: null,
    cwd: state.cwd,
    actor: 'user',
    startedMs: now.atMs,
    endedMs: null,
    durationMs: null,
    exitCode: null,
    endedBy: null,
    trusted: false,
    outputBytes: 0,
    outputLines: 0,
    usedAltScreen: false,
    addressed: false,
    rawStart,
    rawEnd: null,
    ephemeral: false,
    bookmarked: false,
  };
}
