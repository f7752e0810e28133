import { chmodSync, copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { AgentState, ChatLine, ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { spawnNodePty } from '../../../src-main/pty/NodePty.ts';
import type { PtyProcess, SpawnPty } from '../../../src-main/pty/PtyProcess.ts';
import { runCommand, TestCore, until } from '../../support/TestCore.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/agents/', import.meta.url));
const PLAYER = fileURLToPath(new URL('../../support/playedAgent.mjs', import.meta.url));
const RECORDED = globSync('*/*-short-turns/session.cast', { cwd: FIXTURES });
/** Longest playing time of a recording; longer recordings play faster. */
const PLAYED_MS = 20_000;

interface Expected {
  agent: string;
  cols: number;
  rows: number;
  conversations: { messages: { kind: string; text: string }[] }[];
  runs: { toMs: number }[];
}

const cores: TestCore[] = [];

afterAll(async () => {
  for (const core of cores.splice(0)) await core.dispose();
});

/** A core in whose shells a program of the agent's name plays its recording. */
async function coreWith(
  cast: string,
  spawnPty: SpawnPty = spawnNodePty,
): Promise<{ core: TestCore; expected: Expected }> {
  const expected = JSON.parse(readFileSync(join(FIXTURES, cast, '../expected.json'), 'utf8')) as Expected;
  const core = await TestCore.start({ spawnPty });
  cores.push(core);
  const program = join(core.home, 'bin', expected.agent);
  mkdirSync(join(core.home, 'bin'));
  copyFileSync(PLAYER, program);
  chmodSync(program, 0o755);
  return { core, expected };
}

const plays = ({ agent }: Expected, cast: string, speed: number) => `~/bin/${agent} ${join(FIXTURES, cast)} ${speed}`;

function linesOf(core: TestCore, id: string): ChatLine[] {
  const path = join(core.dataFolder, 'terminals', id, 'chat.jsonl');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  return lines.map((line) => JSON.parse(line) as ChatLine);
}

/** The last version of each message, in order. */
function messagesOf(lines: readonly ChatLine[]): ChatMessage[] {
  const byId = new Map(lines.flatMap((line) => ('kind' in line ? [[line.id, line] as const] : [])));
  return [...byId.values()].sort((a, b) => a.order - b.order);
}

/** The final events of these kinds. A later line with the same id replaces the earlier one. */
function eventsOf(lines: readonly ChatLine[], kinds: RegExp): ChatLine[] {
  const byId = new Map(
    lines.flatMap((line) => ('type' in line && kinds.test(line.type) ? [[line.id, line] as const] : [])),
  );
  return [...byId.values()];
}

const said = (messages: readonly { kind: string; text: string }[]) =>
  messages.filter(({ kind }) => kind === 'user' || kind === 'model').map(({ kind, text }) => ({ kind, text }));

// Playing a recording takes time but almost no CPU, so all play at once.
describe.concurrent('an agent in a terminal', () => {
  test.each(RECORDED)(
    '%s: what was said is in chat.jsonl with the card it belongs to, and the tab told who waits for whom',
    async (cast) => {
      const { core, expected } = await coreWith(cast);
      const terminal = await core.open('bash', expected);
      const states = new Set<AgentState | undefined>();
      terminal.onChanged(({ agent }) => states.add(agent?.state));
      const block = await terminal.submit(
        plays(expected, cast, Math.max(1.5, (expected.runs[0]?.toMs ?? 0) / PLAYED_MS)),
      );
      expect(block.ok).toBe(true);
      await until(terminal, ({ view }) => view.agent !== null);
      expect(terminal.view.agent?.name).toBe(expected.agent);
      await until(terminal, ({ view }) => view.agent === null && view.atPrompt, 60_000);
      const running = (await terminal.book.page({ limit: 1 })).blocks[0];
      await core.core.stop();
      const lines = linesOf(core, terminal.id);
      expect(said(messagesOf(lines))).toEqual(said(expected.conversations.flatMap(({ messages }) => messages)));
      expect(messagesOf(lines).every(({ final }) => final)).toBe(true);
      expect(eventsOf(lines, /^cli:/)).toMatchObject([
        { type: 'cli:newSession', agent: expected.agent, blockId: running?.id },
        { type: 'cli:exit' },
      ]);
      expect([...states]).toEqual(expect.arrayContaining(['idle', 'working']));
    },
  );
});

