import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program that ran: its name and its arguments, as the kernel passed them. */
export type Ran = readonly string[];

/** A shell's program and arguments, and lines that run before all others. */
export interface BenchShell {
  readonly program: string;
  readonly args: readonly string[];
  readonly setup: readonly string[];
}

/** Records a call in one write, so that the two sides of a pipe do not mix. */
const record = (name: string): string => `printf '%s\\0' "$#" ${name} "$@" >>"$RAN"`;
const recorder = (name: string): string => `#!/bin/sh\n${record(name)}\nexit "$EXITS"\n`;
const NEXT = '__next__';

/** Functions in place of the programs: the shell passes the same words to them, a hundred times as fast. */
export function inTheShell(programs: readonly string[]): readonly string[] {
  return [...programs, NEXT].map((name) => `${name}() { ${record(name)}; return "$EXITS"; }`);
}

/**
 * A folder whose programs only record their arguments. PATH has no others, so a command has no effects but shows how a shell reads it.
 * Wildcards find files in it.
 */
export class ShellBench {
  readonly #root = mkdtempSync(join(tmpdir(), 'hansard-policy-'));
  readonly #bin = join(this.#root, 'bin');
  readonly #work = join(this.#root, 'work');

  constructor(programs: readonly string[], files: readonly string[]) {
    for (const folder of [this.#bin, this.#work, join(this.#root, 'home')]) mkdirSync(folder);
    for (const name of [...programs, NEXT]) {
      writeFileSync(join(this.#bin, name), recorder(name));
      chmodSync(join(this.#bin, name), 0o755);
    }
    for (const name of files) writeFileSync(join(this.#work, name), '');
  }

  /** The programs that ran in the setup, then those of each command, in any order within one. Every program exits with `exits`. */
  async run(shell: BenchShell, commands: readonly string[], exits: number): Promise<readonly (readonly Ran[])[]> {
    const log = join(this.#root, 'ran');
    writeFileSync(log, '');
    const steps = [[...shell.setup, 'p2 ready'].join(' && '), ...commands];
    const script = `${steps.flatMap((step, at) => [step, `${NEXT} ${at}`]).join('\n')}\n`;
    await this.#feed([shell.program, ...shell.args], script, this.#env(log, exits));
    return byCommand(readRan(readFileSync(log, 'utf8')));
  }

  /** Runs the program with `script` as its input; resolves with its exit status. */
  async #feed(
    [program = '', ...args]: readonly string[],
    script: string,
    env: Record<string, string>,
  ): Promise<unknown> {
    const child = spawn(program, args, { cwd: this.#work, env, stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.on('error', () => undefined); // the program ended before it read everything, which the record shows
    child.stdin.end(script);
    const [status] = await once(child, 'close');
    return status;
  }

  #env(log: string, exits: number): Record<string, string> {
    const home = join(this.#root, 'home');
    return { PATH: this.#bin, HOME: home, RAN: log, EXITS: String(exits), LC_ALL: 'C.UTF-8', PS1: '', PS2: '' };
  }

  /** Paths of all programs that the shell and its children started, from strace; null if tracing is not possible. */
  async trace(shell: BenchShell, commands: readonly string[]): Promise<readonly string[] | null> {
    const tracer = ['/usr/bin/strace', '/bin/strace'].find((path) => existsSync(path));
    if (tracer === undefined) return null;
    const log = join(this.#root, 'trace');
    const words = [tracer, '-f', '-qq', '-e', 'trace=execve,execveat', '-o', log, shell.program, ...shell.args];
    const script = [...commands, 'exit 0', ''].join('\n');
    if ((await this.#feed(words, script, this.#env('/dev/null', 0))) !== 0) return null;
    const lines = readFileSync(log, 'utf8').matchAll(/execve(?:at)?\((?:AT_FDCWD, )?"([^"]*)".* = 0$/gm);
    return Array.from(lines, ([, path = '']) => path);
  }

  /** The path of a program of the bench. */
  pathOf(program: string): string {
    return join(this.#bin, program);
  }

  async dispose(): Promise<void> {
    // A child's handle closes a few turns after the child.
    while (process.getActiveResourcesInfo().includes('ProcessWrap'))
      await new Promise((resolve) => setImmediate(resolve));
    rmSync(this.#root, { recursive: true });
  }
}

function readRan(log: string): Ran[] {
  const fields = log.split('\0').slice(0, -1);
  const ran: Ran[] = [];
  for (let at = 0; at < fields.length; ) {
    const end = at + 2 + Number(fields[at]);
    ran.push(fields.slice(at + 1, end));
    at = end;
  }
  return ran;
}

/** Splits the record at the marks. A missing or misplaced mark changes the number of groups. */
function byCommand(ran: readonly Ran[]): Ran[][] {
  const groups: Ran[][] = [];
  let open: Ran[] = [];
  for (const one of ran) {
    if (one[0] !== NEXT) open.push(one);
    else {
      while (groups.length < Number(one[1])) groups.push([['(lost)']]);
      groups.push(open);
      open = [];
    }
  }
  return groups;
}
