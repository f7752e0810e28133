import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CoreConnection } from '../../src-main/hosts/web/connectCore.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { readView } from '../support/readView.ts';
import { soon } from '../support/soon.ts';

const app = new BackgroundCore({ HANSARD_PTY_HOST: 'on' });
let core: CoreConnection;
let id: string;

beforeAll(async () => {
  await app.start();
  core = connectTo(app.home);
  id = (await core.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 })).id;
});

afterAll(async () => {
  core.dispose();
  await app.run('serve', 'stop', '--force');
  await app.dispose();
});

const submit = (text: string) => soon(async () => (await core.api.terminal.submit.mutate({ id, text })).ok).toBe(true);

const view = () => readView(core.api, id);

/** Titles of the notifications. */
const listed = () =>
  new Promise<string[]>((resolve, reject) => {
    const following = core.api.notification.onChange.subscribe(undefined, {
      onError: reject,
      onData: (change) => {
        following.unsubscribe();
        resolve(change.type === 'all' ? change.notifications.map(({ title }) => title) : []);
      },
    });
  });

const marksOnDisk = () => readFileSync(new SessionFolder(app.home, id).meta, 'utf8');

async function renewed(kill: () => Promise<unknown>): Promise<void> {
  core.dispose();
  await kill();
  await app.start();
  core = connectTo(app.home);
  await soon(async () => (await view())?.state).toBe('live');
}

test('what nobody has looked at is still marked after a new core, and what was looked at is not', async () => {
  await submit("printf '\\033]9;look here\\a'; (exit 3)");
  await soon(async () => (await view())?.failure?.exitCode).toBe(3);
  const before = await view();
  await soon(() => existsSync(join(app.home, 'notifications.json'))).toBe(true);
  await soon(marksOnDisk).toMatch(/"failure":\{.*look here/);
  await renewed(() => app.killCore());
  expect(await view()).toMatchObject({ failure: before?.failure, bell: true, notification: before?.notification });
  expect(before?.notification?.body).toBe('look here');
  expect(await listed()).toEqual(['look here']);
  await core.api.terminal.seen.mutate({ id });
  await soon(marksOnDisk).not.toContain('look here');
  await renewed(() => app.killCore());
  expect(await view()).toMatchObject({ failure: null, bell: false, notification: null });
});

test('a command that fails while there is no core is marked by the next one', async () => {
  await submit('read -t 3; (exit 4)');
  await soon(async () => (await view())?.runningBlockId).not.toBeNull();
  await renewed(async () => {
    await app.killCore();
    await new Promise((resolve) => setTimeout(resolve, 4000));
  });
  await soon(async () => (await view())?.failure?.exitCode).toBe(4);
});

test('a mark is kept when the shell is killed with the core', async () => {
  await renewed(() => app.kill());
  expect((await view())?.failure?.exitCode).toBe(4);
});

test('a screen that was cleared, and where a shell was started, are known to the next cores', async () => {
  const kinds = async () =>
    (await core.api.block.dividers.query({ terminalId: id })).map(({ kind, afterSeq }) => `${kind} ${afterSeq}`);
  const before = await kinds();
  expect(before).toEqual(['restored 2']);
  await submit('clear');
  await soon(kinds).toEqual([...before, 'cleared 3']);
  await submit('echo shown');
  await soon(async () => (await view())?.atPrompt).toBe(true);
  await renewed(() => app.killCore());
  expect(await kinds()).toEqual([...before, 'cleared 3']);
  await renewed(() => app.kill());
  expect(await kinds()).toEqual([...before, 'cleared 3', 'restored 4']);
});
