import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { installDrawnAgent } from '../../support/installDrawnAgent.ts';
import { begin, TestCore, until } from '../../support/TestCore.ts';
import { runCli } from '../runCli.ts';
import { serveTestCore } from '../servedTestCore.ts';

let core: TestCore;
let terminal: PtyInstance;
let stop: () => Promise<void>;
let log: string;
const run = (...args: string[]) => runCli(['agents', ...args], { home: core.dataFolder });

beforeAll(async () => {
  core = await TestCore.start();
  stop = await serveTestCore(core);
  log = join(core.home, 'answers');
  writeFileSync(log, '');
  terminal = await core.open();
  await begin(terminal, `${installDrawnAgent(core.home)} ${log}`);
  await until(terminal, ({ view }) => view.agent?.state === 'idle');
});

afterAll(() => stop());

test('a question is listed with its options, and answered by the number of one', async () => {
  terminal.type('ask 1\r');
  await until(terminal, ({ view }) => view.agent?.state === 'needs_approval');
  const listed = await run();
  expect(listed.stdout).toMatch(/WHERE +FILES/);
  expect(listed.stdout).toMatch(new RegExp(`needs approval +${basename(terminal.view.cwd)} +-`));
  expect(listed.stdout).toContain('$ npm test part-0');
  expect(listed.stdout).toContain("2. Yes, and don't ask again (p)");
  const id = terminal.view.agent?.conversationId ?? '';
  expect(await run('answer', id, '9')).toMatchObject({ code: 64, stderr: expect.stringContaining('3 options') });
  expect(await run('answer', id, 'yes')).toMatchObject({ code: 64 });
  expect(await run('answer', id, '2')).toMatchObject({ code: 0 });
  expect(readFileSync(log, 'utf8')).toBe('0 1\n');
  expect(await run('answer', id, '2')).toMatchObject({ code: 1, stderr: expect.stringContaining('asks nothing') });
});

test('a prompt is sent or queued, an agent at work is interrupted, and JSON has all of it', async () => {
  await until(terminal, ({ view }) => view.agent?.state === 'idle');
  const id = terminal.view.agent?.conversationId ?? '';
  expect(await run('reply', id, 'work')).toMatchObject({ code: 0, stderr: 'hansard: sent.\n' });
  await until(terminal, ({ view }) => view.agent?.state === 'working');
  expect(await run('reply', id, 'and then')).toMatchObject({ code: 0, stderr: expect.stringContaining('queued') });
  const { agents } = JSON.parse((await run('--json')).stdout);
  expect(agents).toMatchObject([{ state: 'working', queued: [{ text: 'and then', waitsFor: 'turn' }] }]);
  expect(await run('interrupt', id)).toMatchObject({ code: 0 });
  expect(await run('interrupt', 'nosuch')).toMatchObject({ code: 66 });
});
