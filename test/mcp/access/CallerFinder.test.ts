import { expect, test } from 'vitest';
import { findCaller } from '../../../src-main/mcp/access/CallerFinder.ts';
import type { Ancestor } from '../../../src-main/pty/ancestors.ts';

const CLIENT = 2 ** 22 + 1; // larger than any pid, so that no real environment is read
const SHELL = 2 ** 22 + 2;

/** Places the client among one shell's processes. `client` and `shell` are what the system says of the two. */
function place(client: Partial<Ancestor>, shell: Partial<Ancestor> & { pid: number }) {
  const process = (facts: Partial<Ancestor>): Ancestor => ({
    ...{ pid: CLIENT, parent: 0, session: CLIENT, tty: null, start: null },
    ...facts,
  });
  return findCaller(CLIENT, [{ terminalId: 't1', pid: shell.pid }], (pid) => ({
    chain: [process(pid === CLIENT ? client : { session: shell.pid, ...shell })],
    isWhole: true,
  }));
}

const OUTSIDE = { terminalId: null, isVerified: true };
const INSIDE = { terminalId: 't1', isVerified: true };

test('a client of the shell’s session is in its terminal', () => {
  expect(place({ session: SHELL }, { pid: SHELL })).toEqual(INSIDE);
});

test('a client that was started from outside the container is not in a terminal whose shell is still being started', () => {
  expect(place({ session: 0 }, { pid: 0 })).toEqual(OUTSIDE);
});

test('a tty from outside the container that has the same number is not the shell’s', () => {
  expect(place({ tty: '34816' }, { pid: SHELL, tty: '34816' })).toEqual(OUTSIDE);
});

test('where the system reports no sessions, the tty decides', () => {
  expect(place({ session: -1, tty: 'ttys003' }, { pid: SHELL, session: -1, tty: 'ttys003' })).toEqual(INSIDE);
  expect(place({ session: -1, tty: 'ttys004' }, { pid: SHELL, session: -1, tty: 'ttys003' })).toEqual(OUTSIDE);
});
