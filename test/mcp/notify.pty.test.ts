import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const served = new ServedMcp();
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let mcp: Awaited<ReturnType<ServedMcp['start']>>['mcp'];
let id: string;

beforeAll(async () => {
  ({ link, mcp, id } = await served.start({ cols: 80, rows: 24 }));
  await runIn(link.api, id, 'true');
}, 60_000);
afterAll(() => served.dispose());

async function noted(watchId: unknown): Promise<Record<string, unknown>> {
  let found: Record<string, unknown> | undefined;
  await expect
    .poll(async () => {
      const { contents } = await mcp.client.readResource({ uri: 'term://inbox/test-client' });
      const [inbox] = contents;
      const all = JSON.parse(inbox && 'text' in inbox ? inbox.text : '').noted as Record<string, unknown>[];
      found = all.find((one) => one.id === watchId);
      return found !== undefined;
    })
    .toBe(true);
  return found ?? {};
}

test.each([
  ['search', '(', 'BAD_REGEX'],
  ['search', '(?<n>a)\\k<m>', 'BAD_REGEX'],
  ['search_absent', '[z-a]', 'BAD_REGEX'],
  ['search', '(a+)+$', 'REGEX_TIMEOUT'],
  ['search_absent', '(a|a)*$', 'REGEX_TIMEOUT'],
])('%s %s is refused at once, and nothing is watched', async (name, pattern, code) => {
  await runIn(link.api, id, `clear; printf '%0.sa' {1..60}; echo '!'`);
  expect((await refusal(mcp.client, 'pty_notify', { pty_id: id, [name]: pattern })).code).toBe(code);
  expect((await call(mcp.client, 'pty_notify', { action: 'list' })).watches).toEqual([]);
});

test('an expression that later output makes too slow has expired, and it is told why', async () => {
  await runIn(link.api, id, 'clear');
  const watch = await call(mcp.client, 'pty_notify', { pty_id: id, search: '(b+)+$', message: 'too clever' });
  await runIn(link.api, id, `echo "$(printf '%0.sb' {1..60});"`); // in one piece: a piece that ends in b would match
  expect(await noted(watch.id)).toMatchObject({
    outcome: 'expired',
    message: 'too clever',
    reason: expect.stringMatching(/50 ms|took/),
  });
});

test('the end of the program is told as the end, unless it was not to be told', async () => {
  const { id: ends } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  const [told, untold] = await Promise.all(
    [true, false].map((on_exit) => call(mcp.client, 'pty_notify', { pty_id: ends, search: 'never said', on_exit })),
  );
  await link.api.terminal.close.mutate({ id: ends, force: true });
  expect(await noted(told?.id)).toMatchObject({ outcome: 'exited' });
  expect(await noted(untold?.id)).toMatchObject({ outcome: 'expired', reason: 'the program has ended' });
});

test('one who only looks is told where there is nothing to watch', async () => {
  expect((await refusal(mcp.client, 'pty_notify', { pty_id: 'nowhere', search: 'x' })).code).toBe('PTY_NOT_FOUND');
  expect((await refusal(mcp.client, 'pty_notify', { search: 'x' })).code).toBe('BAD_INPUT');
});

test('of a terminal that is hidden while a client waits it hears that it is not there', async () => {
  const { id: there } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  await runIn(link.api, there, 'true');
  const waiting = refusal(mcp.client, 'pty_snapshot_wait', {
    pty_id: there,
    search: 'only (seen)',
    search_scope: 'new_output',
  });
  await call(mcp.client, 'pty_list');
  await link.api.terminal.hide.mutate({ id: there, isHidden: true });
  await runIn(link.api, there, "printf 'only %s\\n' seen");
  expect((await waiting).code).toBe('PTY_NOT_FOUND');
  await link.api.terminal.close.mutate({ id: there, force: true });
});

test('a watch repeats its message without what nobody sees', async () => {
  const watch = await call(mcp.client, 'pty_notify', { pty_id: id, message: 'done\u{e005b}\u202e\u0007' });
  expect(watch.message).toMatch(/^done/);
  expect(watch.message).not.toMatch(/[\u{e0000}-\u{e007f}\u202e\u0007]/u);
  await call(mcp.client, 'pty_notify', { action: 'cancel', id: watch.id });
});
