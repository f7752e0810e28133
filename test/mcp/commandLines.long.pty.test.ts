import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectTo } from '../support/coreClient.ts';
import { ServedApp } from '../support/WebApp.ts';
import { type Connected, call, connectClient } from './mcpClient.ts';
import { runIn } from './runIn.ts';

const app = new ServedApp();
let link: ReturnType<typeof connectTo>;
let mcp: Connected;

beforeAll(async () => {
  await app.start();
  link = connectTo(app.home);
  mcp = await connectClient(app.home);
}, 60_000);

afterAll(async () => {
  await mcp?.close();
  link?.dispose();
  await app.dispose();
});

const wait = (pty_id: string, more: object) => call(mcp.client, 'pty_snapshot_wait', { pty_id, ...more });
const stream = (pty_id: string, more: object) => call(mcp.client, 'pty_stream_since', { pty_id, ...more });

async function open(shell: string, cols = 80): Promise<string> {
  const { id } = await link.api.terminal.open.mutate({ shell, cols, rows: 24 });
  return id;
}

const typeInto = (id: string, data: string) => link.api.terminal.write.mutate({ id, data });

describe.each(['/bin/bash', '/usr/bin/zsh', '/usr/bin/fish'])('in %s', (shell) => {
  let id = '';

  beforeAll(async () => {
    id = await open(shell, 40);
    await runIn(link.api, id, 'true');
  }, 60_000);

  test('a search finds what a program prints, not the command line that asks for it', async () => {
    const { resume_cursor: cursor } = await stream(id, { cursor_only: true });
    await typeInto(id, 'true ready-now and some more words, so that the line wraps; cat');
    await expect.poll(async () => (await stream(id, { cursor })).text.replaceAll(/\s/g, '')).toContain('wraps;cat');
    const asked = { search: 'ready-now', wait_ms: 0 };
    for (const search_scope of ['screen', 'new_output', 'scrollback'])
      expect(await wait(id, { ...asked, search_scope })).toMatchObject({
        outcome: 'deadline',
        command_lines: 'excluded',
      });
    expect(await wait(id, { search_absent: 'ready-now', wait_ms: 0 })).toMatchObject({ outcome: 'absent' });
    const found = await stream(id, { cursor, search: 'ready-now' });
    expect(found).toMatchObject({ command_lines: 'excluded' });
    expect(found).not.toHaveProperty('match');
    const watch = await call(mcp.client, 'pty_notify', { pty_id: id, search: 'ready-now', as_task: false });
    expect(watch).toMatchObject({ immediate: false, command_lines: 'excluded' });

    const coming = [
      wait(id, { search: 'ready-now', wait_ms: 30_000 }),
      wait(id, { search: 'ready-now', search_scope: 'new_output', wait_ms: 30_000 }),
      stream(id, { cursor, search: 'ready-now', wait_ms: 30_000 }),
    ];
    await typeInto(id, '\r');
    await expect.poll(async () => (await call(mcp.client, 'pty_status', { pty_id: id })).idle.idle).toBe(false);
    await typeInto(id, 'it is ready-now\r');
    const [screen, fresh, text] = await Promise.all(coming);
    expect(screen).toMatchObject({ outcome: 'matched' });
    expect(fresh).toMatchObject({ outcome: 'matched' });
    expect(text).toMatchObject({ match: { immediate: false } });
    await typeInto(id, '\x04');
    await expect.poll(async () => (await call(mcp.client, 'pty_notify', { action: 'list' })).watches).toEqual([]);
  }, 60_000);

  test('text that stands there already is immediate', async () => {
    await runIn(link.api, id, 'echo standing text');
    expect(await wait(id, { search: '^standing text$', search_flags: 'm', wait_ms: 0 })).toMatchObject({
      outcome: 'immediate',
      match: { row: expect.any(Number), col: 0 },
    });
    const { seq, screen_epoch } = await call(mcp.client, 'pty_snapshot', { pty_id: id });
    expect(await wait(id, { search: 'standing', after_seq: seq, since_epoch: screen_epoch, wait_ms: 0 })).toMatchObject(
      {
        outcome: 'immediate',
      },
    );
    const watch = await call(mcp.client, 'pty_notify', { pty_id: id, search: 'standing', as_task: false });
    expect(watch).toMatchObject({ immediate: true });
    await call(mcp.client, 'pty_notify', { action: 'cancel', id: watch.id });
  }, 60_000);

  test('a prompt behind output without a line end is left out, and the output before it is not', async () => {
    await runIn(link.api, id, "printf 'no line end'");
    expect(await wait(id, { search: 'no line end', wait_ms: 30_000 })).toMatchObject({
      match: { text: 'no line end' },
    });
    expect(await wait(id, { search: 'printf', search_scope: 'scrollback', wait_ms: 0 })).toMatchObject({
      outcome: 'deadline',
    });
  }, 60_000);
});

test('command lines stay left out when the lines are wrapped anew', async () => {
  const id = await open('/bin/bash', 80);
  await runIn(link.api, id, 'true'); // before its first prompt, a shell reports nothing and the terminal echoes the input
  await runIn(link.api, id, `echo ${'long '.repeat(12)}haystack | tr h H`);
  await call(mcp.client, 'pty_snapshot', { pty_id: id });
  await link.api.terminal.resize.mutate({ id, cols: 33, rows: 24 });
  await expect.poll(async () => (await call(mcp.client, 'pty_status', { pty_id: id })).cols).toBe(33);
  expect(await wait(id, { search: 'haystack', search_scope: 'scrollback', wait_ms: 0 })).toMatchObject({
    outcome: 'deadline',
    command_lines: 'excluded',
  });
  expect(await wait(id, { search: 'Haystack', wait_ms: 30_000 })).toMatchObject({ match: { text: 'Haystack' } });
}, 60_000);

test("a background job's output at the prompt is output", async () => {
  const id = await open('/bin/bash');
  await runIn(link.api, id, 'true');
  await runIn(link.api, id, `(until [ -e ${app.home}/go ]; do sleep 0.1; done; echo from the "job") &`);
  const coming = wait(id, { search: 'from the job', search_scope: 'new_output', wait_ms: 50_000 });
  writeFileSync(join(app.home, 'go'), '');
  expect(await coming).toMatchObject({ outcome: 'matched' });
}, 60_000);

test('a shell without a hook says that its command lines are not known', async () => {
  const id = await open('/bin/dash');
  await typeInto(id, 'echo se""arched\r');
  await wait(id, { search: '^searched$', search_flags: 'm', wait_ms: 30_000 });
  const { resume_cursor: cursor } = await stream(id, { cursor_only: true });
  await typeInto(id, 'true echoed');
  expect(await wait(id, { search: 'true echoed', wait_ms: 30_000 })).toMatchObject({ command_lines: 'unknown' });
  expect(await stream(id, { cursor, search: 'true echoed', wait_ms: 30_000 })).toMatchObject({
    command_lines: 'unknown',
    match: { text: expect.anything() },
  });
}, 60_000);
