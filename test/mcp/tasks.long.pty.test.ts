import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTaskSessionFromClient, type RawClientDispatch } from '@modelcontextprotocol/ext-tasks/client';
import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { suiteFolder } from '../store/suiteFolder.ts';
import { RawBridge } from './bridge/bridgeBed.ts';
import { call, connectClient } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const TASKS = 'io.modelcontextprotocol/tasks';
const VERSION = '2026-07-28';

// biome-ignore lint/suspicious/noExplicitAny: each test checks the fields that it needs
type Answer = { result?: any; error?: any };

const home = suiteFolder('mcp-tasks');
const served = new ServedMcp();
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let id: string;
let bridge: RawBridge;

beforeAll(async () => {
  ({ link, id } = await served.start({ cols: 80, rows: 24 }));
  bridge = new RawBridge(served.app.home);
}, 60_000);

afterAll(async () => {
  await bridge.end();
  await served.dispose();
});

let asked = 0;

/** One request of the 2026 era through a bridge. In this era, each request describes its client and capabilities. */
async function ask(
  method: string,
  params: object,
  { name = 'tasked', knows = true, by = bridge }: { name?: string; knows?: boolean; by?: RawBridge } = {},
): Promise<Answer> {
  asked += 1;
  const requestId = `ask-${asked}`;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name, version: '1' },
    'io.modelcontextprotocol/clientCapabilities': knows ? { extensions: { [TASKS]: {} } } : {},
  };
  by.send({ jsonrpc: '2.0', id: requestId, method, params: { ...params, _meta } });
  return (await by.answer(requestId)) as Answer;
}

function watch(args: object, who: { name?: string; knows?: boolean } = {}): Promise<Answer> {
  return ask('tools/call', { name: 'pty_notify', arguments: { pty_id: id, ...args } }, who);
}

function writePolicy(more: object): void {
  const policy = { version: 1, clients: { '*': { scopes: ['observe'] } }, ...more };
  writeFileSync(join(served.app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
}

/** Resolves with the task when it has ended. */
async function ended(taskId: string): Promise<Record<string, unknown>> {
  let task: Record<string, unknown> = {};
  await expect
    .poll(
      async () => {
        task = (await ask('tasks/get', { taskId })).result;
        return task.status;
      },
      { timeout: 10_000 },
    )
    .not.toBe('working');
  return task;
}

const rawDispatch: RawClientDispatch = async (request) => {
  asked += 1;
  const requestId = `raw-${asked}`;
  bridge.send({ jsonrpc: '2.0', id: requestId, ...(request as object) });
  const { result, error } = (await bridge.answer(requestId)) as Answer;
  return error === undefined ? { kind: 'result', result } : { kind: 'error', error };
};

test('a client of the extension calls, does something else, and has the answer when it has come about', async () => {
  const { client, close } = await connectClient(served.app.home, { name: 'session', mode: 'auto' });
  const session = createTaskSessionFromClient(client, {
    endpointId: 'hansard',
    rawDispatch,
    v2RequestFraming: {
      protocolVersion: VERSION,
      clientInfo: { name: 'session', version: '1' },
      clientCapabilities: {},
    },
  });
  try {
    const execution = await session.callTool('pty_notify', {
      pty_id: id,
      search: 'tide is (in|out)',
      message: 'go on',
      include_snapshot: true,
    });
    expect(execution.kind).toBe('task');
    await runIn(link.api, id, "printf 'the tide is %s\\n' out");
    const { outcome } = await execution.settle();
    expect(outcome).toMatchObject({
      status: 'completed',
      result: { structuredContent: { outcome: 'matched', pty_id: id, message: 'go on', match: 'tide is out' } },
    });
    expect(JSON.stringify(outcome)).toContain('the tide is out');
  } finally {
    await session.close();
    await close();
  }
});

test('every state of a task is as the extension has it', async () => {
  const created = (await watch({ search: 'shape of it', ttl_s: 60 })).result;
  expect(isCreateTaskResultV2(created)).toBe(true);
  const open = (await ask('tasks/get', { taskId: created.taskId })).result;
  expect([isDetailedTaskV2(open), open.status, open.resultType]).toEqual([true, 'working', 'complete']);
  expect(open.ttlMs).toBeGreaterThan(60_000);
  await runIn(link.api, id, "printf 'shape %s\\n' 'of it'");
  const done = await ended(created.taskId);
  expect([isDetailedTaskV2(done), done.status]).toEqual([true, 'completed']);
  expect(Date.parse(String(done.lastUpdatedAt))).toBeGreaterThanOrEqual(Date.parse(created.createdAt));
  expect((await ask('tasks/cancel', { taskId: created.taskId })).result.resultType).toBe('complete');
  const { lines } = await link.api.audit.page.query({ filter: { client: 'tasked' }, limit: 500 });
  const [got] = lines.filter(({ tool }) => tool === 'tasks/get').toReversed();
  expect(got).toMatchObject({ what: created.taskId, decision: 'allowed', reads: 1 });
  const { result } = done as Answer;
  // an ended task does not change, except for the boundary of the frame around terminal output
  expect(await ended(created.taskId)).toMatchObject({
    ...done,
    result: { structuredContent: result.structuredContent },
  });
});

test('a cancelled one is cancelled, and comes about no more', async () => {
  const { taskId } = (await watch({ search: 'never told', ttl_s: 60 })).result;
  expect((await ask('tasks/cancel', { taskId })).result.resultType).toBe('complete');
  const task = await ended(taskId);
  expect([task.status, isDetailedTaskV2(task)]).toEqual(['cancelled', true]);
  await runIn(link.api, id, "printf 'never %s\\n' told");
  expect((await ended(taskId)).status).toBe('cancelled');
  const inbox = await ask('resources/read', { uri: 'term://inbox/tasked' });
  expect(inbox.result.contents[0].text).not.toContain(taskId);
});

test('one whose time is over is complete, and says so', async () => {
  const { taskId } = (await watch({ search: 'not in this second', ttl_s: 1 })).result;
  expect(await ended(taskId)).toMatchObject({
    status: 'completed',
    result: { structuredContent: { outcome: 'expired' } },
  });
});

test('who does not know tasks, or wants none, is told as ever', async () => {
  for (const answer of [
    await watch({ search: 'a', ttl_s: 1 }, { knows: false }),
    await watch({ search: 'a', ttl_s: 1, as_task: false }),
  ]) {
    expect(answer.result.resultType).toBe('complete');
    expect(answer.result.structuredContent).toMatchObject({ pty_id: id, inbox: 'term://inbox/tasked' });
  }
});

test.each(['tasks/get', 'tasks/cancel', 'tasks/update'])('%s is for the client whose task it is', async (method) => {
  const { taskId } = (await watch({ search: 'whose is it', ttl_s: 5 })).result;
  const params = { taskId, ...(method === 'tasks/update' && { inputResponses: {} }) };
  expect((await ask(method, params, { knows: false })).error).toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
  });
  expect((await ask(method, params, { name: 'somebody-else' })).error.code).toBe(-32602);
  expect((await ask(method, { ...params, taskId: 'n-00000000' })).error.code).toBe(-32602);
  expect((await ask(method, {})).error.code).toBe(-32602);
  expect((await ask('tasks/get', { taskId })).result.status).toBe('working');
  expect((await ask(method, params)).result.resultType).toBe('complete');
});

