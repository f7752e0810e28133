import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HostLink } from '../../src-main/ptyHost/client/HostLink.ts';
import { PtyHost } from '../../src-main/ptyHost/host/PtyHost.ts';
import { type OpenTerminal, SERVED_VERSIONS } from '../../src-main/ptyHost/protocol/messages.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { soon } from '../support/soon.ts';
import { HeldShell } from './HeldShell.ts';

test('two shells never write one record: the second starts when the first has ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-host-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const shells: HeldShell[] = [];
  const spawnPty = (): HeldShell => {
    const shell = new HeldShell();
    shells.push(shell);
    return shell;
  };
  const clock = new FakeClock();
  const socketPath = join(folder, 'run', 's');
  const host = new PtyHost({ clock, log: silentLog, spawnPty, socketPath });
  await host.listen();
  const link = await HostLink.connect(socketPath);
  let hasEnded = false;
  void host.ended.then(() => {
    hasEnded = true;
  });
  onTestFinished(async () => {
    link.dispose();
    await soon(() => {
      clock.advance(600_000); // the end of a shell waits so long for a core
      return hasEnded;
    }).toBe(true);
  });
  const told: string[] = [];
  link.onReceived(({ message }) => told.push(message.type === 'refused' ? message.reason : message.type));
  const open: OpenTerminal = {
    ...{ type: 'open', id: 't1', file: '/bin/sh', argv: [], cwd: '/', env: {}, cols: 80, rows: 24 },
    ...{ folder, offset: 0, nonce: `Zj${'0'.repeat(32)}`, note: '{}' },
  };
  link.send({ type: 'hello', versions: SERVED_VERSIONS });
  link.send(open);
  link.send(open);
  await soon(() => told).toEqual(['welcome', 'opened', 'the shell before it has not ended yet']);
  shells[0]?.exit({ exitCode: 0, signal: null });
  link.send(open);
  await soon(() => told.slice(3)).toEqual(['exited', 'opened']);
  expect(shells.length).toBe(2);
  shells[1]?.exit({ exitCode: 0, signal: null });
});
