import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../../src-main/contract/settings.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { ChatWriter, writeChat } from '../../support/chatRecords.ts';
import { begin, TestCore, until } from '../../support/TestCore.ts';

export const SESSION = '0a1b2c3d-0000-4000-8000-000000000001';
export const RESUME = `claude --resume ${SESSION}`;

export interface CutOffSpec {
  readonly shell?: string;
  /** Name of the folder in which the agent ran. */
  readonly folder?: string;
  /** What the person ran after the agent, before the restart. */
  readonly after?: string;
  /** False if the agent was resumed and had no prompt yet. */
  readonly hasPrompt?: boolean;
  /** The command line with which the agent was started. */
  readonly started?: string;
  readonly setting?: Settings['past.continue'];
}

/** A terminal whose agent was cut off by a restart: a real core, a real shell, and a stand-in for the agent that notes each of its starts. */
export class CutOffAgent {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-cut-')));
  readonly #notes = join(this.home, 'starts');
  readonly #bin = join(this.home, 'bin');
  #served!: TestCore;
  terminal!: PtyInstance;
  cwd = '';

  constructor() {
    mkdirSync(this.#bin);
    const agent = `#!/bin/sh\nprintf '%s|%s\\n' "$PWD" "$*" >> '${this.#notes}'\necho started\nexec sleep 60\n`;
    writeFileSync(join(this.#bin, 'claude'), agent);
    chmodSync(join(this.#bin, 'claude'), 0o755);
    writeFileSync(this.#notes, '');
    for (const rc of ['.bashrc', '.bash_profile', '.zshrc']) this.write(rc, `PATH=${this.#bin}:$PATH\n`);
    this.write('.config/fish/config.fish', `set -gx PATH ${this.#bin} $PATH\n`);
  }

  get past() {
    return this.#served.core.agents.past;
  }

  get core() {
    return this.#served.core;
  }

  /** A file of the person's home folder. */
  write(path: string, text: string): void {
    mkdirSync(join(this.home, path, '..'), { recursive: true });
    writeFileSync(join(this.home, path), text);
  }

  /** The folder and the arguments of each start of the agent after the restart. */
  starts(): string[] {
    return readFileSync(this.#notes, 'utf8').split('\n').slice(0, -1);
  }

  /** Runs the agent, ends the core and all shells, and starts the core again. `between` is called while no core runs. */
  async cutOff(spec: CutOffSpec = {}, between: () => void = () => undefined): Promise<void> {
    const { shell = 'bash', folder = 'work', started = 'claude', hasPrompt = true, setting = 'ask' } = spec;
    this.cwd = join(this.home, folder);
    mkdirSync(this.cwd);
    await this.#start();
    const { id } = await this.core.open({ shell, cwd: this.cwd, cols: 120, rows: 40 });
    this.terminal = this.core.terminal(id);
    await begin(this.terminal, started);
    await until(this.terminal, ({ book }) => book.runningId !== null);
    const blockId = this.terminal.book.runningId ?? '';
    if (spec.after !== undefined) {
      this.terminal.type('\x03');
      await until(this.terminal, ({ view, book }) => view.atPrompt && book.runningId === null);
      await begin(this.terminal, spec.after);
      await until(this.terminal, ({ book }) => book.runningId !== null && book.runningId !== blockId);
    }
    await this.core.settings.update({ 'past.continue': setting });
    await this.#served.stop();
    writeChat(this.#served.dataFolder, id, cutOffTalk(id, { blockId, cwd: this.cwd, hasPrompt }));
    writeFileSync(this.#notes, '');
    between();
    await this.restart(id);
  }

  /** Starts the core again on the same record. */
  async restart(id = this.terminal.id): Promise<void> {
    await this.#start(this.#served.dataFolder);
    this.terminal = this.core.terminal(id);
  }

  stop(): Promise<void> {
    return this.#served.stop();
  }

  atPrompt(): Promise<void> {
    return until(this.terminal, ({ view }) => view.atPrompt);
  }

  async dispose(): Promise<void> {
    await this.#served.dispose();
    rmSync(this.home, { recursive: true, force: true });
  }

  async #start(dataFolder?: string): Promise<void> {
    const { home } = this;
    const env = {
      PATH: `${this.#bin}:${process.env.PATH}`,
      HOME: home,
      USER: 'tester',
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
    };
    this.#served = await TestCore.start({ ...(dataFolder !== undefined && { dataFolder }), home, env });
  }
}

/** The lines of a conversation that has ended. */
export function cutOffTalk(
  terminalId: string,
  { blockId, cwd, hasPrompt }: { blockId: string; cwd: string; hasPrompt: boolean },
) {
  const chat = new ChatWriter(terminalId, 'c-cut', { atMs: Date.now() - 60_000, firstOrder: 10_000 });
  chat.event('cli:newSession', { agent: 'claude', blockId, cwd });
  chat.say('user', 'Mend the lantern', hasPrompt ? {} : { replayOf: null });
  chat.event('cli:exit', { isUnseen: true, ...(hasPrompt && { resumeId: SESSION }) });
  return chat.lines;
}
