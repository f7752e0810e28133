import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { connectTo } from '../../support/coreClient.ts';
import { ServedApp } from '../../support/WebApp.ts';
import { bridgeOf, type Era, inspect, type Load } from './inspect.ts';

const app = new ServedApp();
const root = suiteFolder('mcp-inspector');
let round = 0;
let terminal = '';

beforeAll(async () => {
  await app.start();
  const limits = { reads_per_min: 1_000_000, bytes_per_min: 1024 ** 3 };
  writeFileSync(join(app.home, 'policy.json'), JSON.stringify({ version: 1, limits }), { mode: 0o600 });
  const link = connectTo(app.home);
  ({ id: terminal } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 }));
  link.dispose();
}, 60_000);

afterAll(() => app.dispose());

const run = (era: Era, ...args: string[]) => inspect(bridgeOf(app.home), join(root, String(round++)), { era, args });

/** Each run takes about 2 s of CPU, and the runs are concurrent. */
const TIMEOUT_MS = 180_000;

/** Uses the real bridge: stdio, socket, app. */
describe.concurrent.each<Era>(['legacy', 'modern'])('the inspector, in the %s era', { timeout: TIMEOUT_MS }, (era) => {
  test('finds nothing in the schemas of our tools that other clients could not take', async () => {
    const { code, stderr, result } = await run(era, '--method', 'tools/list', '--strict');
    expect([code, stderr.match(/error|warning/gi)]).toEqual([0, null]);
    expect(result).toMatchObject({ tools: expect.arrayContaining([expect.objectContaining({ name: 'pty_list' })]) });
  });

  test('calls a tool', async () => {
    const { code, result } = await run(era, '--method', 'tools/call', '--tool-name', 'pty_list');
    expect([code, result]).toMatchObject([0, { structuredContent: { ptys: [{ pty_id: terminal }] } }]);
  });

  test('lists resources and prompts', async () => {
    const [resources, prompts] = [
      await run(era, '--method', 'resources/list'),
      await run(era, '--method', 'prompts/list'),
    ];
    expect([resources.code, prompts.code]).toEqual([0, 0]);
    expect(JSON.stringify(resources.result)).toContain(`term://pty/${terminal}/screen`);
    expect(JSON.stringify(prompts.result)).toContain('explain_last_failure');
  });
});

test('the inspector waits for what is watched, as the task that it is', { timeout: TIMEOUT_MS }, async () => {
  const wish = [`pty_id=${terminal}`, 'search=nothing here', 'ttl_s=2'].flatMap((arg) => ['--tool-arg', arg]);
  const { code, result } = await run('modern', '--method', 'tools/call', '--tool-name', 'pty_notify', ...wish);
  expect([code, result]).toMatchObject([0, { structuredContent: { pty_id: terminal, outcome: 'expired' } }]);
});

test('every one of 300 calls of the inspector, ten at a time, is answered', { timeout: TIMEOUT_MS }, async () => {
  const load = ['--load', '--load-requests', '300', '--load-concurrency', '10'];
  const { code, result } = await run('modern', '--method', 'tools/call', '--tool-name', 'pty_list', ...load);
  const { requests, ok } = result as unknown as Load;
  expect({ code, requests, ok }).toEqual({ code: 0, requests: 300, ok: 300 });
});
