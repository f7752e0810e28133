import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { AttachedTerminal } from '../../support/AttachedTerminal.ts';
import { CLI } from '../../support/builtProgram.ts';
import { eventually, Installation, type RunningCli } from '../Installation.ts';
import { runCli } from '../runCli.ts';

const home = suiteFolder('cli-attach');
const installation = new Installation({ isBuilt: true });
const DETACH = '\x1cd';
const open: AttachedTerminal[] = [];
let served: RunningCli;
let core: ReturnType<RunningCli['connect']>;
let id = '';

/** Attaches to the test's terminal. */
function attach(args: readonly string[] = [], size: { cols?: number; rows?: number } = {}): AttachedTerminal {
  const terminal = new AttachedTerminal([process.execPath, CLI, 'attach', id, ...args], { home, ...size });
  open.push(terminal);
  return terminal;
}

/** A shell that runs `hansard attach` and then commands that show the state of the terminal. */
function shellAround(line: string): AttachedTerminal {
  const script = `hansard() { '${process.execPath}' '${CLI}' "$@"; }; ${line}`;
  const terminal = new AttachedTerminal(['/bin/bash', '-c', script], { home });
  open.push(terminal);
  return terminal;
}

async function run(text: string): Promise<void> {
  await eventually('an idle shell', async () => {
    const verdict = await core.api.terminal.submit.mutate({ id, text });
    return verdict.ok || undefined;
  });
}

async function view() {
  const { terminals } = JSON.parse((await runCli(['ls', '--json'], { home })).stdout) as {
    terminals: { id: string; cols: number; rows: number }[];
  };
  return terminals.find((one) => one.id === id);
}

beforeAll(async () => {
  served = installation.start(['serve', '--no-open'], { home });
  await served.url();
  core = served.connect();
});

beforeEach(async () => {
  id = (await core.api.terminal.open.mutate({ cols: 80, rows: 24 })).id;
  await run('PS1="\\$ "; cd /; clear');
});

afterEach(async () => {
  for (const terminal of open.splice(0)) await terminal.dispose();
  // Not awaited, because a busy shell needs a second to hang up and no test reads it any more.
  void core.api.terminal.close.mutate({ id, force: true }).catch(() => undefined);
});

afterAll(async () => {
  core.dispose();
  await served.end('SIGKILL');
  installation.dispose();
});

