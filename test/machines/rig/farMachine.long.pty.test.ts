import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { BackgroundCore } from '../../support/BackgroundCore.ts';
import { hostPid } from '../../support/hostProcess.ts';
import { FarMachine } from './FarMachine.ts';
import { SSHD } from './findProgram.ts';

/** Process ids of the sshds that this process has started. */
function sshds(): string[] {
  const all = execFileSync('ps', ['-o', 'pid=,comm=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return all.split('\n').filter((line) => line.endsWith(' sshd'));
}

describe.skipIf(SSHD === null)('a machine behind a bad line', () => {
  test('that cannot be started leaves no process', async () => {
    vi.spyOn(BackgroundCore.prototype, 'start').mockRejectedValueOnce(new Error('no core today'));
    await expect(FarMachine.start()).rejects.toThrow('no core today');
    expect(sshds()).toEqual([]);
  });

  test('ends its shells with it', { timeout: 120_000 }, async () => {
    const machine = await FarMachine.start();
    try {
      await machine.open();
      expect(hostPid(machine.sshd.dataFolder)).not.toBeNull();
    } finally {
      await machine.dispose();
    }
    expect([hostPid(machine.sshd.dataFolder), existsSync(machine.sshd.home), sshds()]).toEqual([null, false, []]);
  });
});
