import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { binFolders, type RigAgent } from '../launch/Agent.ts';

/** New folders for one run: a HOME, and a project with the case's files. */
export class RunFolders {
  readonly #root = mkdtempSync('/tmp/rig-');
  readonly home = join(this.#root, 'home');
  /** Its own, because one agent makes no helpers in a HOME below the folder for temporary files. */
  readonly #temporary = join(this.#root, 'tmp');
  readonly project: string;

  /** `project`: a folder that is there already, and stays. */
  constructor(files: Readonly<Record<string, string>> = {}, project?: string) {
    this.project = project ?? join(this.#root, 'project');
    for (const folder of [this.home, this.#temporary, this.project]) mkdirSync(folder, { recursive: true });
    this.write(files);
  }

  /** Files of the project, over those that are there. */
  write(files: Readonly<Record<string, string>>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.project, path)), { recursive: true });
      writeFileSync(join(this.project, path), content);
    }
  }

  /** All that the shell is given: nothing of the machine's but where programs are. */
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

  /** Ends what an agent left running (one keeps a daemon alive behind its screen), and removes the folders. */
  remove(): void {
    for (const pid of this.#left()) process.kill(pid, 'SIGKILL');
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** Programs that were started from these folders. Linux only; elsewhere none is found. */
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
    return ''; // gone since the folder was read, or another user's
  }
}
