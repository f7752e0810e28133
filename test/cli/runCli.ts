import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { spawnNodePty } from '../../src-main/pty/NodePty.ts';
import { CLI } from '../support/builtProgram.ts';
import { knownToFish } from '../support/fishHome.ts';
import { ROOT } from '../support/sourceFiles.ts';

export interface Ran {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  home: string;
  env?: Record<string, string>;
  cwd?: string;
}

/** An environment with only known values: no forced colours, no display, no personal start-up files. */
export function cliEnv({ home, env }: RunOptions): Record<string, string> {
  const { PATH = '', TMPDIR } = process.env;
  knownToFish(tmpdir());
  return {
    PATH,
    ...(TMPDIR && { TMPDIR }),
    HOME: tmpdir(),
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    HANSARD_HOME: home,
    ...env,
  };
}

/** Runs one command to its end, with its output in pipes. */
export async function runCli(args: readonly string[], options: RunOptions): Promise<Ran> {
  return finished(startCli(args, options));
}

/** The output and exit of a command. Call it in the turn in which the command is started. */
export async function finished(child: ChildProcess): Promise<Ran> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (data: Buffer) => out.push(data));
  child.stderr?.on('data', (data: Buffer) => err.push(data));
  const [code, signal] = await ended(child);
  return { code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}

export function startCli(args: readonly string[], options: RunOptions): ChildProcess {
  return spawn(process.execPath, [CLI, ...args], {
    env: cliEnv(options),
    cwd: options.cwd ?? ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Resolves when the process has ended, its pipes are read to the end, and this process has released its handles. */
export function ended(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  return new Promise((resolve) => child.once('close', (code, signal) => setImmediate(resolve, [code, signal])));
}

/** Runs a shell line in which `hansard` is the command line under test. */
export async function runShell(line: string, options: RunOptions): Promise<Ran> {
  const script = `hansard() { '${process.execPath}' '${CLI}' "$@"; }\n${line}`;
  const child = spawn('/bin/bash', ['-c', script], {
    env: cliEnv(options),
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => out.push(data));
  child.stderr.on('data', (data: Buffer) => err.push(data));
  const [code, signal] = await ended(child);
  return { code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}

/** Runs one command on a terminal of `cols` columns; its output is as the terminal gets it, with CR LF. */
export async function runOnTerminal(
  args: readonly string[],
  options: RunOptions & { cols?: number },
): Promise<{ code: number | null; text: string }> {
  const pty = spawnNodePty({
    file: process.execPath,
    argv: [CLI, ...args],
    cwd: ROOT,
    env: { ...cliEnv(options), TERM: 'xterm-256color' },
    cols: options.cols ?? 80,
    rows: 24,
  });
  const pieces: Uint8Array[] = [];
  pty.onBytes((bytes) => pieces.push(bytes));
  const { exitCode } = await new Promise<{ exitCode: number | null }>((resolve) => pty.onExit(resolve));
  pty.dispose();
  return { code: exitCode, text: Buffer.concat(pieces).toString() };
}