describe('hansard attach', () => {
  test('shows what is there, passes keys, and leaves by its keys with 0', async () => {
    await run('clear; echo stood here');
    const terminal = new AttachedTerminal([process.execPath, CLI, 'attach'], { home });
    open.push(terminal);
    await terminal.shows('stood here');
    terminal.type('echo $((40 + 2)) from here\r');
    await terminal.shows('42 from here');
    terminal.type(DETACH);
    expect(await terminal.exited).toEqual({ exitCode: 0, signal: null });
    expect(terminal.text).toContain(`[detached from ${id}]`);
  });

  test('has the terminal at its own size, also after it was resized', async () => {
    const terminal = attach([], { cols: 91, rows: 17 });
    await terminal.shows('$');
    terminal.type('stty size\r');
    await terminal.shows('17 91');
    terminal.resize(70, 21);
    await eventually('the new size', async () => (await view())?.cols === 70 || undefined);
    terminal.type('stty size\r');
    await terminal.shows('21 70');
    terminal.type(DETACH);
    await terminal.exited;
  });

  test('shows the same screen as the core has, in a full-screen program too', async () => {
    const terminal = attach();
    await terminal.shows('$');
    terminal.type('clear; vi -u NONE -N -n /etc/passwd\r');
    await terminal.shows('root:x:0:0');
    terminal.type('ihello \x1b');
    await terminal.shows('hello root:x');
    const other = attach();
    await other.shows('hello root:x');
    await other.until(() => other.text === terminal.text);
    other.type(DETACH);
    await other.exited;
    terminal.type(`:q!\r${DETACH}`);
    await terminal.exited;
    // The last keys before detaching have reached the program.
    await eventually(
      'the shell',
      async () => (await core.api.terminal.submit.mutate({ id, text: 'true' })).ok || undefined,
    );
  });

  test.each([
    ['DA1', '\\e[c', 'c'],
    ['a cursor report', '\\e[6n', 'R'],
    ['the colour of letters', '\\e]10;?\\e\\\\', '\\\\'],
    ['a colour, ended by BEL', '\\e]11;?\\a', '\\\\'],
    ['DECRQM', '\\e[?2004$p', 'y'],
    ['a status report', '\\e[5n', 'n'],
  ])('%s is answered by the core alone', async (_, query, end) => {
    const terminal = attach();
    const second = attach();
    await terminal.shows('$');
    await second.shows('$');
    // Reads the reply, and any further input within half a second.
    const read = `printf '${query}'; IFS= read -rsd '${end}' -t 1 a; IFS= read -rs -t 0.5 -n 99 b; printf 'got %q rest %q.\\n' "$a" "$b"`;
    await run(`clear; stty -echo; ${read}; stty echo`);
    await terminal.shows('rest');
    await terminal.shows("rest ''.");
    expect(terminal.replies, 'the local terminal was asked nothing').toEqual([]);
    expect(second.replies).toEqual([]);
    await eventually(
      'an idle shell',
      async () => (await core.api.terminal.submit.mutate({ id, text: '' })).ok || undefined,
    );
  });

  test('the first detach key pressed twice goes through once; others go through as they are', async () => {
    const terminal = attach(['--detach-keys', 'ctrl+t q']);
    await terminal.shows('$');
    terminal.type('clear; cat -v\r');
    await terminal.until(() => terminal.rows[0] === '' || terminal.text.startsWith('$') === false);
    terminal.type('\x14\x14\x14x\x16\x1cd\r');
    await terminal.shows('^T^Tx^\\d');
    terminal.type('\x03');
    terminal.type('\x14q');
    expect(await terminal.exited).toEqual({ exitCode: 0, signal: null });
  });

  test('a paste may hold the detach keys', async () => {
    const terminal = attach();
    await run('clear; stty -isig -icanon; echo ready; head -c 16 | cat -v; stty sane');
    await terminal.until(() => terminal.rows[0] === 'ready');
    terminal.type('\x1b[200~a\x1cdb\x1b[201~');
    await terminal.shows('^[[200~a^\\db^[[201~');
    expect(terminal.exit).toBeNull();
    terminal.type(DETACH);
    await terminal.exited;
  });

  test('--read-only types nothing and leaves the size alone', async () => {
    await core.api.terminal.resize.mutate({ id, cols: 80, rows: 24 });
    await run('clear; echo looked at');
    const terminal = attach(['--read-only'], { cols: 100, rows: 30 });
    await terminal.shows('looked at');
    terminal.type('echo never\r');
    await run('echo after');
    await terminal.shows('after');
    expect(terminal.text).not.toContain('never');
    expect(await view()).toMatchObject({ cols: 80, rows: 24 });
    // The space outside of the terminal is marked.
    expect(terminal.rows[0]?.slice(80)).toBe('·'.repeat(20));
    expect(terminal.rows[29]).toBe('·'.repeat(100));
    terminal.type(DETACH);
    expect(await terminal.exited).toEqual({ exitCode: 0, signal: null });
  });

  test('a terminal that another one has sized is cut to fit, until something is typed', async () => {
    const large = attach([], { cols: 100, rows: 30 });
    await large.shows('$');
    const small = attach([], { cols: 40, rows: 10 });
    await eventually('the size of the newcomer', async () => (await view())?.cols === 40 || undefined);
    large.type("clear; printf '%s\\n' 0123456789{,,}\r");
    await large.shows('0123456789');
    large.type('printf "%0100d\\n" 7\r');
    await large.shows(`${'0'.repeat(99)}7`);
    await small.until(() => small.rows.some((row) => row === '0'.repeat(40)));
    expect(await view()).toMatchObject({ cols: 100, rows: 30 });
    small.type('stty size\r');
    await small.shows('10 40');
    await large.until(() => large.rows[29] === '·'.repeat(100));
    small.type(DETACH);
    await small.exited;
    await eventually('the size of who is left', async () => (await view())?.cols === 100 || undefined);
    await large.until(() => !large.text.includes('·'));
    large.type(DETACH);
    await large.exited;
  });

  test.each(['--raw-replay', '--no-replay'])('%s makes a full-screen program draw again', async (option) => {
    await core.api.terminal.resize.mutate({ id, cols: 80, rows: 24 });
    await run('vi -u NONE -N -n /etc/passwd');
    await eventually('vi', async () => {
      const all = JSON.parse((await runCli(['ls', '--json'], { home })).stdout) as {
        terminals: { runningBlockId: string }[];
      };
      return all.terminals[0]?.runningBlockId || undefined;
    });
    const first = attach();
    await first.shows('root:x:0:0');
    first.type(DETACH);
    await first.exited;
    const terminal = attach([option]);
    await terminal.shows('root:x:0:0');
    await terminal.until(() => terminal.rows[22] !== '');
    terminal.type(':q!\r');
    await eventually(
      'the shell',
      async () => (await core.api.terminal.submit.mutate({ id, text: '' })).ok || undefined,
    );
    terminal.type(DETACH);
    await terminal.exited;
  });

  test('--raw-replay begins with the end of the output, --no-replay with nothing', async () => {
    await run("clear; printf '\\e[31mred\\e[m\\n50%%\\r100%%\\n'; printf '\\e[6n'; sleep 0.1; read -t 1 -rs -d R _");
    await eventually(
      'an idle shell',
      async () => (await core.api.terminal.submit.mutate({ id, text: 'echo end' })).ok || undefined,
    );
    const raw = attach(['--raw-replay']);
    await raw.shows('100%');
    expect(raw.rows.join('\n')).toContain('50%\n100%');
    expect(raw.replies).toEqual([]);
    raw.type(DETACH);
    await raw.exited;
    const none = attach(['--no-replay']);
    none.type('echo only $((1 + 1))\r');
    await none.shows('only 2');
    expect(none.text).not.toContain('100%');
    none.type(DETACH);
    await none.exited;
  });
});

