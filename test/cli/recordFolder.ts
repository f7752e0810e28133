import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Block } from '../../src-main/contract/block.ts';
import { AppendFile } from '../../src-main/store/files/AppendFile.ts';
import { JsonLines } from '../../src-main/store/files/JsonLines.ts';
import { BlockFiles } from '../../src-main/store/record/BlockFiles.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';

const deps = { log: silentLog, clock: systemClock };
/** 2026-01-01 00:00 UTC. */
export const START_MS = Date.UTC(2026, 0, 1);

/** A block for a test. Missing fields have the values of a plain `true`. */
export type BlockSpec = Partial<Block> & {
  id: string;
  /** Bytes as the terminal got them. */
  raw?: string;
  /** Text of the `.out` file; there is no file without it. */
  text?: string | Uint8Array;
};

/** Writes one terminal with its blocks, by the store's own writers, into `home`. */
export async function recordTerminal(
  home: string,
  id: string,
  specs: readonly BlockSpec[],
  meta: object = {},
): Promise<SessionFolder> {
  const folder = new SessionFolder(home, id);
  folder.create();
  const whole = {
    version: 1,
    id,
    shell: 'bash',
    argv: ['/bin/bash'],
    cwd: '/home/u',
    cols: 80,
    rows: 24,
    createdMs: START_MS,
    title: '',
    ...meta,
  };
  writeFileSync(folder.meta, `${JSON.stringify(whole)}\n`, { mode: 0o600 });
  const raw = AppendFile.open(folder.raw, deps);
  const lines = JsonLines.open<Block>(folder.blocksJsonl, deps);
  for (const [at, { raw: bytes = '', text, ...change }] of specs.entries()) {
    const rawStart = raw.size;
    raw.append(Buffer.from(bytes));
    const block = blockOf({
      terminalId: id,
      seq: at + 1,
      rawStart,
      rawEnd: raw.size,
      outputBytes: raw.size - rawStart,
      ...change,
    });
    await lines.append({ ...block, status: 'running', rawEnd: null, endedMs: null, durationMs: null, exitCode: null });
    if (text !== undefined) {
      const files = BlockFiles.open(folder, block.id, deps);
      files.appendText(Buffer.from(text));
      await files.close();
    }
    if (block.status !== 'running') await lines.append(block);
  }
  await Promise.all([raw.close(), lines.close()]);
  return folder;
}

function blockOf(change: Partial<Block> & { id: string; seq: number }): Block {
  const startedMs = change.startedMs ?? START_MS + change.seq * 1_000;
  return Block.parse({
    status: 'completed',
    cmd: 'true',
    textSource: 'hook',
    cwd: '/home/u',
    startedMs,
    endedMs: startedMs + 120,
    durationMs: 120,
    exitCode: 0,
    endedBy: 'mark',
    trusted: true,
    rawStart: 0,
    ...change,
  });
}

export function writeTabs(home: string, order: readonly string[]): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'workspace.json'), `${JSON.stringify({ version: 1, order, active: null, folded: [] })}\n`, {
    mode: 0o600,
  });
}
