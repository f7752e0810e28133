import { appendFileSync, closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, Block as BlockSchema } from '../../src-main/contract/block.ts';
import type { PaneTree } from '../../src-main/contract/panes.ts';
import type { TerminalMeta } from '../../src-main/contract/terminal.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';

const FIRST_MS = Date.UTC(2026, 8, 1);
const PIECE_BYTES = 1024 * 1024;

export interface RecordSpec {
  id: string;
  blocks: number;
  /** Number of output lines of a block. */
  linesOf: (seq: number) => number;
  /** Leaves the last block running and blocks.jsonl torn, as after a kill. */
  isTorn?: boolean;
  /** Gives every block the text of the first and leaves output.raw a hole, for gigabytes that only search reads. */
  isRepeated?: boolean;
}

/** Writes one terminal's record as after weeks of use. Returns its size in bytes. */
export function writeTerminal(
  dataFolder: string,
  { id, blocks, linesOf, isTorn = false, isRepeated = false }: RecordSpec,
): number {
  const folder = new SessionFolder(dataFolder, id);
  folder.create();
  const meta: TerminalMeta = {
    version: 1,
    id,
    shell: 'bash',
    argv: ['/bin/bash'],
    cwd: '/tmp',
    cols: 120,
    rows: 40,
    createdMs: FIRST_MS,
    title: '',
  };
  writeFileSync(folder.meta, `${JSON.stringify(meta)}\n`, { mode: 0o600 });
  const raw = openSync(folder.raw, 'w', 0o600);
  let rawSize = 0;
  let records = '';
  let total = 0;
  let text = Buffer.alloc(0);
  for (let seq = 1; seq <= blocks; seq++) {
    if (!isRepeated || seq === 1) text = Buffer.from(outputOf(seq, linesOf(seq)));
    const bytes = isRepeated ? text : Buffer.from(text.toString().replaceAll('\n', '\r\n'));
    if (isRepeated) ftruncateSync(raw, rawSize + bytes.length);
    else for (let at = 0; at < bytes.length; at += PIECE_BYTES) writeSync(raw, bytes.subarray(at, at + PIECE_BYTES));
    const block = ended(id, seq, { rawStart: rawSize, rawEnd: rawSize + bytes.length, lines: linesOf(seq) });
    const isOpen = isTorn && seq === blocks;
    records += `${JSON.stringify(isOpen ? running(block) : block)}\n`;
    writeFileSync(folder.out(block.id), text, { mode: 0o600 });
    rawSize += bytes.length;
    total += bytes.length + text.length;
  }
  closeSync(raw);
  writeFileSync(folder.blocksJsonl, records, { mode: 0o600 });
  if (isTorn) appendFileSync(folder.blocksJsonl, '{"id":"b9999-0000","terminalId":"');
  writeFileSync(folder.events, '', { mode: 0o600 });
  return total + records.length;
}

/** Writes workspace.json with open tabs, the first of them active; `panes` are terminals that share a tab. */
export function writeWorkspace(dataFolder: string, order: readonly string[], panes: readonly PaneTree[] = []): void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const workspace = { version: 1, order, active: order[0] ?? null, folded: [], panes };
  writeFileSync(join(dataFolder, 'workspace.json'), `${JSON.stringify(workspace)}\n`, { mode: 0o600 });
}

function outputOf(seq: number, lines: number): string {
  let text = '';
  for (let n = 0; n < lines; n++)
    text += `src/part-${seq % 97}/file-${n}.ts: ${(seq * 7919 + n * 104_729) % 100_000} of 100000 checked\n`;
  return text;
}

function ended(terminalId: string, seq: number, at: { rawStart: number; rawEnd: number; lines: number }): Block {
  const startedMs = FIRST_MS + seq * 60_000;
  return BlockSchema.parse({
    id: `b${seq}-${((seq * 2_654_435_761) % 0x1000000).toString(16).padStart(6, '0')}`,
    terminalId,
    seq,
    status: 'completed',
    cmd: seq % 3 === 0 ? `grep -rn checked src/part-${seq % 97}` : `make part-${seq % 97}`,
    textSource: 'hook',
    cwd: '/tmp',
    startedMs,
    endedMs: startedMs + 1234,
    durationMs: 1234,
    exitCode: seq % 11 === 0 ? 2 : 0,
    endedBy: 'mark',
    trusted: true,
    outputBytes: at.rawEnd - at.rawStart,
    outputLines: at.lines,
    cols: 120,
    rawStart: at.rawStart,
    rawEnd: at.rawEnd,
  });
}

function running(block: Block): Block {
  return {
    ...block,
    status: 'running',
    endedMs: null,
    durationMs: null,
    exitCode: null,
    endedBy: null,
    outputBytes: 0,
    outputLines: 0,
    rawEnd: null,
  };
}
