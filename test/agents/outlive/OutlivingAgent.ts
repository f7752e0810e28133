import { readdirSync, readlinkSync } from 'node:fs';
import { expect } from 'vitest';
import { procView } from '../../../src-main/pty/procView.ts';
import { processStart } from '../../../src-main/store/files/processIdentity.ts';
import type { ConnectedCore } from '../../support/ConnectedCore.ts';
import { hostShells } from '../../support/hostProcess.ts';
import { RecordScreen } from '../../support/RecordScreen.ts';
import { soon } from '../../support/soon.ts';
import { AgentSeat } from '../board/AgentSeat.ts';
import { installedVersion } from '../launch/Agent.ts';
import { AGENTS } from '../launch/agents.ts';
import { LongTalk, recordedTalk } from './LongTalk.ts';

const KINDS = ['claude', 'codex'];

/** A real agent whose core comes and goes. The caller disposes it. */
export class OutlivingAgent {
  readonly talk: LongTalk;
  readonly #core: ConnectedCore;
  readonly #seat: AgentSeat;
  readonly #blockId: string;
  /** The shell, the agent and the children that live with it: pid → start time. */
  readonly #processes: ReadonlyMap<number, string | null>;
  readonly #screen: RecordScreen;

  private constructor(
    core: ConnectedCore,
    parts: { seat: AgentSeat; talk: LongTalk; blockId: string; processes: ReadonlyMap<number, string | null> },
  ) {
    this.#core = core;
    this.#seat = parts.seat;
    this.talk = parts.talk;
    this.#blockId = parts.blockId;
    this.#processes = parts.processes;
    this.#screen = new RecordScreen(core.dataFolder, parts.seat.terminalId);
  }

  /** Why the agents cannot be played; null if they can. */
  static get missing(): string | null {
    if (process.env.HANSARD_TEST_AGENTS !== '1') return 'the real agents are played where HANSARD_TEST_AGENTS=1';
    const absent = AGENTS.filter((agent) => KINDS.includes(agent.name) && installedVersion(agent) === null);
    return absent.length > 0 ? `not installed: ${absent.map(({ name }) => name).join(', ')}` : null;
  }

  /** Starts Claude Code and Codex, and has a first turn with each. */
  static startAll(core: ConnectedCore): Promise<OutlivingAgent[]> {
    return Promise.all(KINDS.map((kind) => OutlivingAgent.#start(core, kind)));
  }

  static async #start(core: ConnectedCore, kind: string): Promise<OutlivingAgent> {
    const agent = AGENTS.find(({ name }) => name === kind);
    if (!agent) throw new Error(`no agent ${kind}`);
    const seat = await AgentSeat.open(agent, core.api);
    await seat.start();
    const blockId = (await core.lastBlock(seat.terminalId))?.id ?? '';
    const talk = new LongTalk(seat);
    const before = processesIn(seat.project);
    await talk.begin('first');
    await talk.finish('first');
    const processes = livingOn(core, before);
    return new OutlivingAgent(core, { seat, talk, blockId, processes });
  }

  /** Uses the same terminal through the core of now. */
  returnTo(): void {
    this.#seat.returnTo(this.#core.api);
  }

  /** Expects the shell, the agent, its block and the screen to be there. */
  async expectAlive(): Promise<void> {
    const { terminalId, agent } = this.#seat;
    for (const [pid, start] of this.#processes)
      expect(processStart(pid), `process ${pid} of ${agent.name}`).toBe(start);
    await this.#core.hasBlock(terminalId, { id: this.#blockId, status: 'running' });
    await this.#screen.settlesIn(this.#core.api);
  }

  /** Expects the recorded conversation to have each message that was said, once and in order, and no other. */
  async expectWhole(): Promise<void> {
    await this.expectAlive();
    await soon(() => recordedTalk(this.#core.dataFolder, this.#seat.terminalId)).toEqual([this.talk.said]);
  }

  async dispose(): Promise<void> {
    this.#screen.dispose();
    await this.#seat.dispose();
  }
}

/** Pids with the working directory `folder` → their start times. */
function processesIn(folder: string): Map<number, string | null> {
  const isThere = (pid: number): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false; // ended since /proc was listed, or another user's
    }
  };
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger).filter(isThere);
  return new Map(pids.map((pid) => [pid, processStart(pid)]));
}

/**
 * Those of `before` that have lived through the agent's first turn, because an agent starts and ends helpers around its start. The shell and
 * the leader of its foreground group, which is the agent itself, must be among them.
 */
function livingOn(core: ConnectedCore, before: ReadonlyMap<number, string | null>): Map<number, string | null> {
  const living = new Map([...before].filter(([pid, start]) => start !== null && processStart(pid) === start));
  const [shell = 0] = [...hostShells(core.dataFolder).keys()].filter((pid) => before.has(pid));
  const agent = procView(shell).stat(shell)?.tpgid ?? 0;
  expect(agent, 'the agent has the foreground').not.toBe(shell);
  expect([...living.keys()]).toEqual(expect.arrayContaining([shell, agent]));
  return living;
}
