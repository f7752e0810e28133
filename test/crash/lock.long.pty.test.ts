import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAlive, processStart } from '../../src-main/store/files/processIdentity.ts';
import { acquireLock, lockPath, readLock, succeed } from '../../src-main/store/instance/lockFile.ts';
import { suiteFolder } from '../store/suiteFolder.ts';

const data = suiteFolder('lock');
const STARTER = join(import.meta.dirname, 'lockStarter.ts');

function newFolder(name: string): string {
  const folder = join(data, name);
  mkdirSync(folder);
  return folder;
}

interface Starter {
  child: ChildProcess;
  pid: number;
  said: Promise<string>;
  gone: Promise<void>;
}

function start(folder: string, startAtMs = 0): Starter {
  const child = spawn(process.execPath, [STARTER, folder, String(startAtMs)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const said = new Promise<string>((resolve) => {
    child.stdout?.once('data', (text) => resolve(String(text).trim()));
    child.once('close', () => resolve('died'));
  });
  return { child, pid: child.pid ?? 0, said, gone };
}

async function end(starters: readonly Starter[], how: 'release' | 'kill'): Promise<void> {
  for (const { child } of starters) {
    if (how === 'kill') child.kill('SIGKILL');
    else child.stdin?.end();
  }
  await Promise.all(starters.map(({ gone }) => gone));
}

describe('acquireLock', () => {
  test('the second is refused and told who runs and how to reach it; release lets the next one in', async () => {
    const folder = newFolder('plain');
    const first = acquireLock(folder);
    if (!first.ok) throw new Error('refused in an empty folder');
    first.publish({ socketPath: '/run/h.sock', url: 'http://127.0.0.1:1' });
    const second = acquireLock(folder);
    expect(second).toEqual({
      ok: false,
      pid: process.pid,
      startedMs: expect.any(Number),
      info: { socketPath: '/run/h.sock', url: 'http://127.0.0.1:1' },
    });
    expect(readLock(folder)).toEqual(second);
    first.release();
    first.release();
    expect([readLock(folder), readdirSync(folder)]).toEqual([null, []]);
    const third = acquireLock(folder);
    expect(third.ok).toBe(true);
    first.release();
    expect(readLock(folder)?.pid).toBe(process.pid);
    if (third.ok) third.release();
  });

  test('a lock of a killed core is taken over', async () => {
    const folder = newFolder('killed');
    const starter = start(folder);
    expect(await starter.said).toBe('won');
    expect(acquireLock(folder)).toEqual(
      expect.objectContaining({ ok: false, pid: starter.pid, info: { url: `of ${starter.pid}` } }),
    );
    await end([starter], 'kill');
    expect(readLock(folder)).toBeNull();
    const lock = acquireLock(folder);
    expect([lock.ok, readdirSync(folder)]).toEqual([true, ['core.lock']]);
  });

  test('a slow starter that still believes in the dead owner leaves its successor alone', () => {
    const folder = newFolder('slow');
    const dead = { pid: 2 ** 22 + 1, start: 'long ago', startedMs: 1, info: {} };
    const own = { pid: 2 ** 22 + 2, start: 'just now', startedMs: 2, info: {} };
    const successor = acquireLock(folder);
    expect(succeed(lockPath(folder), dead, own)).toBe(false);
    expect([successor.ok, readLock(folder)?.pid, readdirSync(folder)]).toEqual([true, process.pid, ['core.lock']]);
  });

  test('a process that has the number of the dead one is not mistaken for it', () => {
    const folder = newFolder('reused');
    writeFileSync(
      lockPath(folder),
      JSON.stringify({ pid: process.pid, start: 'another time', startedMs: 1, info: {} }),
    );
    expect(acquireLock(folder).ok).toBe(true);
  });

  test.each(['', '{"pid":', '[]', '{"pid":-1}'])('a lock file with %j in it is no reason not to start', (content) => {
    const folder = newFolder(`garbage-${content.length}-${content.charCodeAt(0)}`);
    writeFileSync(lockPath(folder), content);
    const lock = acquireLock(folder);
    expect([lock.ok, JSON.parse(readFileSync(lockPath(folder), 'utf8')).pid]).toEqual([true, process.pid]);
  });

  test('a link in the place of the lock is replaced, and where it points to is left alone', () => {
    const folder = newFolder('link');
    writeFileSync(join(folder, 'precious'), 'precious');
    symlinkSync(join(folder, 'precious'), lockPath(folder));
    expect(acquireLock(folder).ok).toBe(true);
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('precious');
  });

  test.each(['an empty folder', 'a stale lock', 'a stale lock whose successor died too'])(
    'of six starters in one instant exactly one wins, with %s',
    async (left) => {
      for (let round = 0; round < 3; round += 1) {
        const folder = newFolder(`race-${left.length}-${round}`);
        const stale = { pid: 2 ** 22 + 1, start: 'long ago', startedMs: 1, info: {} };
        if (left !== 'an empty folder') writeFileSync(lockPath(folder), JSON.stringify(stale));
        const claim = `${lockPath(folder)}.after-${stale.pid}-long_ago`;
        if (left.includes('successor')) writeFileSync(claim, JSON.stringify({ ...stale, pid: stale.pid + 1 }));
        const starters = Array.from({ length: 6 }, () => start(folder, Date.now() + 700));
        const said = await Promise.all(starters.map((starter) => starter.said));
        const winner = starters[said.indexOf('won')];
        expect([...said].sort()).toEqual([...Array.from({ length: 5 }, () => `lost ${winner?.pid}`), 'won']);
        expect(readdirSync(folder)).toEqual(['core.lock']);
        await end(starters, round % 2 ? 'kill' : 'release');
        expect(readdirSync(folder)).toEqual(round % 2 ? ['core.lock'] : []);
      }
    },
  );

  test('never two winners while starters are killed at random', async () => {
    const folder = newFolder('storm');
    let owner: Starter | null = null;
    const crowd: Starter[] = [];
    for (let round = 0; round < 8; round += 1) {
      const batch = Array.from({ length: 3 }, () => start(folder, Date.now() + 350));
      crowd.push(...batch);
      if (owner && round % 2) {
        await new Promise((resolve) => setTimeout(resolve, 330 + round * 4));
        await end([owner], 'kill');
      }
      const said = await Promise.all(batch.map((starter) => starter.said));
      const winners = batch.filter((_, at) => said[at] === 'won');
      expect(winners.length).toBeLessThanOrEqual(1);
      if (winners[0]) {
        expect(owner === null || !isAlive({ pid: owner.pid, start: '' })).toBe(true);
        owner = winners[0];
      }
    }
    await end(crowd, 'kill');
    expect([acquireLock(folder).ok, readdirSync(folder)]).toEqual([true, ['core.lock']]);
  });
});

describe('processStart', () => {
  test('is the same for one process, differs between two, and is null for none', async () => {
    const starter = start(newFolder('start'));
    await starter.said;
    const theirs = processStart(starter.pid);
    expect([processStart(process.pid), theirs]).toEqual([processStart(process.pid), expect.any(String)]);
    expect(theirs).not.toBe(processStart(process.pid));
    await end([starter], 'kill');
    expect([processStart(starter.pid), processStart(2 ** 22 + 1)]).toEqual([null, null]);
  });
});
