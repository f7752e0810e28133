import { onTestFinished } from 'vitest';
import { spawnNodePty } from '../../src-main/pty/NodePty.ts';
import type { PtyProcess } from '../../src-main/pty/PtyProcess.ts';

/** Starts bash without start-up files; kills it when the test has finished. */
export function startBash(): PtyProcess {
  const pty = spawnNodePty({
    file: '/bin/bash',
    argv: ['--norc', '-i'],
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm' },
    cols: 80,
    rows: 24,
  });
  onTestFinished(async () => {
    await new Promise((resolve) => {
      pty.onExit(resolve);
      pty.kill('SIGKILL');
    });
    pty.dispose();
  });
  return pty;
}
