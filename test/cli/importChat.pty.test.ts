import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { suiteFolder } from '../store/suiteFolder.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { runCli } from './runCli.ts';

const home = suiteFolder('cli-import-chat');
const MIXED = `${ROOT}/test/fixtures/recordings/mixed-shell-gemini-codex-100x30.cast`;

test('conversations in a recording are imported with it, and can be listed and printed', async () => {
  const ran = await runCli(['import', MIXED, '--json'], { home });
  expect(ran.code, ran.stderr).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({ conversations: 2 });
  const chat = await runCli(['chat', 'last'], { home });
  expect([chat.code, chat.stderr]).toEqual([0, '']);
  expect(chat.stdout).toMatch(/^# hello there\n[\s\S]*\n### User · \d\d:\d\d:\d\d\n\nhello there\n/);
});

test('an agent that is not known is refused with the list of those that are, and nothing is written', async () => {
  const none = `${home}/none`;
  const { code, stdout, stderr } = await runCli(['import', MIXED, '--agent', 'nobody'], { home: none });
  expect([code, stdout]).toEqual([64, '']);
  expect(stderr).toMatch(/unknown agent "nobody"\. Known agents: \w+(?:, \w+)+\./);
  expect(existsSync(none)).toBe(false);
});
