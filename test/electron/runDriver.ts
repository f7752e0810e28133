import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/sourceFiles.ts';

const FAKE = join(ROOT, 'test/electron/fake');

/** Starts a driver on the fake Electron. */
export function startDriver(name: string, home: string, env: Record<string, string>) {
  return spawn(process.execPath, ['--import', join(FAKE, 'register.ts'), join(FAKE, name)], {
    env: {
      PATH: process.env.PATH ?? '',
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
      HOME: home,
      USER: 'tester',
      APP_ROOT: ROOT,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs a driver in its own process and home. Resolves with the parsed last line of its output. */
export async function runDriver<T>(name: string, env: Record<string, string>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'hansard-driver-'));
  const child = startDriver(name, home, env);
  let out = '';
  let err = '';
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString();
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const last = out.trim().split('\n').at(-1) ?? '';
    if (code !== 0 || !last.startsWith('{')) throw new Error(`${name} ended with ${code}\n${out}\n${err}`);
    return JSON.parse(last) as T;
  } finally {
    child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  }
}
