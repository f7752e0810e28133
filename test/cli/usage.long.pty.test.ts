import { describe, expect, test } from 'vitest';
import { suiteFolder } from '../store/suiteFolder.ts';
import { runCli } from './runCli.ts';

const home = suiteFolder('cli-usage');
const run = (...args: string[]) => runCli(args, { home });

describe('help', () => {
  test.each([
    '',
    'open',
    'serve',
    'ls',
    'blocks',
    'block',
    'chats',
    'chat',
    'screen',
    'wait',
    'record',
    'export',
    'import',
    'mcp',
    'approvals',
    'audit',
    'doctor',
  ])('`hansard %s --help` has examples and exit codes', async (command) => {
    const { code, stdout, stderr } = await run(...command.split(' ').filter(Boolean), '--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: hansard/);
    expect(stdout).toMatch(/\nExamples:\n( {2}hansard.*\n)+\nExit codes:\n {2}0 {3}done\n/);
  });

  test('every reading command has --json', async () => {
    for (const command of ['ls', 'blocks', 'block', 'chats', 'chat', 'screen', 'wait', 'doctor'])
      expect((await run(command, '--help')).stdout).toContain('--json');
  });

  test('the version is printed alone', async () => {
    expect(await run('--version')).toEqual({
      code: 0,
      signal: null,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
  });
});

describe('a command line that is not understood', () => {
  test.each([
    ['an unknown option', ['ls', '--nope'], "hansard: unknown option '--nope'"],
    ['a missing argument', ['block'], "hansard: missing required argument 'id'"],
    ['one argument too many', ['ls', 'x'], "hansard: too many arguments for 'ls'. Expected 0 arguments but got 1: x."],
    [
      'an unknown command',
      ['blokcs'],
      'hansard: "blokcs" is neither a command nor a folder here. `hansard --help` lists the commands.',
    ],
    ['a count of none', ['blocks', '--last', '0'], 'a whole number from 1 to'],
    ['a count of words', ['blocks', '--last', 'many'], 'a whole number from 1 to'],
    ['a port of words', ['serve', '--port', 'http'], 'a port is a number from 0 to 65535.'],
    ['a port too high', ['serve', '--port', '65536'], 'a port is a number from 0 to 65535.'],
    ['a negative port', ['open', '--port', '-1'], 'a port is a number from 0 to 65535.'],
    ['the wildcard address', ['serve', '--host', '0.0.0.0'], 'only 127.0.0.1 is served.'],
    ['a name for loopback', ['serve', '--host', 'localhost'], 'only 127.0.0.1 is served.'],
    ['the IPv6 wildcard', ['serve', '--host', '::'], 'only 127.0.0.1 is served.'],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^hansard: /);
  });

  test.each([
    ['a folder that is not there', ['./nope']],
    ['a file', ['package.json']],
  ])('open refuses %s with 66', async (_, args) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(66);
    expect(stderr).toMatch(/^hansard: .*\n$/);
  });
});
