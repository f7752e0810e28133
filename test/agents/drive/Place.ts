import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { binFolders, type RigAgent } from '../launch/Agent.ts';

/** New folders for one run: HOME, TMPDIR, and a project with the case's files. */
export class RunFolders {
  readonly #root = mkdtempSync('/tmp/rig-');
  readonly home = join(this.#root, 'home');
  /** A separate folder, because one agent does not make its helpers if HOME is below TMPDIR. */
  readonly #temporary = join(this.#root, 'tmp');
  readonly project: string;

  /** `project` is an existing folder, which `remove` keeps. */
  constructor(files: Readonly<Record<string, string>> = {}, project?: string) {
    this.project = project ?? join(this.#root, 'project');
    for (const folder of [this.home, this.#temporary, this.project]) mkdirSync(folder, { recursive: true });
    this.write(files);
  }

  /** Writes files of the project, and overwrites existing ones. */
  write(files: Readonly<Record<string, string>>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.project, path)), { recursive: true });
      writeFileSync(join(this.project, path), content);
    }
  }

  /** The whole environment of the shell: nothing from the machine except PATH. */
  env(agents: readonly RigAgent[], url: string): Record<string, string> {
    const own = agents.map((agent) => agent.env({ home: this.home, project: this.project, url }));
    const system = [...binFolders(agents), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'];
    return {
      PATH: system.join(':'),
      HOME: this.home,
      TMPDIR: this.#temporary,
      USER: 'tester',
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      PS1: '$ ',
      ...Object.assign({}, ...own),
    };
  }

  seed(agents: readonly RigAgent[], url: string): void {
    for (const agent of agents) agent.seed({ home: this.home, project: this.project, url });
    writeFileSync(join(this.home, '.bashrc'), "PS1='$ '\n");
  }

  /** Kills processes that agents left running (one agent keeps a daemon), and removes the folders. */
  remove(): void {
    for (const pid of this.#left()) process.kill(pid, 'SIGKILL');
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** Pids of processes whose command line contains a path of these folders. Linux only; empty on other systems. */
  #left(): number[] {
    if (!existsSync('/proc/self/cmdline')) return [];
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map(Number).filter((pid) => commandOf(pid).includes(`${this.#root}/`));
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // ended since /proc was listed, or another user's
  }
}
