import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Connected, call, connectClient, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const served = new ServedMcp();
const clients: Connected[] = [];
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let client: Connected['client'];
let id = '';
/** The terminal that the tests hide. */
let own = '';

beforeAll(async () => {
  ({
    link,
    id,
    mcp: { client },
  } = await served.start({ cols: 80, rows: 24 }));
  ({ id: own } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 }));
  await runIn(link.api, id, 'true');
  await runIn(link.api, own, 'true');
}, 60_000);

afterEach(async () => {
  setPolicy({});
  await link.api.terminal.hide.mutate({ id: own, isHidden: false });
});

afterAll(async () => {
  for (const one of clients) await one.close();
  await served.dispose();
});

function setPolicy(more: object): void {
  const policy = { version: 1, clients: { '*': { scopes: ['observe'] } }, ...more };
  writeFileSync(join(served.app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
}

const hide = () => link.api.terminal.hide.mutate({ id: own, isHidden: true });

/** Makes the terminal private; polls because a call makes the core read the policy file again. */
async function makePrivate(): Promise<void> {
  setPolicy({ ptys: { private: [`id:${own}`] } });
  await expect.poll(async () => (await call(client, 'pty_list')).ptys).toHaveLength(1);
}

describe.each([
  ['hidden by its person', hide],
  ['made private by the policy', makePrivate],
])('of a terminal that is %s', (_, hiding) => {
  test('a wait is over then, and not when what it waits for comes about', async () => {
    const waiting = refusal(client, 'pty_snapshot_wait', {
      pty_id: own,
      search: 'never (printed)',
      search_scope: 'new_output',
      wait_ms: 55_000,
    });
    await call(client, 'pty_list');
    const hidMs = performance.now();
    await hiding();
    expect(await waiting).toMatchObject({ code: 'PTY_NOT_FOUND', message: expect.stringContaining('you may see') });
    expect(performance.now() - hidMs).toBeLessThan(10_000);
  });

  test('a watch is too', async () => {
    const { id: watch } = await call(client, 'pty_notify', { pty_id: own, search: 'never (printed)' });
    await hiding();
    await expect.poll(async () => (await call(client, 'pty_notify', { action: 'list' })).watches).toEqual([]);
    const { contents } = await client.readResource({ uri: 'term://inbox/test-client' });
    const { noted } = JSON.parse((contents[0] as { text: string }).text);
    expect(noted.at(-1)).toMatchObject({ id: watch, outcome: 'exited' });
  });

  test('no cursor counts what is run in it', async () => {
    await hiding();
    const cursorNow = async () => (await call(client, 'blocks_since')).resume_cursor;
    const before = await cursorNow();
    await runIn(link.api, own, 'echo hidden');
    expect(await cursorNow()).toBe(before);
    await runIn(link.api, id, 'echo shown');
    expect(await cursorNow()).not.toBe(before);
  });

  test('whoever listens for the list of terminals hears that it is gone, and then nothing', async () => {
    const listener = await connectClient(served.app.home, { name: 'listener' });
    clients.push(listener);
    const heard: string[] = [];
    listener.client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(params.uri);
    });
    await listener.client.subscribeResource({ uri: 'term://ptys' });
    await hiding();
    await expect.poll(() => heard).not.toEqual([]);
    await listener.client.ping();
    heard.length = 0;
    await runIn(link.api, own, 'cd /tmp');
    await listener.client.ping();
    expect(heard).toEqual([]);
    await runIn(link.api, id, 'cd /tmp');
    await expect.poll(() => heard).toContain('term://ptys');
  });
});

test('no cursor counts a command that its person keeps out of the record', async () => {
  await runIn(link.api, id, 'HISTCONTROL=ignorespace');
  const cursorNow = async () => (await call(client, 'blocks_since')).resume_cursor;
  const before = await cursorNow();
  await link.api.terminal.write.mutate({ id, data: ' echo kept by nobody\r' });
  await expect
    .poll(async () => (await call(client, 'pty_snapshot', { pty_id: id })).text)
    .toMatch(/\nkept by nobody\n.*[$#]/);
  expect(await cursorNow()).toBe(before);
});
