import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentSeat } from '../../agents/board/AgentSeat.ts';
import { installedVersion } from '../../agents/launch/Agent.ts';
import { claude } from '../../agents/launch/claude.ts';
import { installDrawnAgent } from '../../support/installDrawnAgent.ts';
import type { FarMachine } from './FarMachine.ts';

/** An agent on another machine that asks a question and edits a file when the person says so. The caller disposes it. */
export interface FarAgent {
  /** As Hansard names it. */
  readonly label: string;
  /** Its terminal, by this machine's id. */
  readonly terminalId: string;
  start(machine: FarMachine, project: string): Promise<void>;
  /** A prompt after which it asks. `right` is the option to choose. */
  asking(mark: string): { readonly prompt: string; readonly right: RegExp };
  /** Everything that answers have caused so far, and what one right answer to each of these questions causes. */
  done(marks: readonly string[]): { readonly seen: string; readonly right: string };
  /** A prompt after which it writes `text` into a file of its project, and the answer that this needs. */
  editing(file: string, text: string): { readonly prompt: string; readonly right: RegExp | null };
  /** Lets an edit that waits for the test go on. */
  goOn(): void;
  /** Text of its answer after the edit. */
  readonly said: RegExp;
  dispose(): Promise<void>;
}

/** The program that draws like Codex CLI: each answer to one of its questions is a line of a file. */
export class DrawnFarAgent implements FarAgent {
  readonly label = 'Codex';
  readonly said = /Edited \w+\.ts/;
  terminalId = '';
  #log = '';

  async start(machine: FarMachine, project: string): Promise<void> {
    const program = installDrawnAgent(machine.sshd.home);
    this.#log = join(machine.sshd.home, 'answers');
    this.terminalId = await machine.open(project);
    await machine.begin(this.terminalId, `${program} ${this.#log}`);
  }

  asking() {
    return { prompt: 'ask 1', right: /don't ask again/ };
  }

  done(marks: readonly string[]) {
    const seen = existsSync(this.#log) ? readFileSync(this.#log, 'utf8') : '';
    return { seen, right: marks.map((_, at) => `${at} 1\n`).join('') };
  }

  editing(file: string, text: string) {
    return { prompt: `edit ${file} ${text}`, right: null };
  }

  goOn(): void {
    writeFileSync(`${this.#log}.go`, '');
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}

/** The real Claude Code with a scripted model: each allowed command appends a line to a file. */
export class RealFarAgent implements FarAgent {
  readonly label = 'Claude Code';
  readonly said = /The file is edited/;
  #seat: AgentSeat | null = null;

  /** Null if it is to be played; otherwise why not. */
  static get missing(): string | null {
    if (process.env.HANSARD_TEST_AGENTS !== '1') return 'real agents are played where HANSARD_TEST_AGENTS=1';
    return installedVersion(claude) === null ? 'Claude Code is not installed (npm ci in test/agents)' : null;
  }

  get terminalId(): string {
    return this.#agent.terminalId;
  }

  async start(machine: FarMachine, project: string): Promise<void> {
    mkdirSync(project, { recursive: true });
    this.#seat = await AgentSeat.open(claude, machine.near.api, project);
    await this.#seat.start(machine.near.api, machine);
  }

  asking(mark: string) {
    const prompt = `run the command of ${mark}`;
    const command = `echo ${mark} >> answered.txt`;
    const replies = [
      { text: `This is ${mark}.`, pace: 'burst', tool: { does: 'shell', command } },
      { text: `Finished with ${mark}.`, pace: 'burst' },
    ] as const;
    this.#agent.model.load({ prompt, replies });
    return { prompt, right: /^\W*\d?\W*Yes$/ };
  }

  done(marks: readonly string[]) {
    return { seen: this.#agent.read('answered.txt'), right: marks.map((mark) => `${mark}\n`).join('') };
  }

  editing(file: string, text: string) {
    const prompt = `edit the file ${file}`;
    const path = join(this.#agent.project, file);
    const replies = [
      { text: 'I read it.', pace: 'burst', tool: { does: 'read', path } },
      {
        text: 'I edit it.',
        pace: 'burst',
        tool: { does: 'edit', path, find: this.#agent.read(file).trimEnd(), replace: text },
      },
      { text: 'The file is edited.', pace: 'burst' },
    ] as const;
    this.#agent.model.load({ prompt, replies });
    return { prompt, right: /^\W*\d?\W*Yes$/ };
  }

  goOn(): void {
    // it waits for its permission prompt
  }

  async dispose(): Promise<void> {
    await this.#seat?.dispose();
  }

  get #agent(): AgentSeat {
    if (!this.#seat) throw new Error('the agent was not started');
    return this.#seat;
  }
}
