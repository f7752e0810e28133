import { machine, type } from 'node:os';
import { describe, expect, test } from 'vitest';
import { installScript, removeScript } from '../../src-main/machines/setup/installScript.ts';
import { offerServer, removeServer } from '../../src-main/machines/setup/installServer.ts';
import { remoteCommand } from '../../src-main/machines/setup/remoteCommand.ts';
import { inAnyShell } from '../../src-main/machines/setup/shellWord.ts';

const here = { type: 'missing', system: type(), machine: machine(), libc: 'glibc', version: null } as const;

describe('what is offered to a machine without Hansard', () => {
  test('is a copy for a machine like this one', () => {
    expect(offerServer(here, '1.2.3')).toEqual({
      text: expect.stringMatching(/not installed there.*server\/1\.2\.3 there\?$/),
    });
  });

  test.each([
    ['another system', { system: 'Plan9' }],
    ['another processor', { machine: 'mips' }],
    ['another C library', { system: 'Linux', libc: 'musl' }],
  ])('is advice for %s', (_, other) => {
    expect(offerServer({ ...here, ...other }, '1.2.3')).toEqual({
      remedy: expect.stringContaining('`npm i -g ./hansard-1.2.3.tgz`'),
    });
  });

  test('names a version that cannot be used', () => {
    expect(offerServer({ ...here, version: '0.0.9' }, '1.2.3')).toEqual({
      text: expect.stringMatching(/^Hansard 0\.0\.9 there cannot be used/),
    });
  });
});

describe('a command for a shell that is not known', () => {
  test.each([
    ['remoteCommand', remoteCommand('1.2.3')],
    ['installScript', installScript('1.2.3', { bytes: 1, sha256: 'a' })],
    ['removeScript', removeScript()],
  ])('%s is one word in quotes', (_, command) => {
    expect(command).toMatch(/^exec sh -c '[^'!\n]*'$/);
  });

  test.each(["it's", '!!', 'a\nb', 'a\\\\b'])('refuses %j, which shells read differently', (text) => {
    expect(() => inAnyShell([text])).toThrow();
  });

  test.each(['', '../../etc', "1'2", '1 2', '$(id)', '-rf'])('refuses %j as a version', (version) => {
    expect(() => remoteCommand(version)).toThrow();
    expect(() => installScript(version, { bytes: 1, sha256: 'a' })).toThrow();
  });
});

test.each(['', 'Welcome to box\n', '\u001b]0;box\u0007'])(
  'a removal is understood behind %j of a start-up file',
  async (before) => {
    const run = async (line: string) => ({
      exitCode: 0,
      stdout: `${before}HANSARD-SETUP ${line}\n`,
      stderr: 'no room',
    });
    await removeServer({ run: () => run('ok') });
    await expect(removeServer({ run: () => run('move') })).rejects.toThrow('could not be removed. no room');
    await expect(removeServer({ run: () => run('okay') })).rejects.toThrow('could not be removed');
  },
);
