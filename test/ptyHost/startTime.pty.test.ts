import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findAppFiles } from '../../src-main/hosts/appFiles.ts';
import { openPtyHost } from '../../src-main/hosts/openPtyHost.ts';
import { spawnNodePty } from '../../src-main/pty/NodePty.ts';
import type { SpawnPty } from '../../src-main/pty/PtyProcess.ts';
import { hostPid, killHost } from '../support/hostProcess.ts';
import { soon } from '../support/soon.ts';

const ROUNDS = 10;
const MAX_SLOWER_MS = 150;

test(`a shell in the PTY host prints at most ${MAX_SLOWER_MS} ms later than one in Hansard itself`, async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'hansard-start-'));
  const files = { node: process.execPath, program: join(findAppFiles().root, 'out/main/ptyHost.js') };
  const { ptyHost } = await openPtyHost({ dataFolder, env: { HANSARD_PTY_HOST: 'on' }, files });
  onTestFinished(async () => {
    ptyHost?.dispose();
    killHost(dataFolder);
    await soon(() => hostPid(dataFolder)).toBeNull();
    rmSync(dataFolder, { recursive: true, force: true });
  });
  if (!ptyHost) throw new Error('the host did not start');

  /** Milliseconds from the call to the first byte. */
  const started = async (spawn: SpawnPty, terminalId: string): Promise<number> => {
    const folder = join(dataFolder, terminalId);
    mkdirSync(folder);
    const startMs = performance.now();
    const shell = spawn({
      ...{ file: '/bin/sh', argv: ['-c', 'echo ready'], cwd: '/', env: {}, cols: 80, rows: 24 },
      output: { terminalId, folder, offset: 0, nonce: `Zj${'0'.repeat(32)}`, note: '' },
    });
    const printed = Promise.withResolvers<number>();
    const take = (): void => printed.resolve(performance.now() - startMs);
    shell.onBytes(take);
    shell.recorded?.onChunk(take);
    const gone = new Promise<void>((resolve) => shell.onExit(() => resolve()));
    const tookMs = await printed.promise;
    await gone;
    return tookMs;
  };

  const here: number[] = [];
  const hosted: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    here.push(await started(spawnNodePty, `here-${round}`));
    hosted.push(await started(ptyHost.spawn, `hosted-${round}`));
  }
  const [hereMs, hostedMs] = [Math.min(...here), Math.min(...hosted)];
  process.stdout.write(`first byte after ${hereMs.toFixed(1)} ms here, ${hostedMs.toFixed(1)} ms in the host\n`);
  expect(hostedMs - hereMs).toBeLessThan(MAX_SLOWER_MS);
});
