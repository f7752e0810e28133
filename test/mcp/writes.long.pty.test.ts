import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Approval } from '../../src-main/contract/mcp/approval.ts';
import { type Connected, call, connectClient, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const SCOPES = {
  '*': { scopes: ['input'] },
  watcher: { scopes: ['observe'] },
  suggester: { scopes: ['suggest'] },
};
const ALLOWING = {
  clients: SCOPES,
  exec: { allow: [{ argv: ['sleep'] }, { argv: ['true'] }], deny: [{ argv: ['rm'] }] },
  input: { default: 'allow', typing_hold_ms: 1000 },
  limits: { exec_per_min: 600, reads_per_min: 100_000 },
};

const served = new ServedMcp();
const clients: Connected[] = [];
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let id = '';
/** Id of another terminal. */
let other = '';

function setPolicy(more: object = {}): void {
  const policy = { version: 1, ...ALLOWING, ...more };
  writeFileSync(join(served.app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
}

beforeAll(async () => {
  ({ link, id } = await served.start({ cols: 80, rows: 24 }));
  setPolicy();
  await runIn(link.api, id, 'true');
  other = await openTerminal();
}, 60_000);

afterEach(() => setPolicy());

afterAll(async () => {
  for (const one of clients) await one.close();
  await served.dispose();
});

async function client(name: string): Promise<Connected['client']> {
  const made = await connectClient(served.app.home, { name });
  clients.push(made);
  return made.client;
}

/** The client's own audit entries, as one text. */
async function ownAudit(by: Connected['client']): Promise<string> {
  const { contents } = await by.readResource({ uri: 'term://audit/mine' });
  return JSON.stringify(contents);
}

async function lease(by: Connected['client'], pty = id): Promise<string> {
  return (await call(by, 'pty_control', { action: 'request', pty_id: pty, reason: 'to type' })).lease.lease_id;
}

/** Resolves with the open approval of a terminal. */
function openApproval(pty: string): Promise<Approval> {
  return new Promise((resolve, reject) => {
    const following = link.api.approval.onChange.subscribe(undefined, {
      onData: (change) => {
        const asked = change.type === 'all' ? change.approvals : change.type === 'asked' ? [change.approval] : [];
        const open = asked.find(({ terminalId }) => terminalId === pty);
        if (!open) return;
        resolve(open);
        following.unsubscribe();
      },
      onError: reject,
    });
  });
}

/** Resolves with all open approvals. */
function openApprovals(): Promise<readonly Approval[]> {
  return new Promise((resolve, reject) => {
    const following = link.api.approval.onChange.subscribe(undefined, {
      onData: (change) => {
        if (change.type !== 'all') return;
        resolve(change.approvals);
        following.unsubscribe();
      },
      onError: reject,
    });
  });
}

async function openTerminal(): Promise<string> {
  const opened = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  await runIn(link.api, opened.id, 'true');
  return opened.id;
}

describe('a call that is not let in', () => {
  test.each([
    ['pty_exec', () => ({ pty_id: id, cmd: 'echo not-for-me' }), 'echo not-for-me'],
    ['pty_interrupt', () => ({ pty_id: id }), 'pty_interrupt'],
    ['pty_control', () => ({ action: 'request', pty_id: id, reason: 'please-let-me' }), 'please-let-me'],
  ])('%s without the scope for it is a line of the audit', async (tool, args, what) => {
    const own = await client('watcher');
    expect(await refusal(own, tool, args())).toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
    const told = await ownAudit(own);
    for (const word of [what, tool, 'NOT_ALLOWED_SCOPE']) expect(told).toContain(word);
  });

  test('pty_send without the scope for it tells the audit how much it was, and not what', async () => {
    const own = await client('watcher');
    const typed = { pty_id: id, lease_id: 'l-1', text: 'hunter2-secret' };
    expect(await refusal(own, 'pty_send', typed)).toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
    const told = await ownAudit(own);
    expect(told).toContain('14 characters, not recorded which');
    expect(told).not.toContain('hunter2');
  });

  test.each([
    ['private', () => other, null],
    ['made up', () => 'made-up', 'made-up: '],
  ])('because its terminal is %s is a line of the audit', async (kind, terminal, before) => {
    const pty_id = terminal();
    setPolicy({ ptys: { private: [`id:${other}`] } });
    const name = `knocks-${kind.replace(' ', '-')}`;
    const own = await client(name);
    for (const [tool, args] of [
      ['pty_exec', { pty_id, cmd: 'echo knock' }],
      ['pty_send', { pty_id, lease_id: 'l-1', text: 'hunter2' }],
      ['pty_control', { action: 'request', pty_id, reason: 'knock' }],
      ['pty_interrupt', { pty_id }],
    ] as const)
      expect(await refusal(own, tool, args)).toMatchObject({ code: 'PTY_NOT_FOUND' });
    expect(await refusal(own, 'pty_interrupt', { pty_id, block_id: `${pty_id}.b1-0` })).toMatchObject({
      code: 'BAD_INPUT',
    });
    const { lines } = await link.api.audit.page.query({ filter: { client: name }, limit: 9 });
    const pty = before === null ? other : null;
    expect(lines.toReversed().map((line) => [line.tool, line.pty, line.what, line.rule, line.reads])).toEqual([
      ['pty_exec', pty, `${before ?? ''}echo knock`, 'PTY_NOT_FOUND', null],
      ['pty_send', pty, `${before ?? ''}7 characters, not recorded which`, 'PTY_NOT_FOUND', null],
      ['pty_control', pty, `${before ?? ''}knock`, 'PTY_NOT_FOUND', null],
      ['pty_interrupt', pty, before ?? '', 'PTY_NOT_FOUND', null],
      ['pty_interrupt', pty, `${before ?? ''}${pty_id}.b1-0`, 'BAD_INPUT', null],
    ]);
  });

  test('because there were too many is one line, however many there were', async () => {
    setPolicy({ limits: { ...ALLOWING.limits, exec_per_min: 1 } });
    const own = await client('hurried');
    await call(own, 'pty_exec', { pty_id: id, cmd: 'true' });
    for (let n = 0; n < 20; n++)
      expect(await refusal(own, 'pty_exec', { pty_id: id, cmd: `true ${n}` })).toMatchObject({ code: 'RATE_LIMITED' });
    setPolicy();
    expect((await ownAudit(own)).split('RATE_LIMITED')).toHaveLength(2);
  });
});

describe('waits', () => {
  test('a client that waits as often as it may gets its next command run all the same, and is answered at once', async () => {
    const own = await client('busy-bee');
    const pty = await openTerminal();
    await new Promise((resolve) => setTimeout(resolve, 600)); // until the budget that all clients of this process share has room for six commands
    const slow = Array.from({ length: 4 }, () =>
      call(own, 'pty_exec', { pty_id: pty, cmd: 'sleep 1', wait_ms: 30_000 }),
    );
    await expect
      .poll(async () => (await call(own, 'pty_status', { pty_id: pty })).queue?.length ?? 0)
      .toBeGreaterThanOrEqual(3);
    const beganMs = performance.now();
    const fifth = await call(own, 'pty_exec', { pty_id: pty, cmd: 'true', wait_ms: 30_000 });
    expect(performance.now() - beganMs).toBeLessThan(2_000);
    expect(fifth).toMatchObject({ effective: { wait_ms: 0 } });
    expect(['queued', 'held']).toContain(fifth.status);
    expect(await refusal(own, 'blocks_get', { block_id: fifth.block_id, wait_ms: 1000 })).toMatchObject({
      code: 'RATE_LIMITED',
    });
    for (const done of await Promise.all(slow)) expect(done).toMatchObject({ status: 'completed' });
    const done = await call(own, 'blocks_get', { block_id: fifth.block_id, wait_ms: 20_000 });
    expect(done).toMatchObject({ status: 'completed' });
    // with a free wait, the answer does not mention a reduced one
    expect(await call(own, 'pty_exec', { pty_id: pty, cmd: 'true', wait_ms: 20_000 })).not.toHaveProperty('effective');
  });

  test.each([
    ['pty_send', (lease_id: string) => ({ lease_id, text: 'never-sent', wait: {} })],
    ['pty_control', (lease_id: string) => ({ lease_id, action: 'handback_to_user' })],
  ])('%s that would wait is refused before it does anything when no wait is left', async (tool, more) => {
    const own = await client('no-wait-left');
    const args = { pty_id: id, ...more(await lease(own)) };
    const stop = new AbortController();
    const waits = Array.from({ length: 4 }, () =>
      own
        .callTool(
          { name: 'pty_snapshot_wait', arguments: { pty_id: id, search: 'never', search_scope: 'new_output' } },
          { signal: stop.signal },
        )
        .catch(() => 'cancelled'),
    );
    await expect
      .poll(
        async () => (await own.callTool({ name: 'blocks_since', arguments: { actor: 'agent', wait_ms: 1 } })).isError,
      )
      .toBe(true);
    expect(await refusal(own, tool, args)).toMatchObject({ code: 'RATE_LIMITED', retry_after_ms: expect.any(Number) });
    stop.abort();
    await Promise.all(waits);
    expect(await call(own, 'pty_control', { action: 'status', pty_id: id })).toMatchObject({
      lease: { state: 'held' },
    });
    const { text } = await call(own, 'pty_snapshot', { pty_id: id });
    expect(text).not.toContain('never-sent');
    await call(own, 'pty_control', { action: 'release', pty_id: id, lease_id: args.lease_id });
  });

  test('a request for the keys counts as a wait while its person is asked, and is not asked about when no wait is left', async () => {
    setPolicy({ input: { default: 'ask', typing_hold_ms: 1000 } });
    const own = await client('asks-for-keys');
    const ptys = await Promise.all(Array.from({ length: 5 }, openTerminal));
    const request = (pty = '') => ({ action: 'request', pty_id: pty, reason: 'to type' });
    const asked = ptys.slice(0, 4).map((pty) => refusal(own, 'pty_control', request(pty)));
    const open = await Promise.all(ptys.slice(0, 4).map(openApproval));
    const told = { code: 'RATE_LIMITED', retry_after_ms: expect.any(Number) };
    expect(await refusal(own, 'pty_control', request(ptys[4]))).toMatchObject(told);
    expect(await refusal(own, 'pty_snapshot_wait', { pty_id: id, stable_ms: 50 })).toMatchObject(told);
    expect((await openApprovals()).map(({ terminalId }) => terminalId)).not.toContain(ptys[4]);
    for (const one of open)
      await link.api.approval.answer.mutate({ id: one.id, answer: { choice: 'deny', reason: '' } });
    for (const one of await Promise.all(asked)) expect(one).toMatchObject({ code: 'DENIED_BY_USER' });
    expect(await call(own, 'pty_snapshot_wait', { pty_id: id, stable_ms: 50 })).toMatchObject({ outcome: 'settled' });
    // without an approval, a request does not need a wait
    setPolicy({ limits: { ...ALLOWING.limits, waits_concurrent: 1 } });
    const waiting = call(own, 'pty_snapshot_wait', {
      pty_id: id,
      search: 'the (only) wait',
      search_scope: 'new_output',
    });
    const isWaiting = async () => (await own.callTool({ name: 'blocks_since', arguments: { wait_ms: 1 } })).isError;
    await expect.poll(isWaiting).toBe(true);
    expect(await call(own, 'pty_control', request(ptys[4]))).toMatchObject({ outcome: 'granted' });
    await runIn(link.api, id, "printf 'the %s wait\\n' only");
    expect(await waiting).toMatchObject({ outcome: 'matched' });
  });

  test('keys and stops that the person is asked about are waits while they are, and nobody is asked when none is left', async () => {
    const own = await client('asks-to-type');
    const [first = '', second = ''] = [await openTerminal(), await openTerminal()];
    const leases = [await lease(own, first), await lease(own, second)];
    const typed = (at: number) => ({ pty_id: [first, second][at], lease_id: leases[at], text: 'date', submit: true });
    setPolicy({ limits: { ...ALLOWING.limits, waits_concurrent: 1 }, input: { default: 'ask', typing_hold_ms: 1000 } });
    const asked = refusal(own, 'pty_send', typed(0));
    const { id: approval } = await openApproval(first);
    const told = { code: 'RATE_LIMITED', retry_after_ms: expect.any(Number) };
    expect(await refusal(own, 'pty_send', typed(1))).toMatchObject(told);
    await link.api.terminal.write.mutate({ id: second, data: 'sleep 1000\r' });
    await expect.poll(async () => (await call(own, 'pty_status', { pty_id: second })).active_block_id).toBeDefined();
    expect(await refusal(own, 'pty_interrupt', { pty_id: second })).toMatchObject(told);
    expect((await openApprovals()).map(({ terminalId }) => terminalId)).not.toContain(second);
    await link.api.approval.answer.mutate({ id: approval, answer: { choice: 'deny', reason: '' } });
    expect(await asked).toMatchObject({ code: 'DENIED_BY_USER' });
    const stopped = call(own, 'pty_interrupt', { pty_id: second });
    const { id: again } = await openApproval(second);
    await link.api.approval.answer.mutate({ id: again, answer: { choice: 'once' } });
    expect(await stopped).toMatchObject({ action: 'sent_sigint_key' });
  });
});

test('a line that is typed and run counts as a command, and not one more is run than may be', async () => {
  setPolicy({ limits: { ...ALLOWING.limits, exec_per_min: 2 } });
  const own = await client('typist');
  const pty = await openTerminal();
  const lease_id = await lease(own, pty);
  const type = { pty_id: pty, lease_id, text: 'true', submit: true, wait: { stable_ms: 200, wait_ms: 3000 } };
  await call(own, 'pty_send', type);
  await call(own, 'pty_send', type);
  expect(await refusal(own, 'pty_send', type)).toMatchObject({ code: 'RATE_LIMITED' });
  expect(await refusal(own, 'pty_exec', { pty_id: pty, cmd: 'true' })).toMatchObject({ code: 'RATE_LIMITED' });
  await call(own, 'pty_send', { pty_id: pty, lease_id, text: 'no Return, no command' });
});

test('that a lease was lent to the person, and given back, is in the audit', async () => {
  const own = await client('borrower');
  const lease_id = await lease(own);
  const back = call(own, 'pty_control', { action: 'handback_to_user', pty_id: id, lease_id });
  await expect
    .poll(async () => (await call(own, 'pty_control', { action: 'status', pty_id: id })).lease?.state)
    .toBe('with_user');
  expect(await ownAudit(own)).toContain('let the person type');
  await call(own, 'pty_control', { action: 'release', pty_id: id, lease_id });
  expect(await back).toMatchObject({ outcome: 'returned' });
  expect(await ownAudit(own)).toContain('gave the keys back');
});

describe('a command', () => {
  test('that is asked about names rule and sub-command while it is, and keeps them beside the answer', async () => {
    const own = await client('asker');
    const pty = await openTerminal();
    const args = { pty_id: pty, cmd: 'true && date --iso', wait_ms: 0 };
    const beganMs = Date.now();
    const asked = await call(own, 'pty_exec', args);
    expect(asked).toMatchObject({
      status: 'awaiting_approval',
      decision: { by: 'policy', rule: 'default', subcommand: 'date --iso' },
    });
    expect(asked.decision).not.toHaveProperty('choice');
    expect(asked.ts_queued).toBeGreaterThanOrEqual(beganMs);
    expect(asked.ts_queued).toBeLessThanOrEqual(Date.now());
    const { id: open } = await openApproval(pty);
    await link.api.approval.answer.mutate({ id: open, answer: { choice: 'deny', reason: 'not now' } });
    const answered = await call(own, 'blocks_get', { block_id: asked.block_id, wait_ms: 5000 });
    expect(answered).toMatchObject({
      status: 'denied',
      decision: { by: 'user', choice: 'deny', rule: 'default', subcommand: 'date --iso' },
    });
  });

  test('that says it only reads is shown to the person as saying so, and is asked about all the same', async () => {
    const own = await client('reader');
    const pty = await openTerminal();
    await call(own, 'pty_exec', { pty_id: pty, cmd: 'date', wait_ms: 0, is_read_only: true });
    const open = await openApproval(pty);
    expect(open).toMatchObject({ cmd: 'date', saysReadOnly: true });
    await link.api.approval.answer.mutate({ id: open.id, answer: { choice: 'deny', reason: '' } });
  });

  test('that is too long is TOO_LARGE, and told how long it may be', async () => {
    const own = await client('talker');
    const tooLong = { pty_id: id, cmd: `true ${'x'.repeat(8200)}` };
    // The previous test may have used up the budget that all clients of this process share.
    await expect
      .poll(() => refusal(own, 'pty_exec', tooLong))
      .toMatchObject({ code: 'TOO_LARGE', message: expect.stringContaining('8192') });
  });
});

test('numbers beyond their caps are taken as the cap and told, within objects too', async () => {
  const own = await client('clamped');
  const pty = await openTerminal();
  const lease_id = await lease(own, pty);
  await call(own, 'pty_send', { pty_id: pty, lease_id, keys: ['Ctrl+U'] });
  const told = await call(own, 'pty_send', {
    pty_id: pty,
    lease_id,
    text: 'x',
    wait: { stable_ms: 1, wait_ms: 900_000 },
  });
  expect(told).toMatchObject({ effective: { 'wait.stable_ms': 50, 'wait.wait_ms': 55_000 } });
  void runIn(link.api, pty, "printf '\\033[?1000h\\033[?1006h'; sleep 5");
  await call(own, 'pty_snapshot_wait', { pty_id: pty, stable_ms: 500, wait_ms: 5000 });
  const clicked = await call(own, 'pty_send', {
    pty_id: pty,
    lease_id: await lease(own, pty),
    mouse: { action: 'click', row: 5000, col: 3 },
  });
  expect(clicked).toMatchObject({ effective: { 'mouse.row': 999 } });
  expect(clicked.bytes_written).toBeGreaterThan(0);
});

test('of a client that may suggest commands each is asked about, whatever the rules allow, and what they deny is denied', async () => {
  const by = await client('suggester');
  const { id: own } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  await runIn(link.api, own, 'true');
  expect((await call(by, 'pty_whoami')).policy).toMatchObject({ exec_default: 'ask', input_default: 'not_allowed' });
  const running = call(by, 'pty_exec', { pty_id: own, cmd: 'true', wait_ms: 30_000 });
  const asked = await openApproval(own);
  expect(asked).toMatchObject({ cmd: 'true', rule: 'suggest', client: { name: 'suggester' } });
  await link.api.approval.answer.mutate({ id: asked.id, answer: { choice: 'once' } });
  expect(await running).toMatchObject({
    status: 'completed',
    decision: { by: 'user', choice: 'once', rule: 'suggest' },
  });
  expect((await refusal(by, 'pty_exec', { pty_id: own, cmd: 'rm x', wait_ms: 30_000 })).code).toBe('DENIED_BY_POLICY');
  expect((await refusal(by, 'pty_control', { action: 'request', pty_id: own, reason: 'x' })).code).toBe(
    'NOT_ALLOWED_SCOPE',
  );
  await link.api.terminal.close.mutate({ id: own, force: true });
});
