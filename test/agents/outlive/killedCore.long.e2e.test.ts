import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Block } from '../../../src-main/contract/block.ts';
import type { CoreConnection } from '../../../src-main/hosts/web/connectCore.ts';
import { ScreenModel } from '../../../src-main/screen/emulator/ScreenModel.ts';
import { processStart } from '../../../src-main/store/files/processIdentity.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { BackgroundCore } from '../../support/BackgroundCore.ts';
import { connectTo } from '../../support/coreClient.ts';
import { screenRows } from '../../support/screenState.ts';
import { soon } from '../../support/soon.ts';
import { AgentSeat } from '../board/AgentSeat.ts';
import { installedVersion } from '../launch/Agent.ts';
import { AGENTS } from '../launch/agents.ts';
import { LongTalk, recordedTalk } from './LongTalk.ts';

const KINDS = ['claude', 'codex'];
/** An agent, its turns so far, and the processes that must survive. */
interface Working {
  readonly seat: AgentSeat;
  readonly talk: LongTalk;
  readonly blockId: string;
  readonly processes: ReadonlyMap<number, string | null>;
}

let core: BackgroundCore;
let link: CoreConnection;

function reconnect(): void {
  link?.dispose();
  link = connectTo(core.home);
}

async function lastBlock(terminalId: string): Promise<Block | undefined> {
  return (await link.api.block.page.query({ terminalId, limit: 10 })).blocks.at(-1);
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

async function working(kind: string): Promise<Working> {
  const agent = AGENTS.find(({ name }) => name === kind);
  if (!agent) throw new Error(`no agent ${kind}`);
  const seat = await AgentSeat.open(agent, link.api);
  onTestFinished(() => seat.dispose());
  await seat.start();
  const blockId = (await lastBlock(seat.terminalId))?.id ?? '';
  return { seat, talk: new LongTalk(seat), blockId, processes: processesIn(seat.project) };
}

/** The rows of an emulator after all recorded bytes. */
function rowsOfRecord(terminalId: string): string[] {
  const model = new ScreenModel({ cols: 100, rows: 30, scrollbackLines: 1000 });
  model.write(readFileSync(new SessionFolder(core.home, terminalId).raw));
  const rows = screenRows(model);
  model.dispose();
  return rows;
}

async function rowsOfCore(terminalId: string): Promise<string[]> {
  const reading = await link.api.screen.read.query({ terminalId });
  return reading.full ? reading.frame.rows.map(({ text }) => text.trimEnd()) : [];
}

async function expectWhole({ seat, talk, blockId, processes }: Working): Promise<void> {
  const { terminalId } = seat;
  for (const [pid, start] of processes) expect(processStart(pid), `process ${pid}`).toBe(start);
  expect(await lastBlock(terminalId)).toMatchObject({ id: blockId, status: 'running' });
  await soon(() => recordedTalk(core.home, terminalId)).toEqual([talk.said]);
  await soon(async () => (await rowsOfCore(terminalId)).join('\n') === rowsOfRecord(terminalId).join('\n')).toBe(true);
}

function missing(): string | null {
  if (process.env.HANSARD_TEST_AGENTS !== '1') return 'the real agents are played where HANSARD_TEST_AGENTS=1';
  const absent = AGENTS.filter((agent) => KINDS.includes(agent.name) && installedVersion(agent) === null);
  return absent.length > 0 ? `not installed: ${absent.map(({ name }) => name).join(', ')}` : null;
}

describe('real agents in the PTY host', () => {
  test('go on with one conversation while the core is killed and restarted in the middle of their turns', {
    timeout: 400_000,
  }, async (context) => {
    const reason = missing();
    if (reason !== null) return context.skip(reason);
    core = new BackgroundCore({ HANSARD_PTY_HOST: 'on' });
    onTestFinished(async () => {
      link.dispose();
      await core.run('serve', 'stop', '--force');
      await core.dispose();
    });
    await core.start();
    reconnect();
    const agents: Working[] = [];
    for (const kind of KINDS) agents.push(await working(kind));
    /** A turn of all agents in parallel; `interrupt` stops or kills the core in its middle. */
    const turn = async (mark: string, interrupt: () => Promise<unknown>): Promise<void> => {
      await Promise.all(agents.map(({ talk }) => talk.begin(mark)));
      await interrupt();
      reconnect();
      for (const { seat } of agents) seat.returnTo(link.api);
      await Promise.all(agents.map(({ talk }) => talk.finish(mark)));
      for (const one of agents) await expectWhole(one);
    };
    await turn('first', async () => undefined);
    await turn('killed', async () => {
      await core.killCore();
      await sleep(1_500); // the agents continue without a core
      await core.start();
    });
    await turn('restarted', async () => {
      const { code, stderr } = await core.run('serve', 'restart');
      expect([code, stderr]).toEqual([0, expect.any(String)]);
    });
    await turn('absent', async () => {
      await core.killCore();
      await sleep(15_000); // until their turns have ended
      await core.start();
    });
    await turn('last', async () => undefined);
  });
});