test('what the terminal printed comes without secrets and without escapes, by every way', async () => {
  // matches the output, not the echoed command line before it
  const search = 'leaks: .*\\[redacted\\]';
  const { taskId } = (await watch({ search, include_snapshot: true, ttl_s: 30 })).result;
  const secret = `AKIA${'QZ7K2M4N5P6R7S8T'}`;
  await runIn(link.api, id, `printf 'leaks: \\u202e%s%s\\n' ${secret.slice(0, 6)} ${secret.slice(6)}`);
  const task = JSON.stringify(await ended(taskId));
  const inbox = await ask('resources/read', { uri: 'term://inbox/tasked' });
  const since = await ask('tools/call', { name: 'blocks_since', arguments: {} });
  for (const told of [task, JSON.stringify(inbox.result), JSON.stringify(since.result)]) {
    expect(told).toContain(taskId);
    expect(told).toContain('leaks: ');
    expect(told).toContain('untrusted');
    expect(told).toContain('redactions');
    expect(told).not.toContain(secret);
    expect(told).not.toContain('\u202e');
  }
});

test('of a terminal that has become private it is told only that it is no longer there', async () => {
  const before = (await watch({ search: 'while it was open', ttl_s: 30 })).result.taskId;
  await runIn(link.api, id, "printf 'while it was %s\\n' open");
  expect(JSON.stringify(await ended(before))).toContain('while it was open');
  const { taskId } = (await watch({ search: 'behind the door', include_snapshot: true, ttl_s: 30 })).result;
  writePolicy({ ptys: { private: [`id:${id}`] } });
  await expect
    .poll(async () => (await ask('tools/call', { name: 'pty_list', arguments: {} })).result.structuredContent.ptys)
    .toEqual([]);
  await runIn(link.api, id, "printf 'behind %s door\\n' the");
  for (const one of [taskId, before]) {
    const task = await ended(one);
    expect(task).toMatchObject({ result: { structuredContent: { outcome: 'exited' } } });
    expect(JSON.stringify(task)).not.toMatch(/behind the door|while it was open/);
  }
  writePolicy({});
});

test('the 2025 era has none of it', async () => {
  const { client, close } = await connectClient(served.app.home, { name: 'older', mode: 'legacy' });
  expect(client.getServerCapabilities()?.extensions).toBeUndefined();
  const told = await call(client, 'pty_notify', { pty_id: id, search: 'x', ttl_s: 1 });
  expect(told.inbox).toBe('term://inbox/older');
  await close();
});

test('without the app the bridge says what is there when it runs, and that it does not', async () => {
  const alone = new RawBridge(home);
  try {
    const { result } = await ask('server/discover', {}, { by: alone });
    expect(result.capabilities.extensions).toEqual({ [TASKS]: {} });
    const { error } = await ask('tasks/get', { taskId: 'n-00000000' }, { by: alone });
    expect(error.message).toContain('APP_NOT_RUNNING');
  } finally {
    await alone.end();
  }
});
