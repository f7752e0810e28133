import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { coreRestart } from '../../../src-main/hosts/update/restartCore.ts';
import { Notices } from '../../../src-main/notices/Notices.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { soon } from '../../support/soon.ts';

let dataFolder: string;
let notices: Notices;
let restart: () => Promise<void>;

beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'hansard-restart-'));
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
  const cli = join(dataFolder, 'cli.mjs');
  // prints a URL as `serve restart` does, and fails
  writeFileSync(cli, "console.log('http://127.0.0.1:1/#code'); console.error('no room'); process.exitCode = 69;\n");
  notices = new Notices();
  restart = coreRestart({ cli, dataFolder, notices, clock: new FakeClock() });
});

const log = (): string[] => readFileSync(join(dataFolder, 'core.log'), 'utf8').trim().split('\n');
const failures = (): string[] => notices.current.map(({ text }) => text);
const FAILED = 'Hansard could not be restarted (exit code 69). It continues as before.';

describe('a restart by a window', () => {
  test('logs the reason of a failure, and no URL with a code', async () => {
    await restart();
    await soon(failures).toEqual([FAILED]);
    expect(log()).toEqual(['no room']);
  });

  test('runs once when several windows ask, and again after it failed', async () => {
    await Promise.all([restart(), restart(), restart()]);
    await soon(failures).toEqual([FAILED]);
    expect(log()).toEqual(['no room']);
    await restart();
    await soon(log).toEqual(['no room', 'no room']);
  });

  test('rejects when the log cannot be opened, and can be asked for again', async () => {
    mkdirSync(join(dataFolder, 'core.log'));
    await expect(restart()).rejects.toThrow('EISDIR');
    rmSync(join(dataFolder, 'core.log'), { recursive: true });
    await restart();
    await soon(failures).toEqual([FAILED]);
  });
});
