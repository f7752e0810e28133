import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test, vi } from 'vitest';
import { foregroundArgv, foregroundProcesses, programsOf } from '../../src-main/pty/foreground.ts';
import { procView } from '../../src-main/pty/procView.ts';
import { psView } from '../../src-main/pty/psView.ts';
import { runPs } from '../../src-main/util/ps.ts';
import { startBash } from '../support/startBash.ts';

const FIXTURES = new URL('../fixtures/ps/', import.meta.url);
const SHELL = 4242;

interface Expected {
  foreground: string[][];
  leader: string[];
  programs: string[];
}
const expected = JSON.parse(readFileSync(new URL('expected.json', FIXTURES), 'utf8')) as Record<string, Expected>;
const listings = readdirSync(FIXTURES).filter((name) => name.endsWith('.txt'));

test.each(listings)("a listing of macOS' ps is read: %s", (name) => {
  const text = readFileSync(new URL(name, FIXTURES), 'utf8');
  const view = psView(SHELL, '/dev/ttys003', (args) => (args.includes('ttys003') ? text : null));
  expect({
    foreground: foregroundProcesses(SHELL, view)?.map(({ argv }) => argv),
    leader: foregroundArgv(SHELL, view),
    programs: programsOf(SHELL, view),
  }).toEqual(expected[basename(name, '.txt')]);
});

test('a terminal whose device is not known is asked for by its shell', () => {
  const asked: string[] = [];
  const view = psView(SHELL, undefined, (args) => {
    asked.push(args.join(' '));
    return args.includes('tty=') ? 'ttys009\n' : ` ${SHELL} 1 ${SHELL} ${SHELL} Ss+ -zsh\n`;
  });
  expect(foregroundProcesses(SHELL, view)).toEqual([]);
  expect(asked).toEqual(['-o tty= -p 4242', '-t ttys009 -o pid=,ppid=,pgid=,tpgid=,stat=,args=']);
});

test.each([
  ['cannot be run', () => null],
  ['names no terminal', (args: readonly string[]) => (args.includes('tty=') ? '??\n' : '')],
])('a ps that %s says nothing, not that nothing runs', (_, run) => {
  const view = psView(SHELL, undefined, run);
  expect([foregroundProcesses(SHELL, view), programsOf(SHELL, view), foregroundArgv(SHELL, view)]).toEqual([
    null,
    null,
    [],
  ]);
});

test('ps tells a process that is there from one that is not', () => {
  expect(runPs(['-o', 'pid=', '-p', String(process.pid)])?.trim()).toBe(String(process.pid));
  expect(runPs(['-o', 'pid=', '-p', '4194304'])).toBe('');
});

test.runIf(process.platform === 'linux').each([
  ['one program', 'sleep 300'],
  ['a launcher and what it launched', "sh -c 'sleep 300; :'"],
  ['a pipe', 'sleep 300 | sleep 301 | sleep 302'],
  ['a job in the background', 'sleep 300 &'],
  ['a stopped job', 'sleep 300 & kill -STOP $!'],
  ['a copy of the shell', '(sleep 300; :)'],
  ['a shell in a shell', 'bash --norc'],
])('ps and /proc say the same of %s', async (_, command) => {
  const pty = startBash();
  pty.write(`${command}\r`);
  const of = (view: ReturnType<typeof procView>) => ({
    foreground: foregroundProcesses(pty.pid, view)?.map(({ pid, argv }) => `${pid} ${argv.join(' ')}`),
    leader: foregroundArgv(pty.pid, view).join(' '),
    programs: programsOf(pty.pid, view)?.toSorted(),
  });
  // The processes are stable once two readings in a row agree.
  await vi.waitFor(() => {
    const before = of(procView(pty.pid));
    const byPs = of(psView(pty.pid, undefined));
    expect(of(procView(pty.pid))).toEqual(before);
    expect(byPs).toEqual(before);
    expect(before.programs).not.toEqual([]);
  }, 10_000);
});
