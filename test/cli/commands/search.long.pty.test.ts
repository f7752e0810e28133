import { appendFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { SearchIndexer } from '../../../src-main/search/SearchIndexer.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { recordTerminal, START_MS } from '../recordFolder.ts';
import { runCli } from '../runCli.ts';

const home = suiteFolder('cli-search');
const run = (...args: string[]) => runCli(['search', ...args], { home });
const READ = 'hansard: there is no index that is up to date, so the files were read. A running Hansard keeps one.\n';

beforeAll(async () => {
  await recordTerminal(home, 't1-aa', [
    { id: 'b1-000001', cmd: 'echo hello', text: 'hello\nwide world\n', outputLines: 2 },
    { id: 'b2-000002', cmd: 'grep -n world x', text: 'x:3:the \x07 world\n', outputLines: 1, exitCode: 2 },
  ]);
  const folder = await recordTerminal(home, 't2-bb', [
    { id: 'b1-00000f', cmd: '日本 world', startedMs: START_MS + 60_000, cwd: '/srv/app' },
  ]);
  const provenance = { rawStart: 0, rawEnd: 0, seq: 0, extractor: 'test', extractorVersion: 1, confidence: 1 };
  const message = ChatMessage.parse({
    ...{
      id: 'm1',
      terminalId: 't2-bb',
      conversationId: 'c1',
      order: 1,
      kind: 'user',
      text: 'Why is the\nworld round?',
    },
    ...{ final: true, startedMs: START_MS + 90_000, updatedMs: START_MS + 90_000, provenance },
  });
  appendFileSync(folder.chatJsonl, `${JSON.stringify(message)}\n`);
});

const FOUND = [
  't2-bb/m1:2:world round?',
  't2-bb/b1-00000f:cmd:日本 world',
  't1-aa/b2-000002:cmd:grep -n world x',
  't1-aa/b2-000002:1:x:3:the \\x07 world',
  't1-aa/b1-000001:2:wide world',
];

test('without an index the files are read, the newest first, and stderr says so', async () => {
  const { code, stdout, stderr } = await run('world');
  expect(stdout.trimEnd().split('\n')).toEqual(FOUND);
  expect([code, stderr]).toEqual([0, READ]);
});

test('an index that is up to date gives the same, until something is written that it has not seen', async () => {
  const keeper = new SearchIndexer(home, silentLog);
  keeper.look();
  await keeper.settled();
  await keeper.close();
  const { code, stdout, stderr } = await run('world');
  expect(stdout.trimEnd().split('\n')).toEqual(FOUND);
  expect([code, stderr]).toEqual([0, '']);
  await recordTerminal(home, 't3-cc', [{ id: 'b1-0000aa', cmd: 'new world', startedMs: START_MS + 120_000 }]);
  const later = await run('world');
  expect(later.stdout.split('\n')[0]).toBe('t3-cc/b1-0000aa:cmd:new world');
  expect(later.stderr).toBe(READ);
});

test.each([
  [['world', '--in', 'chat'], ['t2-bb/m1:2:world round?']],
  [['--in', 'cmd,chat', '--cwd', '/srv', 'worl'], ['t2-bb/b1-00000f:cmd:日本 world']],
  [['--exit', 'failed', 'world', '--in', 'cmd'], ['t1-aa/b2-000002:cmd:grep -n world x']],
  [['--exact', 'ide w'], ['t1-aa/b1-000001:2:wide world']],
  [['--regex', '^w\\w+ w'], ['t1-aa/b1-000001:2:wide world']],
  [['本'], ['t2-bb/b1-00000f:cmd:日本 world']],
  [['-t', 't2', 'world', '-n', '1'], ['t2-bb/m1:2:world round?']],
])('%j finds its lines', async (args, lines) => {
  const { code, stdout } = await run(...args);
  expect([code, stdout.trimEnd().split('\n')]).toEqual([0, lines]);
});

test('nothing found is exit code 1 and prints nothing', async () => {
  const { code, stdout } = await run('nowhere-to-be-found');
  expect([code, stdout]).toEqual([1, '']);
});

test('--json is one document with what was found, also when that is nothing', async () => {
  const { stdout } = await run('--json', 'round');
  expect(JSON.parse(stdout)).toMatchObject({ version: 1, by: 'files', hits: [{ type: 'message', id: 'm1' }] });
  const none = await run('--json', 'nowhere-to-be-found');
  expect([none.code, JSON.parse(none.stdout).hits]).toEqual([1, []]);
});

test.each([
  [['--regex', '['], 'Invalid regular expression'],
  [['--in', 'nose', 'x'], 'cmd, output, chat'],
  [['--exact', '--regex', 'x'], 'cannot be used with'],
  [['--since', '12', 'x'], 'a time:'],
  [[], "missing required argument 'query'"],
])('%j is refused with a reason', async (args, reason) => {
  const { code, stderr } = await run(...args);
  expect(code).toBe(64);
  expect(stderr).toContain(reason);
});
