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
import { readChat } from '../compare/readChat.ts';
import { plainOf } from '../compare/texts.ts';
import { onScreen } from '../drive/Seat.ts';
import { installedVersion } from '../launch/Agent.ts';
import { AGENTS } from '../launch/agents.ts';
import { SLOW } from '../scriptedModel/script.ts';

const KINDS = ['claude', 'codex'];
const WORDS =
  'amber basil cedar delta ember fjord grove haven inlet jetty knoll lemon maple north ocean petal quill river';

/** About five seconds of an answer, of which no word is said twice. */
const longAnswer = (mark: string): string =>
  WORDS.split(' ')
    .flatMap((word, at) => [`${word}-${mark}-${at}`, `then-${mark}-${at}`, `and-${mark}-${at}`, `also-${mark}-${at}`])
    .join(' ');

/** An agent, the turns that it has taken, and the processes that must live on. */
interface Working {
  readonly seat: AgentSeat;
  readonly said: { kind: 'user' | 'model'; text: string }[];
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

/** Processes that work in `folder`, with their starts. */
function processesIn(folder: string): Map<number, string | null> {
  const isThere = (pid: number): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false; // gone since the folder was read, or another user's
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
  return { seat, said: [], blockId, processes: processesIn(seat.project) };
}

/** Gives a prompt whose answer takes five seconds; resolves in the middle of it. */
async function begin({ seat, said }: Working, mark: string): Promise<void> {
  const prompt = `please say ${mark}`;
  const text = longAnswer(mark);
  said.push({ kind: 'user', text: prompt }, { kind: 'model', text });
  seat.model.load({ prompt, replies: [{ text, pace: SLOW }] });
  await seat.seat.line(prompt, seat.agent);
  await seat.seat.sees([onScreen(`cedar-${mark}-2`)], `${seat.agent.name} says ${mark}`);
}

async function finish({ seat }: Working, mark: string): Promise<void> {
  await seat.seat.idle(seat.agent, `the end of ${mark}`);
}

/** What the record has of the conversation, with replays left out as in every view. */
function recordedTalk(terminalId: string) {
  const lines = readFileSync(new SessionFolder(core.home, terminalId).chatJsonl, 'utf8').split('\n').filter(Boolean);
  const { conversations } = readChat(
    lines.map((line) => JSON.parse(line)),
    0,
  );
  return conversations.map(({ messages }) =>
    messages
      .filter(({ kind, replayOf }) => (kind === 'user' || kind === 'model') && replayOf === undefined)
      .map(({ kind, text }) => ({ kind, text: plainOf(text) })),
  );
}

/** What an emulator shows that is fed the whole record. */
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

async function expectWhole({ seat, said, blockId, processes }: Working): Promise<void> {
  const { terminalId } = seat;
  for (const [pid, start] of processes) expect(processStart(pid), `process ${pid}`).toBe(start);
  expect(await lastBlock(terminalId)).toMatchObject({ id: blockId, status: 'running' });
  const talk = said.map(({ kind, text }) => ({ kind, text: plainOf(text) }));
  await soon(() => recordedTalk(terminalId)).toEqual([talk]);
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
    /** A turn of all agents at once, in the middle of which `interrupt` takes the core away. */
    const turn = async (mark: string, interrupt: () => Promise<unknown>): Promise<void> => {
      await Promise.all(agents.map((one) => begin(one, mark)));
      await interrupt();
      reconnect();
      for (const { seat } of agents) seat.returnTo(link.api);
      await Promise.all(agents.map((one) => finish(one, mark)));
      for (const one of agents) await expectWhole(one);
    };
    await turn('first', async () => undefined);
    await turn('killed', async () => {
      await core.killCore();
      await sleep(1_500); // the agents go on without a core
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