describe.concurrent('conversations of a terminal', () => {
  const cast = RECORDED.find((path) => path.startsWith('codex')) ?? '';

  test('two runs with a command between them are two conversations, listed newest first', async () => {
    const { core, expected } = await coreWith(cast);
    const terminal = await core.open('bash', expected);
    const run = plays(expected, cast, 4);
    for (const cmd of [run, 'echo between', run]) await runCommand(terminal, cmd);
    await terminal.agents.settled();
    const list = await core.core.chats.list({ terminalId: terminal.id, limit: 10 });
    expect(list).toHaveLength(2);
    expect(list.every(({ endedMs, state }) => endedMs !== null && state === 'exited')).toBe(true);
    expect(list[0]?.startedMs).toBeGreaterThan(list[1]?.startedMs ?? 0);
  });

  test('clear behind a conversation is an event of it', async () => {
    const { core, expected } = await coreWith(cast);
    const terminal = await core.open('bash', expected);
    await runCommand(terminal, plays(expected, cast, 4));
    await terminal.agents.settled();
    await runCommand(terminal, 'clear');
    await terminal.agents.settled();
    await core.core.stop();
    const events = linesOf(core, terminal.id).flatMap((line) => ('type' in line ? [line.type] : []));
    expect(events.filter((type) => type === 'cli:exit' || type === 'screenCleared')).toEqual([
      'cli:exit',
      'screenCleared',
    ]);
  });

  test('one whose program is there before the shell has told of its command begins with that command', async () => {
    let isEarly = true;
    const spawnPty: SpawnPty = (spec) => {
      const pty: PtyProcess = spawnNodePty(spec);
      const seen = pty.foregroundProcesses.bind(pty);
      pty.foregroundProcesses = () => (isEarly ? [{ pid: pty.pid, argv: ['/bin/codex'] }] : seen());
      return pty;
    };
    const { core, expected } = await coreWith(cast, spawnPty);
    const terminal = await core.open('bash', expected);
    await until(terminal, ({ view }) => view.atPrompt);
    await terminal.submit(plays(expected, cast, 4));
    await until(terminal, ({ view }) => view.runningBlockId !== null);
    isEarly = false;
    await until(terminal, ({ view }) => view.atPrompt, 60_000);
    await terminal.agents.settled();
    const block = (await terminal.book.page({ limit: 1 })).blocks[0];
    const begun = eventsOf(linesOf(core, terminal.id), /^cli:newSession$/);
    expect(begun).toMatchObject([{ agent: 'codex', blockId: block?.id, at: block?.rawStart }]);
  });

  test('one is found by the words of its command, and its terminal not closed, where no process can be seen', async () => {
    const spawnPty: SpawnPty = (spec) => {
      const pty: PtyProcess = spawnNodePty(spec);
      pty.foregroundProcesses = () => null;
      pty.runningPrograms = () => null;
      return pty;
    };
    const { core, expected } = await coreWith(cast, spawnPty);
    const terminal = await core.open('bash', expected);
    await until(terminal, ({ view }) => view.atPrompt);
    expect(terminal.input.runningPrograms()).toEqual([]);
    const command = plays(expected, cast, 1);
    await terminal.submit(command);
    await until(terminal, ({ view }) => view.agent !== null);
    expect(terminal.view.agent?.name).toBe('codex');
    const named = terminal.input.runningPrograms();
    expect([named.length, command.startsWith(named[0]?.replace('…', '') ?? 'nothing')]).toEqual([1, true]);
    expect(await core.core.close(terminal.id, false)).toEqual({ closed: false, running: named });
  });

  test('one that a crash cut short is closed, and the next goes on behind it', async () => {
    const { core, expected } = await coreWith(cast);
    const terminal = await core.open('bash', expected);
    await runCommand(terminal, plays(expected, cast, 4));
    await core.core.stop();
    const path = join(core.dataFolder, 'terminals', terminal.id, 'chat.jsonl');
    const whole = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    const model = whole.findIndex((line) => line.includes('"kind":"model"'));
    const torn = [...whole.slice(0, model), (whole[model] ?? '').replace('"final":true', '"final":false')];
    writeFileSync(path, `${torn.join('\n')}\n${(whole[model + 1] ?? '').slice(0, 40)}`);

    const again = await TestCore.start({ dataFolder: core.dataFolder, home: core.home });
    cores.push(again);
    const reopened = again.core.terminal(terminal.id);
    await until(reopened, ({ view }) => view.atPrompt);
    await runCommand(reopened, plays(expected, cast, 4).replace('~', core.home));
    await reopened.agents.settled();
    const list = await again.core.chats.list({ terminalId: terminal.id, limit: 10 });
    expect(list.map(({ endedMs }) => endedMs !== null)).toEqual([true, true]);
    const { messages } = await again.core.chats.page({
      terminalId: terminal.id,
      conversationId: list[1]?.id ?? '',
      limit: 100,
    });
    expect(messages.every(({ final }) => final)).toBe(true);
    const orders = linesOf(again, terminal.id).map(({ order }) => order);
    expect(Math.max(...orders.slice(0, model))).toBeLessThan(orders.at(-1) ?? 0);
  });
});
