import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { soon } from '../support/soon.ts';
import { OneTerminal } from './OneTerminal.ts';

let one: OneTerminal;
beforeAll(async () => {
  one = await OneTerminal.open({ shell: '/bin/bash' });
});
afterAll(() => one.dispose());

/** Titles of the notifications. */
const listed = () =>
  new Promise<string[]>((resolve, reject) => {
    const following = one.api.notification.onChange.subscribe(undefined, {
      onError: reject,
      onData: (change) => {
        following.unsubscribe();
        resolve(change.type === 'all' ? change.notifications.map(({ title }) => title) : []);
      },
    });
  });

const marksOnDisk = () => readFileSync(new SessionFolder(one.app.home, one.id).meta, 'utf8');

test('what nobody has looked at is still marked after a new core, and what was looked at is not', async () => {
  await one.submit("printf '\\033]9;look here\\a'; (exit 3)");
  await soon(async () => (await one.view())?.failure?.exitCode).toBe(3);
  const before = await one.view();
  await soon(() => existsSync(join(one.app.home, 'notifications.json'))).toBe(true);
  await soon(marksOnDisk).toMatch(/"failure":\{.*look here/);
  await one.renew('core');
  expect(await one.view()).toMatchObject({
    failure: before?.failure,
    bell: true,
    notification: before?.notification,
  });
  expect(before?.notification?.body).toBe('look here');
  expect(await listed()).toEqual(['look here']);
  await one.api.terminal.seen.mutate({ id: one.id });
  await soon(marksOnDisk).not.toContain('look here');
  await one.renew('core');
  expect(await one.view()).toMatchObject({ failure: null, bell: false, notification: null });
});

test('a command that fails while there is no core is marked by the next one', async () => {
  await one.submit('read -t 3; (exit 4)');
  await soon(async () => (await one.view())?.runningBlockId).not.toBeNull();
  await one.renew('core', () => sleep(4000));
  await soon(async () => (await one.view())?.failure?.exitCode).toBe(4);
});

test('a mark is kept when the shell is killed with the core', async () => {
  await soon(marksOnDisk).toContain('"exitCode":4');
  await one.renew('all');
  expect((await one.view())?.failure?.exitCode).toBe(4);
});

test('a screen that was cleared, and where a shell was started, are known to the next cores', async () => {
  const kinds = async () =>
    (await one.api.block.dividers.query({ terminalId: one.id })).map(({ kind, afterSeq }) => `${kind} ${afterSeq}`);
  const before = await kinds();
  expect(before).toEqual(['restored 2']);
  await one.submit('clear');
  await soon(kinds).toEqual([...before, 'cleared 3']);
  await one.submit('echo shown');
  await soon(async () => (await one.view())?.atPrompt).toBe(true);
  await one.renew('core');
  expect(await kinds()).toEqual([...before, 'cleared 3']);
  await one.renew('all');
  expect(await kinds()).toEqual([...before, 'cleared 3', 'restored 4']);
  await one.submit('echo more');
  await soon(async () => (await one.view())?.atPrompt).toBe(true);
  await one.renew('stop');
  expect(await kinds()).toEqual([...before, 'cleared 3', 'restored 4', 'restored 5']);
});
