import { describe, expect, test } from 'vitest';
import type { Block } from '../../src-main/contract/block.ts';
import type { TerminalMeta } from '../../src-main/contract/terminal.ts';
import { TerminalStatus } from '../../src-main/terminal/TerminalStatus.ts';

const meta: TerminalMeta = {
  ...{ version: 1, id: 'a', shell: 'bash', argv: ['bash'], cwd: '/', cols: 80, rows: 24, createdMs: 0, title: '' },
};

/** The status of a terminal in which a command ended like this. */
function afterEnd(ended: Partial<Block>, unseenTo = 0): TerminalStatus {
  const status = new TerminalStatus({ ...meta, unseenTo }, () => undefined);
  const block = { id: 'b1', endedMs: null, exitCode: null, ...ended } as Block;
  status.changed({ type: 'open', block }, 'b1');
  status.changed({ type: 'close', block: { ...block, endedMs: 5 } }, null);
  return status;
}

describe('the mark of a failed command', () => {
  test.each<[string, Partial<Block>, unknown]>([
    ['has the exit code', { exitCode: 3 }, { atMs: 5, exitCode: 3, signal: null }],
    ['has the signal', { exitCode: 139, signal: 'SIGSEGV' }, { atMs: 5, exitCode: 139, signal: 'SIGSEGV' }],
    ['is not there after a success', { exitCode: 0 }, null],
    ['is not there after Ctrl+C', { exitCode: 130 }, null],
    ['is not there after an unknown end', { exitCode: null }, null],
  ])('%s', (_title, ended, failure) => {
    expect(afterEnd(ended).view.failure).toEqual(failure);
  });

  test('stays while another command runs and background output ends, until the person looks', () => {
    const status = afterEnd({ exitCode: 3 });
    status.changed({ type: 'open', block: { id: 'b2' } as Block }, 'b2');
    status.changed({ type: 'close', block: { id: 'b3', endedMs: 6, exitCode: null } as Block }, 'b2');
    expect(status.view.failure?.exitCode).toBe(3);
    status.seen();
    expect(status.view.failure).toBeNull();
  });

  test('is not there again when a new core reads the output once more', () => {
    expect(afterEnd({ exitCode: 3, rawEnd: 9 }, 10).view.failure).toBeNull();
    expect(afterEnd({ exitCode: 3, rawEnd: 10 }, 10).view.failure?.exitCode).toBe(3); // its end is in the output after
  });
});
