import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { begin, TestCore, until } from '../../support/TestCore.ts';

let core: TestCore;
let terminal: PtyInstance;

beforeAll(async () => {
  core = await TestCore.start();
  terminal = await core.open();
});

afterAll(() => core.dispose());

/** Starts a process in the terminal by the command of `how`, and resolves with the pid that it writes to a file. */
async function started(name: string, how: (program: string) => string): Promise<number> {
  const file = join(core.home, name);
  const program = `sh -c 'echo $$ > ${file}.new; mv ${file}.new ${file}; exec sleep 300'`;
  await begin(terminal, how(program));
  for (;;) {
    try {
      return Number(readFileSync(file, 'utf8'));
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20)); // not written yet
    }
  }
}

/** Resolves when the leader of the process's session has ended, or is the process itself. */
async function leaderGone(pid: number): Promise<void> {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const session = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
  while (session !== pid && existsSync(`/proc/${session}`)) await new Promise((resolve) => setTimeout(resolve, 20));
}

test.runIf(process.platform === 'linux').each([
  ['a child', (run: string) => `${run} &`],
  ['a grandchild behind a pipe', (run: string) => `(true | (${run})) &`],
  ['a process in a session of its own', (run: string) => `(setsid ${run}; true) &`],
  ['one that ignores the hang-up', (run: string) => `nohup ${run} > /dev/null 2>&1 &`],
])('%s of the shell is placed in its terminal, and the kernel vouches for that', async (name, how) => {
  const pid = await started(name.replaceAll(' ', '-'), how);
  expect(core.core.clients.findCaller(pid)).toEqual({ terminalId: terminal.id, isVerified: true });
  process.kill(pid);
});

test.runIf(process.platform === 'linux').each([
  ['its environment tells', 'marked', (run: string) => `(HANSARD_TERMINAL=${terminal.id} setsid -f ${run} &)`, true],
  [
    'its environment was taken away',
    'bare',
    (run: string) =>
      `(env -u HANSARD_TERMINAL setsid sh -c "(${run.replaceAll('"', '\\"').replaceAll('$', '\\$')}) & exit" &)`,
    false,
  ],
])('a process that has cut itself off is not vouched for where %s', async (_, name, how, isPlaced) => {
  const pid = await started(name, how);
  await leaderGone(pid);
  const place = core.core.clients.findCaller(pid);
  expect(place).toEqual({ terminalId: isPlaced ? terminal.id : null, isVerified: false });
  process.kill(pid);
});

test('a process outside of all terminals is vouched for to be in none', () => {
  expect(core.core.clients.findCaller(process.pid)).toMatchObject({ terminalId: null });
});

test('nobody vouches for a process that is not there, or that was not told', () => {
  expect(core.core.clients.findCaller(2 ** 22 - 1)).toEqual({ terminalId: null, isVerified: false });
  expect(core.core.clients.findCaller(null)).toEqual({ terminalId: null, isVerified: false });
});

test('a shell that has ended places nobody', async () => {
  const other = await core.open();
  const pid = other.input.shellPid;
  other.type('exit\r');
  await until(other, ({ view }) => view.state === 'exited');
  expect(core.core.clients.findCaller(pid)).toMatchObject({ terminalId: null });
});
