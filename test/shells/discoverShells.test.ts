import { expect, test } from 'vitest';
import { discoverShells, type Machine } from '../../src-main/shells/discoverShells.ts';

const machine = (more: Partial<Machine>): Machine => ({
  env: { SHELL: '/usr/bin/zsh' },
  loginShell: '/bin/bash',
  readText: () =>
    '# comment\n/bin/sh\n/bin/bash # here\n/usr/bin/bash\n\n/usr/bin/tmux\n/usr/sbin/nologin\n/usr/bin/fish\nrelative\n',
  isExecutable: () => true,
  ...more,
});
const found = (more: Partial<Machine>) => discoverShells(machine(more)).map(({ path }) => path);

test('puts $SHELL first, then the login shell, then /etc/shells, one path for each name', () => {
  expect(found({})).toEqual(['/usr/bin/zsh', '/bin/bash', '/bin/sh', '/usr/bin/fish']);
});

test('takes the login shell for the default when $SHELL is unset or cannot be run', () => {
  expect(found({ env: {} })[0]).toBe('/bin/bash');
  expect(found({ isExecutable: (path) => !path.endsWith('zsh') })[0]).toBe('/bin/bash');
});

test('takes what is no shell for none', () => {
  expect(found({ env: { SHELL: '/usr/sbin/nologin' }, loginShell: '/bin/false' })[0]).toBe('/bin/sh');
});

test('finds nothing on a machine that tells nothing', () => {
  expect(found({ env: {}, loginShell: null, readText: () => null })).toEqual([]);
});
