import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecResult } from '../../src-main/contract/mcp/exec.ts';
import type { TestCore } from '../support/TestCore.ts';

/** A core in its own process that requests three commands and reports their states. */
export function execKillChild() {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-exec-'));
  let running: ChildProcess | null = null;
  return {
    folder,
    async start(): Promise<readonly ExecResult[]> {
      running = fork(fileURLToPath(import.meta.url), [folder]);
      const [told] = await once(running, 'message');
      return told as readonly ExecResult[];
    },
    async kill(): Promise<void> {
      if (running?.exitCode !== null || running.signalCode !== null) return;
      running.kill('SIGKILL');
      await once(running, 'exit');
    },
    async dispose(): Promise<void> {
      await this.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) await work(process.argv[2] ?? '');

async function work(dataFolder: string): Promise<void> {
  const support = await import('../support/TestCore.ts');
  const core: TestCore = await support.TestCore.start({ dataFolder });
  const terminal = await core.open();
  const caller = {
    connectionId: 'c',
    account: 'c',
    owner: null,
    name: 'tester',
    title: 't',
    version: '1',
    pid: null,
    terminalId: null,
    isVerified: true,
  };
  const { exec } = core.core.clients;
  const first = await exec.exec({ terminalId: terminal.id, cmd: 'sleep 300', waitMs: 0 }, caller);
  await support.until(terminal, ({ book }) => book.runningId === first.blockId);
  const second = await exec.exec({ terminalId: terminal.id, cmd: `touch ${dataFolder}/never`, waitMs: 0 }, caller);
  const third = await exec.exec({ terminalId: terminal.id, cmd: 'date', waitMs: 0 }, { ...caller, name: 'other' });
  while (exec.byId(second.blockId)?.status !== 'held') await new Promise((resolve) => setTimeout(resolve, 10));
  process.send?.([first, second, third].map(({ blockId }) => exec.byId(blockId)));
}
