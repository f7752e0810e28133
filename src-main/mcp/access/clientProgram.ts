import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { ancestorsOf } from '../../pty/ancestors.ts';
import { runPs } from '../../util/ps.ts';

/** Programs whose first non-option argument names the script they run. */
const INTERPRETER = /^(?:node|nodejs|bun|deno|python[\d.]*|ruby|perl|bash|sh|zsh)$/;

/**
 * The program of a client as real paths: its executable, then the script if the executable is an interpreter. Empty if the system does not report it.
 * `pid`: the process at the other end of the socket, according to the kernel. If it is a bridge of ours (`hansard mcp`), its client is the process
 * that started it. A script's path comes from the arguments of the interpreter's process.
 */
export function clientPrograms(pid: number | null, isBridge: boolean): readonly string[] {
  const client = pid === null ? undefined : ancestorsOf(pid).chain[isBridge ? 1 : 0];
  const run = client && (process.platform === 'linux' ? readProc(client.pid) : readPs(client.pid));
  if (!run) return [];
  const { program, args, cwd } = run;
  const script = INTERPRETER.test(basename(program)) ? args.find((arg) => !arg.startsWith('-')) : undefined;
  const paths = [program, ...(script === undefined || cwd === null ? [] : [resolve(cwd, script)])];
  return paths.flatMap((path) => realPath(path) ?? []);
}

/** Whether a client runs the program at `path`, which may be a link. */
export function runsProgram(programs: readonly string[], path: string): boolean {
  const wanted = realPath(path);
  return wanted !== null && programs.includes(wanted);
}

interface Run {
  readonly program: string;
  readonly args: readonly string[];
  /** Null if unknown. */
  readonly cwd: string | null;
}

function readProc(pid: number): Run | null {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1, -1);
    return { program: readlinkSync(`/proc/${pid}/exe`), args, cwd: readlinkSync(`/proc/${pid}/cwd`) };
  } catch {
    return null; // the process has ended or belongs to another user
  }
}

/** Without the working directory, so a script is known only by an absolute path. */
function readPs(pid: number): Run | null {
  const program = runPs(['-o', 'comm=', '-p', String(pid)])?.trim();
  const args =
    runPs(['-o', 'args=', '-p', String(pid)])
      ?.trim()
      .split(' ')
      .slice(1) ?? [];
  return program?.startsWith('/') ? { program, args, cwd: '/' } : null;
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null; // it was removed, or replaced by an update
  }
}
