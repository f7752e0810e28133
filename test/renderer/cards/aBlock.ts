import { Block } from '../../../src-main/contract/block.ts';

/** A finished block as the core reports it, with the fields that the test sets. */
export function aBlock(change: Partial<Block> & { seq: number }): Block {
  return Block.parse({
    id: `b${change.seq}`,
    terminalId: 't1',
    status: 'completed',
    cmd: `echo ${change.seq}`,
    cwd: '/home/ada',
    startedMs: 1000 * change.seq,
    exitCode: 0,
    trusted: true,
    rawStart: 0,
    ...change,
  });
}
