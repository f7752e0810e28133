import { expect, test } from 'vitest';
import { type Hook, type LaunchRequest, launchPlan, shellName } from '../../src-main/shells/launchPlan.ts';

const hook: Hook = {
  path: '/hooks/hansard.one',
  header: {
    shells: ['one', 'uno'],
    args: ['--init', '{hook}', '{env.MISSING}', 'at {env.HOME}'],
    loginArgs: ['-l', '{hooksDir}'],
    env: { NONCE: '{nonceFile}', DIR: '{hooksDir}/dot', OLD: '{env.DIR}', MODE: 'start' },
    loginEnv: { MODE: 'login' },
    quality: 'rich',
    source: '',
    note: '',
  },
};
const request = (more: Partial<LaunchRequest>): LaunchRequest => ({
  shellPath: '/bin/one',
  hooks: [hook],
  hooksDir: '/hooks',
  nonceFile: '/run/nonce',
  login: false,
  env: { HOME: '/home/me' },
  ...more,
});

test('fills the placeholders and leaves out what names a variable that is not set', () => {
  expect(launchPlan(request({}))).toEqual({
    file: '/bin/one',
    args: ['--init', '/hooks/hansard.one', 'at /home/me'],
    env: { NONCE: '/run/nonce', DIR: '/hooks/dot', MODE: 'start' },
    shell: 'one',
    integration: 'hook',
    quality: 'rich',
    reason: 'one reports where commands begin and end',
    fix: null,
  });
});

test('starts a login shell with its own arguments and environment', () => {
  const { args, env } = launchPlan(request({ login: true, env: { DIR: '/mine' } }));
  expect({ args, env }).toEqual({
    args: ['-l', '/hooks'],
    env: { NONCE: '/run/nonce', DIR: '/hooks/dot', OLD: '/mine', MODE: 'login' },
  });
});

test.each([
  [false, []],
  [true, ['-l']],
])('starts a shell without a hook plainly, and says why there are no cards (login %s)', (login, args) => {
  expect(launchPlan(request({ shellPath: '/bin/dash', login }))).toEqual({
    file: '/bin/dash',
    args,
    env: {},
    shell: 'dash',
    integration: 'none',
    quality: 'none',
    reason: 'no hook for dash: everything it prints is one card',
    fix: 'use one, uno to get a card for each command',
  });
});

test('offers nothing to use when there is no hook at all', () => {
  expect(launchPlan(request({ shellPath: '/bin/dash', hooks: [] })).fix).toBeNull();
});

test('values of variables are not searched for placeholders', () => {
  expect(launchPlan(request({ env: { HOME: '{hook}' } })).args.at(-1)).toBe('at {hook}');
});

test.each([
  ['/usr/bin/zsh', 'zsh'],
  ['zsh', 'zsh'],
  ['-bash', 'bash'],
  ['C:\\Program Files\\PowerShell\\7\\pwsh.exe', 'pwsh'],
  ['/opt/my shell/fish', 'fish'],
])('the name of %s is %s', (path, name) => {
  expect(shellName(path)).toBe(name);
});
