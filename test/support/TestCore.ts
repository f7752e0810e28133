import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CoreOptions } from '../../src-main/core/CoreOptions.ts';
import { PtyChatClient } from '../../src-main/core/PtyChatClient.ts';
import { openPtyHost } from '../../src-main/hosts/openPtyHost.ts';
import { ownMachines } from '../../src-main/hosts/ownMachines.ts';
import { spawnNodePty } from '../../src-main/pty/NodePty.ts';
import type { SpawnPty } from '../../src-main/pty/PtyProcess.ts';
import type { PtyInstance } from '../../src-main/terminal/PtyInstance.ts';
import { systemClock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { BUILT_FILES } from './builtProgram.ts';
import { knownToFish } from './fishHome.ts';

/** A real core in this process with a new data folder, real shells, real files and the real screen worker. */
export class TestCore {
  readonly dataFolder: string;
  readonly home: string;
  core!: PtyChatClient;
  #ptyHost: CoreOptions['ptyHost'];

  private constructor(dataFolder: string, home: string) {
    this.dataFolder = dataFolder;
    this.home = home;
  }

  static async start(options: Partial<CoreOptions> & { dataFolder?: string } = {}): Promise<TestCore> {
    const folder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'hansard-core-'));
    const home = mkdtempSync(join(tmpdir(), 'hansard-home-'));
    knownToFish(home);
    const started = new TestCore(folder, home);
    // `HANSARD_PTY_HOST=on` runs all these tests with shells in the PTY host
    const { ptyHost } = await openPtyHost({
      dataFolder: folder,
      env: { HANSARD_PTY_HOST: process.env.HANSARD_PTY_HOST ?? 'off' },
    });
    started.#ptyHost = ptyHost;
    started.core = await PtyChatClient.start({
      dataFolder: folder,
      files: BUILT_FILES,
      env: { PATH: process.env.PATH, HOME: home, USER: 'tester', SHELL: '/bin/bash', LANG: 'C.UTF-8' },
      home,
      hostName: 'test',
      platform: process.platform,
      clock: systemClock,
      log: silentLog,
      spawnPty: ptyHost?.spawn ?? (spawnNodePty as SpawnPty),
      ptyHost,
      machines: ownMachines(process.env),
      randomId: (bytes) => randomBytes(bytes).toString('hex'),
      ...options,
    });
    return started;
  }

  /** A file of the person's home folder. */
  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.home, path)), { recursive: true });
    writeFileSync(join(this.home, path), text);
  }

  /** Opens a terminal and resolves when its shell is at a trusted prompt. */
  async open(shell = 'bash', size = { cols: 120, rows: 40 }): Promise<PtyInstance> {
    const { id } = await this.core.open({ shell, ...size });
    const terminal = this.core.terminal(id);
    await until(terminal, ({ view }) => view.atPrompt);
    return terminal;
  }

  async stop(): Promise<void> {
    await this.core.stop();
    this.#ptyHost?.dispose();
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Stops the core and leaves its shells to the PTY host, for a next one on this data folder. */
  async leave(): Promise<void> {
    await this.core.stop({ isLeft: true });
    this.#ptyHost?.dispose();
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.dataFolder, { recursive: true, force: true });
  }
}

/** Resolves when `isMet` returns true. Checks now and after every change of the terminal or its blocks. */
export function until(
  terminal: PtyInstance,
  isMet: (terminal: PtyInstance) => boolean,
  withinMs = 20_000,
): Promise<void> {
  if (isMet(terminal)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      for (const listening of listenings) listening.dispose();
    };
    const look = (): void => {
      if (!isMet(terminal)) return;
      stop();
      resolve();
    };
    const timer = setTimeout(() => {
      stop();
      reject(new Error(`not met within ${withinMs} ms: ${isMet.toString()} in ${JSON.stringify(terminal.view)}`));
    }, withinMs);
    const listenings = [terminal.onChanged(look), terminal.book.onChange(look)];
  });
}

/** Waits for the prompt, then submits a command as the composer does. */
export async function begin(terminal: PtyInstance, cmd: string): Promise<void> {
  await until(terminal, ({ view }) => view.atPrompt);
  const verdict = await terminal.submit(cmd);
  if (!verdict.ok) throw new Error(`submit was refused: ${verdict.reason}`);
}

/** Runs a command as the composer does and resolves with its block when it has ended. */
export async function runCommand(terminal: PtyInstance, cmd: string) {
  const before = terminal.book.lastSeq;
  await begin(terminal, cmd);
  await until(terminal, ({ book, view }) => book.lastSeq > before && book.runningId === null && view.atPrompt, 60_000);
  const { blocks } = await terminal.book.page({ limit: 1 });
  const [block] = blocks;
  if (!block) throw new Error('no block after the command');
  return block;
}
