import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { suiteFolder } from '../store/suiteFolder.ts';
import { recordTerminal } from './recordFolder.ts';
import { runCli } from './runCli.ts';

test('searches and exports of output that was not recorded say so', async () => {
  const home = join(suiteFolder('lost-output'), 'home');
  const blocks = ['b1-before', 'b2-lost'].map((id) => ({
    id,
    raw: '0123456789\r\n',
    text: '0123456789\n',
    outputLines: 1,
  }));
  const { events, raw } = await recordTerminal(home, 'tlost', blocks);
  await recordTerminal(home, 'twhole', [{ id: 'b1-whole', raw: 'whole\r\n', text: 'whole\n', outputLines: 1 }]);
  const atMs = Date.UTC(2026, 5, 1);
  appendFileSync(
    events,
    `${JSON.stringify({ type: 'gap', fromOffset: 14, toOffset: 19, reason: 'the disk is full', atMs })}\n`,
  );
  const run = async (...args: string[]) => {
    const { code, stderr } = await runCli(args, { home });
    return { code, stderr };
  };
  const lacks = {
    code: 65,
    stderr: expect.stringContaining(`${raw} lacks 5 bytes of output, which could not be recorded`),
  };
  expect(await run('search', 'nowhere')).toMatchObject(lacks);
  expect(await run('search', '--exact', 'nowhere', '-t', 'tlost')).toMatchObject(lacks);
  expect(await run('export', 'tlost')).toMatchObject(lacks);
  expect(await run('export', 'b2-lost')).toMatchObject(lacks);

  const is = (code: number) => ({ code, stderr: expect.not.stringContaining('lacks') });
  expect(await run('search', 'nowhere', '-t', 'twhole')).toMatchObject(is(1));
  expect(await run('search', 'nowhere', '--in', 'cmd')).toMatchObject(is(1));
  expect(await run('search', 'nowhere', '--since', '2026-06-02')).toMatchObject(is(1));
  expect(await run('export', 'b1-before')).toMatchObject(is(0));
});