describe('a client that is stopped', () => {
  /** How long it is stopped; HANSARD_TEST_STOPPED_MS=60000 makes it a minute. */
  const stoppedMs = Number(process.env.HANSARD_TEST_STOPPED_MS ?? 10_000);

  test('slows nothing down, and shows what there is when it goes on', async () => {
    const terminal = attach();
    await terminal.shows('$');
    terminal.kill('SIGSTOP');
    const startedMs = performance.now();
    await run('seq 1000000 1400000 > /dev/null; seq 1000000 1400000; clear; echo all $((40 + 2)) there');
    const idle = () => core.api.terminal.submit.mutate({ id, text: 'true' });
    await eventually('the end of a flood of 3.6 MB', async () => (await idle()).ok || undefined);
    const floodMs = performance.now() - startedMs;
    expect(floodMs).toBeLessThan(stoppedMs);
    await new Promise((resolve) => setTimeout(resolve, stoppedMs - floodMs));
    expect(terminal.text).not.toContain('all 42 there');
    terminal.kill('SIGCONT');
    await terminal.shows('all 42 there');
    const other = attach();
    await other.shows('all 42 there');
    await terminal.until(() => other.text === terminal.text);
    terminal.type(DETACH);
    expect(await terminal.exited).toEqual({ exitCode: 0, signal: null });
  }, 180_000);
});

