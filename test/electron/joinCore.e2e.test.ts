import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { runDriver } from './runDriver.ts';

interface JoinReport {
  exitCode: number;
  questions: string[];
  relaunches: number;
}

/** The page's report, which does not depend on the end of its window. */
const SEEN = {
  url: expect.stringMatching(/^app:\/\/bundle\/index\.html\?window=w[0-9a-f]+$/),
  preload: true,
  frontend: 'electron',
  refused: ['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'BAD_REQUEST'],
  terminals: 1,
  kinds: expect.arrayContaining(['bytes', 'state']),
  theme: 'light',
};

let core: BackgroundCore;
beforeEach(async () => {
  core = new BackgroundCore();
  await core.start();
  const { api, dispose } = connectTo(core.home);
  const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
  while (!(await api.terminal.submit.mutate({ id, text: 'echo before the window; cat' })).ok) await sleep(20);
  while ((await api.system.status.query()).terminals[0]?.running[0] !== 'cat') await sleep(20);
  dispose();
});
afterEach(() => core.dispose());

test('the desktop app shows the core in the background, and leaves it as it was when its window is closed', async () => {
  const { pid } = core;
  const report = await runDriver<JoinReport>('driveJoin.ts', { HANSARD_HOME: core.home });
  expect(report).toEqual({ ...SEEN, exitCode: 0, questions: [], relaunches: 0 });
  const status = await core.status();
  expect([status.pid, status.connections, status.terminals[0]]).toMatchObject([
    pid,
    1,
    { running: ['cat'], viewers: 0 },
  ]);
});

test.each([
  ['is started anew', '0', 1],
  ['ends', '1', 0],
])('where that core is killed the person is told, and the app %s when they say so', async (_, answer, relaunches) => {
  const report = await runDriver<JoinReport>('driveJoin.ts', {
    HANSARD_HOME: core.home,
    CORE_PID: String(core.pid),
    FAKE_END: 'kill',
    FAKE_ANSWERS: answer,
  });
  const questions = ['Hansard stopped in the background. Its shells and agents run on. Restart to continue with them.'];
  expect(report).toEqual({ ...SEEN, exitCode: 0, questions, relaunches });
  expect(existsSync(join(core.home, 'window.json'))).toBe(true);
});
