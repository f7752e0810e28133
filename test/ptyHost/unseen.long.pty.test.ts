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

test('a bell and a message that a running command sent, and that somebody has looked at, are not marked again', async () => {
  await one.submit("printf '\\033]9;seen already\\a\\a'; cat");
  await soon(marksOnDisk).toContain('seen already');
  await one.api.terminal.seen.mutate({ id: one.id });
  await soon(marksOnDisk).not.toContain('seen already');
  await one.renew('core');
  await soon(listed).toEqual(['seen already', 'look here']);
  expect(await one.view()).toMatchObject({ bell: false, notification: null });
  await one.api.terminal.write.mutate({ id: one.id, data: '\u0004' });
  await soon(async () => (await one.view())?.atPrompt).toBe(true);
  expect(await one.view()).toMatchObject({ bell: false, notification: null });
});

test('a message like one that an earlier core listed is listed too', async () => {
  await one.submit("printf '\\033]9;look here\\a'");
  await soon(listed).toEqual(['look here', 'seen already', 'look here']);
});

test('the message of a command that is kept out of the record is in no file of marks', async () => {
  await one.submit('HISTCONTROL=ignorespace');
  await one.submit(" printf '\\033]9;not for files\\a'");
  await soon(async () => (await one.view())?.notification?.body).toBe('not for files');
  expect((await listed())[0]).toBe('not for files');
  await one.submit('(exit 5)');
  await soon(marksOnDisk).toContain('"exitCode":5');
  await one.submit("printf '\\033]9;for files\\a'");
  await soon(() => readFileSync(join(one.app.home, 'notifications.json'), 'utf8')).toContain('"for files"');
  await soon(marksOnDisk).toContain('"for files"');
  await one.renew('core');
  expect((await listed()).slice(0, 2)).toEqual(['for files', 'look here']);
});
