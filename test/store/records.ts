import type { Block } from '../../src-main/contract/block.ts';

/** A command block as in blocks.jsonl at its begin. */
export function begun(seq: number, change: Partial<Block> = {}): Block {
  return {
    id: `b${seq}`,
    terminalId: 't1',
    seq,
    kind: 'command',
    status: 'running',
    cmd: `echo ${seq}`,
    textSource: 'hook',
    cwd: '/home/u',
    actor: 'user',
    startedMs: 1_000 * seq,
    endedMs: null,
    durationMs: null,
    exitCode: null,
    endedBy: null,
    trusted: true,
    outputBytes: 0,
    outputLines: 0,
    usedAltScreen: false,
    addressed: false,
    rawStart: seq * 100,
    rawEnd: null,
    ephemeral: false,
    bookmarked: false,
    ...change,
  };
}

/** The same block as in blocks.jsonl at its end. */
export function ended(seq: number, change: Partial<Block> = {}): Block {
  const rawEnd = seq * 100 + 50;
  return {
    ...begun(seq),
    status: 'completed',
    endedMs: 1_000 * seq + 10,
    durationMs: 10,
    exitCode: 0,
    endedBy: 'mark',
    rawEnd,
    outputBytes: 50,
    ...change,
  };
}

export function jsonLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
