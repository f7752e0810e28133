import {
  type BlockEffect,
  type BlockInput,
  type BlockState,
  initialBlockState,
} from '../../src-main/blocks/BlockState.ts';
import { reduceBlock } from '../../src-main/blocks/reduceBlock.ts';
import type { Block } from '../../src-main/contract/block.ts';

export interface Run {
  state: BlockState;
  effects: BlockEffect[];
}

/** Folds inputs. Input i has wall time 1000 + i and monotonic time i × `stepMs`, and can open block `b<i>`. */
export function run(
  inputs: readonly BlockInput[],
  { stepMs = 10, ...start }: Partial<Parameters<typeof initialBlockState>[0]> & { stepMs?: number } = {},
): Run {
  let state = initialBlockState({ terminalId: 't', nextSeq: 1, startOffset: 0, cwd: null, ...start });
  const effects: BlockEffect[] = [];
  inputs.forEach((input, i) => {
    const [next, more] = reduceBlock(state, input, { atMs: 1000 + i, monoMs: i * stepMs, newId: `b${i}` });
    state = next;
    effects.push(...more);
  });
  return { state, effects };
}

/** The newest version of each block, as in blocks.jsonl and the cards. */
export function cards({ effects }: Run): Block[] {
  const byId = new Map<string, Block>();
  for (const effect of effects) if ('block' in effect) byId.set(effect.block.id, effect.block);
  return [...byId.values()].sort((a, b) => a.seq - b.seq);
}

export const texts = ({ effects }: Run) =>
  effects.flatMap((effect) =>
    effect.type === 'output' ? [[effect.blockId, Buffer.from(effect.bytes).toString()]] : [],
  );

export const out = (at: number, text: string): BlockInput => ({
  type: 'output',
  at,
  end: at + Buffer.byteLength(text),
  bytes: Buffer.from(text),
});
export const begin = (at: number, cmd: string | null, more: object = {}): BlockInput => ({
  ...{ type: 'begin', at, end: at + 10, trusted: true, by: 'hook', cmd, cwd: '/w', ignoresSpace: false },
  ...more,
});
export const end = (at: number, exitCode: number | null, more: object = {}): BlockInput => ({
  ...{ type: 'end', at, end: at + 5, trusted: true, by: 'hook', exitCode },
  ...more,
});
export const prompt = (at: number, more: object = {}): BlockInput => ({
  ...{
    type: 'prompt',
    at,
    end: at + 5,
    trusted: true,
    by: 'hook',
    cwd: '/p',
    shell: 's',
    version: '1',
    degraded: null,
  },
  ...more,
});
export const promptStart = (at: number): BlockInput => ({ type: 'promptStart', at, end: at + 3 });
export const promptEnd = (at: number): BlockInput => ({ type: 'promptEnd', at, end: at + 3 });