describe('the local terminal', () => {
  const around =
    'before=$(stty -g); hansard attach; code=$?; [ "$before" = "$(stty -g)" ] && echo "same $code"; read -r line; echo "read <$line>"';
  const noisy =
    "printf '\\e[?1049h\\e[?1000;1006h\\e[?2004h\\e[?25l\\e[?1h\\e=\\e[5 q\\e[31m\\e(0\\e[3;9r\\e]0;mine\\a'; sleep 0.2";

  /** Expects all modes of the program to be off, and keys to arrive as lines again. */
  async function isGivenBack(terminal: AttachedTerminal, code: number): Promise<void> {
    await terminal.shows(`same ${code}`);
    const { modes, buffer } = terminal.screen.terminal;
    expect(modes).toMatchObject({
      applicationCursorKeysMode: false,
      applicationKeypadMode: false,
      bracketedPasteMode: false,
      mouseTrackingMode: 'none',
      originMode: false,
      wraparoundMode: true,
      insertMode: false,
    });
    expect(buffer.active.type).toBe('normal');
    expect(terminal.screen.core.coreService.isCursorHidden).toBe(false);
    expect(terminal.screen.core.buffers.active.scrollTop).toBe(0);
    expect(terminal.screen.core._charsetService.charset).toBeUndefined();
    terminal.type('typed\r');
    await terminal.shows('read <typed>');
    await terminal.exited;
  }

  async function attachedAround(): Promise<AttachedTerminal> {
    const terminal = shellAround(around.replace('attach', `attach ${id}`));
    await terminal.until(() => terminal.text.includes('$') || terminal.bytes.includes('– Hansard'));
    await run(`clear; ${noisy}`);
    await terminal.until(() => terminal.screen.terminal.modes.mouseTrackingMode !== 'none');
    return terminal;
  }

  /** Process id of the command line, which is a child of the shell around it. */
  function clientOf(terminal: AttachedTerminal): number {
    return Number(
      execFileSync('pgrep', ['-P', String(terminal.pid), '-f', `${basename(CLI)} attach`])
        .toString()
        .trim()
        .split('\n')[0],
    );
  }

  test('is given back after leaving', async () => {
    const terminal = await attachedAround();
    terminal.type(DETACH);
    await isGivenBack(terminal, 0);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
  ] as const)('is given back after %s', async (signal, code) => {
    const terminal = await attachedAround();
    process.kill(clientOf(terminal), signal);
    await isGivenBack(terminal, code);
  });

  test('is given back when the shell ends, with its exit code', async () => {
    const terminal = await attachedAround();
    await run('exit 7');
    await isGivenBack(terminal, 7);
  });

  test('is given back when the core is killed, and it is said', async () => {
    const terminal = await attachedAround();
    await served.end('SIGKILL');
    await isGivenBack(terminal, 69);
    expect(terminal.text).toContain('hansard: the connection to the terminal ended');
    core.dispose();
    served = installation.start(['serve', '--no-open'], { home });
    await served.url();
    core = served.connect();
  });
});

describe('what cannot be attached says why', () => {
  test('without a terminal', async () => {
    const { code, stderr } = await runCli(['attach'], { home });
    expect([code, stderr]).toEqual([64, 'hansard: attach needs a terminal on its input and its output\n']);
  });

  test('no such terminal, with those that there are', async () => {
    const terminal = new AttachedTerminal([process.execPath, CLI, 'attach', 'nope'], { home });
    open.push(terminal);
    expect((await terminal.exited).exitCode).toBe(66);
    expect(terminal.text).toContain(`no open terminal "nope". There are:\n  ${id}`);
  });

  test('keys that cannot be pressed', async () => {
    const { code, stderr } = await runCli(['attach', '--detach-keys', 'ctrl+é'], { home });
    expect([code, stderr.includes('write keys like')]).toEqual([64, true]);
  });

  test('within a terminal of Hansard', async () => {
    const terminal = new AttachedTerminal([process.execPath, CLI, 'attach'], {
      home,
      env: { TERM_PROGRAM: 'hansard' },
    });
    open.push(terminal);
    expect((await terminal.exited).exitCode).toBe(64);
    expect(terminal.text).toContain('would show itself');
  });

  test('no core', async () => {
    const terminal = new AttachedTerminal([process.execPath, CLI, 'attach'], { home: suiteFolder('cli-attach-none') });
    open.push(terminal);
    expect((await terminal.exited).exitCode).toBe(69);
    expect(terminal.text).toContain('Hansard is not running on');
  });
});
