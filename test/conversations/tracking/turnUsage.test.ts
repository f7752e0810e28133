import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChatLine, ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { TurnUsage } from '../../../src-main/contract/chat/progress.ts';
import { PtyChatSession } from '../../../src-main/conversations/extraction/PtyChatSession.ts';
import type { LogMessage, LogTalk } from '../../../src-main/conversations/extraction/reconcile/LogMessage.ts';
import { usageOfTurns } from '../../../src-main/conversations/extraction/reconcile/turnUsage.ts';
import { AgentDatabase } from '../../../src-main/conversations/tracking/AgentDatabase.ts';
import { AgentLogLocator } from '../../../src-main/conversations/tracking/AgentLogLocator.ts';
import { AgentSideChannels } from '../../../src-main/conversations/tracking/AgentSideChannels.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { countedIds } from '../../support/chatOfCast.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { soon } from '../../support/soon.ts';

const FIXTURES = new URL('../../fixtures/', import.meta.url);

/** Tokens of one answer. */
interface Figures {
  readonly fresh: number;
  readonly read: number;
  readonly written: number;
  readonly out: number;
}
// biome-ignore lint/suspicious/noExplicitAny: lines of other programs
type Line = any;

interface Logged {
  readonly agent: string;
  readonly file: string;
  readonly session: string;
  /** Path of the log below the agent's home. */
  readonly path: string;
  /** Number of answers in each turn that ends with one, counted by hand in the log. */
  readonly answers: readonly number[];
  readonly writesCache: boolean;
  /** The id of the answer whose usage the line has; null for other lines. */
  idOf(line: Line): string | null;
  put(line: Line, figures: Figures, total: number): void;
}

const CLAUDE: Logged = {
  agent: 'claude',
  file: 'claude-48afafea.jsonl',
  session: '48afafea-36f0-4228-a2c9-23c36b101c8c',
  path: '.claude/projects/-home-u-repos-ws4/48afafea-36f0-4228-a2c9-23c36b101c8c.jsonl',
  answers: [1, 2, 2, 2, 2],
  writesCache: true,
  idOf: ({ type, message }) => (type === 'assistant' ? message.id : null),
  put({ message }, { fresh, read, written, out }) {
    const cache = { cache_read_input_tokens: read, cache_creation_input_tokens: written };
    message.usage = { ...message.usage, input_tokens: fresh, ...cache, output_tokens: out };
  },
};
const CODEX: Logged = {
  agent: 'codex',
  file: 'codex-01a1f982.jsonl',
  session: '01a1f982-d365-79d2-aee1-d27feb583781',
  path: '.codex/sessions/2026/11/20/rollout-2026-11-20T15-11-00-01a1f982-d365-79d2-aee1-d27feb583781.jsonl',
  answers: [1, 2, 2, 2, 1],
  writesCache: true,
  idOf: ({ payload }) => (payload?.type === 'token_count' ? String(payload.info.total_token_usage.total_tokens) : null),
  put({ payload }, { fresh, read, written, out }, total) {
    const input = {
      input_tokens: fresh + read + written,
      cached_input_tokens: read,
      cache_write_input_tokens: written,
    };
    payload.info.last_token_usage = { ...input, output_tokens: out, total_tokens: fresh + read + written + out };
    payload.info.total_token_usage = { total_tokens: total };
  },
};
const GEMINI: Logged = {
  agent: 'gemini',
  file: 'gemini-49ad5ca3.jsonl',
  session: '49ad5ca3-073c-48f5-81d3-7c062895542e',
  path: '.gemini/tmp/project/chats/session-49ad5ca3.jsonl',
  answers: [1, 2, 2, 2, 1],
  writesCache: false,
  idOf: ({ type, id }) => (type === 'gemini' ? id : null),
  put(line, { fresh, read, written, out }) {
    line.tokens = { input: fresh + read + written, cached: read, output: out, thoughts: 0 };
  },
};
const LOGS = [CLAUDE, CODEX, GEMINI];

const provenance = { rawStart: 0, rawEnd: 0, seq: 0, extractor: 'drawn', extractorVersion: 1, confidence: 1 };
const KINDS = { user: 'user', command: 'command', model: 'model', tool: 'toolCall' } as const;

/** A screen whose messages equal the log's. */
function screenOf(log: readonly LogMessage[]): ChatMessage[] {
  return log.map(({ id, kind, text, tool, atMs }, order) => ({
    ...{ id: `screen-${id}`, terminalId: 't', conversationId: 'c', order, kind: KINDS[kind], text, final: true },
    ...(tool && { tool: { name: tool.name, input: tool.subject } }),
    ...{ startedMs: atMs ?? 0, updatedMs: atMs ?? 0, provenance, actor: 'user', origins: ['screen' as const] },
  }));
}

const linesOf = ({ file }: Logged): string[] =>
  readFileSync(new URL(`agents/own-logs/${file}`, FIXTURES), 'utf8')
    .trim()
    .split('\n');

/** The lines of the log with other figures: the nth answer gets the nth figures. */
function withFigures(log: Logged, figures: readonly Figures[]): string[] {
  const seen: string[] = [];
  return linesOf(log).map((text) => {
    const line: Line = JSON.parse(text);
    const id = log.idOf(line);
    if (id === null) return text;
    if (!seen.includes(id)) seen.push(id);
    const at = seen.indexOf(id);
    const sum = figures
      .slice(0, at + 1)
      .reduce((all, { fresh, read, written, out }) => all + fresh + read + written + out, 0);
    log.put(line, figures[at] as Figures, sum);
    return JSON.stringify(line);
  });
}

/** The tokens of each turn, without its id. */
function turnsOf({ answers, writesCache }: Logged, figures: readonly Figures[]) {
  const left = [...figures];
  return answers.map((count) => {
    const own = left.splice(0, count);
    const sum = (of: (one: Figures) => number) => own.reduce((all, one) => all + of(one), 0);
    return {
      input: sum(({ fresh, read, written }) => fresh + read + written),
      output: sum(({ out }) => out),
      cacheRead: sum(({ read }) => read),
      cacheWrite: writesCache ? sum(({ written }) => written) : null,
    };
  });
}

function homeWith(path: string): { home: string; file: string } {
  const home = mkdtempSync(join(tmpdir(), 'hansard-usage-'));
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  return { home, file };
}

/** Appends the parts to the log and reads it after each. */
async function readParts(
  log: Logged,
  parts: readonly Buffer[],
  after = (_: LogTalk): void => undefined,
): Promise<LogTalk> {
  const { home, file } = homeWith(log.path);
  try {
    const locator = new AgentLogLocator({ agent: log.agent, cwd: '/home/u/repos/ws4', startedMs: 0, home, env: {} });
    let talk: LogTalk = { messages: [], usage: [] };
    for (const part of parts) {
      appendFileSync(file, part);
      talk = (await locator.read({ messages: [], sessionId: log.session }))?.talk ?? talk;
      after(talk);
    }
    return talk;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const count = fc.integer({ min: 1, max: 2_000_000 });
const anyFigures = fc.array(fc.record({ fresh: count, read: count, written: count, out: count }), {
  minLength: 20,
  maxLength: 20,
});

describe.each(LOGS)('the log of $agent (law)', (log) => {
  test('gives the usage of each turn once, in whatever parts it is read and however often it repeats lines', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyFigures,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 7 }),
        fc.boolean(),
        async (figures, cuts, repeats, isTwice) => {
          const lines = withFigures(log, figures).flatMap((line, at) =>
            Array(repeats[at % repeats.length] ?? 1).fill(line),
          );
          const whole = Buffer.from(`${[...lines, ...(isTwice ? lines : [])].join('\n')}\n`);
          const ends = [...cuts.map((cut) => Math.floor(cut * whole.length)).sort((a, b) => a - b), whole.length];
          const talk = await readParts(
            log,
            ends.map((end, at) => whole.subarray(ends[at - 1] ?? 0, end)),
          );
          const found = usageOfTurns(screenOf(talk.messages), talk);
          expect(found.map(({ turnId: _, ...usage }) => usage)).toEqual(turnsOf(log, figures));
          expect(new Set(found.map(({ turnId }) => turnId)).size).toBe(found.length);
        },
      ),
      fuzzRuns(12),
    );
  });

  test('gives exact figures or none while it grows', async () => {
    const figures = Array.from({ length: 20 }, (_, n) => ({ fresh: n + 1, read: 100 * n, written: n, out: 3 * n + 1 }));
    const lines = withFigures(log, figures);
    const whole = await readParts(log, [Buffer.from(`${lines.join('\n')}\n`)]);
    const screen = screenOf(whole.messages);
    const wanted = turnsOf(log, figures);
    const prompts = screen.filter(({ kind }) => kind === 'user').map(({ id }) => id);
    await readParts(
      log,
      lines.map((line) => Buffer.from(`${line}\n`)),
      (talk) => {
        for (const { turnId, ...usage } of usageOfTurns(screen, talk))
          expect(usage).toEqual(wanted[prompts.indexOf(turnId)]);
      },
    );
  });
});

/** The whole log of Claude Code and its screen, changed. */
async function claudeWith(change: (screen: ChatMessage[]) => ChatMessage[], edit = (line: Line): Line => line) {
  const lines = linesOf(CLAUDE).map((line) => JSON.stringify(edit(JSON.parse(line))));
  const talk = await readParts(CLAUDE, [Buffer.from(`${lines.join('\n')}\n`)]);
  const screen = screenOf(talk.messages);
  const prompts = screen.filter(({ kind }) => kind === 'user');
  return usageOfTurns(change(screen), talk).map(({ turnId }) => prompts.findIndex(({ id }) => id === turnId));
}

describe('the usage of a turn is absent', () => {
  const whole = (screen: ChatMessage[]) => screen;
  const nth = (screen: ChatMessage[], n: number) => screen.filter(({ kind }) => kind === 'user')[n];

  test.each<[string, number[], (screen: ChatMessage[]) => ChatMessage[]]>([
    ['never where all is read', [0, 1, 2, 3, 4], whole],
    [
      'where the prompt reads differently, and of the turn before it',
      [0, 3, 4],
      (screen) => screen.map((one) => (one === nth(screen, 2) ? { ...one, text: 'something else entirely' } : one)),
    ],
    [
      'where the screen ends at a tool',
      [1, 2, 3, 4],
      (screen) => {
        const [prompt, ...rest] = screen;
        const call = screen.find(({ kind }) => kind === 'toolCall');
        return prompt && call ? [prompt, { ...call, id: 'other', order: 0.5 }, ...rest.slice(1)] : [];
      },
    ],
    [
      'of history that an agent draws again',
      [1, 2, 3, 4],
      ([first, ...rest]) => (first ? [{ ...first, replayOf: 'c0' }, ...rest] : []),
    ],
  ])('%s', async (_, turns, change) => {
    expect(await claudeWith(change)).toEqual(turns);
  });

  test('where an answer was interrupted, because its output is not counted yet', async () => {
    const edit = (line: Line) =>
      line.message?.id === 'msg_3' ? { ...line, message: { ...line.message, stop_reason: null } } : line;
    expect(await claudeWith(whole, edit)).toEqual([0, 2, 3, 4]);
  });

  test('where Codex’s log does not have every answer', async () => {
    const lines = linesOf(CODEX);
    const counts = lines.filter((line) => line.includes('"token_count"'));
    const talk = await readParts(CODEX, [Buffer.from(`${lines.filter((line) => line !== counts[1]).join('\n')}\n`)]);
    expect(usageOfTurns(screenOf(talk.messages), talk).map(({ input }) => input)).toEqual([1200, 2400, 2400, 1200]);
  });

  test.each([1.5, 2 ** 60])('in the figure that no count can have, %d', async (wrong) => {
    const [first, ...rest] = linesOf(CLAUDE).map((line) => JSON.parse(line));
    const odd = rest.map((line: Line) =>
      line.message?.id === 'msg_3'
        ? { ...line, message: { ...line.message, usage: { ...line.message.usage, output_tokens: wrong } } }
        : line,
    );
    const text = [first, ...odd].map((line) => `${JSON.stringify(line)}\n`).join('');
    const talk = await readParts(CLAUDE, [Buffer.from(text)]);
    const turns = usageOfTurns(screenOf(talk.messages), talk);
    expect(turns.map(({ output }) => output === null)).toEqual([false, true, false, false, false]);
    expect(turns.every((turn) => TurnUsage.safeParse(turn).success)).toBe(true);
  });
});

test('OpenCode’s database gives the usage of each turn once its answers are complete', async () => {
  const { home, file } = homeWith('.local/share/opencode/opencode.db');
  const db = new DatabaseSync(file);
  onTestFinished(() => {
    db.close();
    rmSync(home, { recursive: true, force: true });
  });
  db.exec('PRAGMA journal_mode = WAL');
  db.exec(readFileSync(new URL('past/opencode-1.18.33/opencode.sql', FIXTURES), 'utf8'));
  const database = new AgentDatabase({ agent: 'opencode', cwd: '/tmp/rig/project', startedMs: 10_000, home, env: {} });
  const read = async () => {
    const talk = (await database.read({ messages: [], sessionId: 'ses_dec3153dbffe8XGGMWNZIOq2iJ' }))?.talk;
    return talk ? usageOfTurns(screenOf(talk.messages), talk).map(({ turnId: _, ...usage }) => usage) : null;
  };
  const turns = [
    { input: 200, output: 40, cacheRead: 0, cacheWrite: 0 },
    { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 },
  ];
  expect(await read()).toEqual(turns);
  expect(await read()).toEqual(turns);
  const last = `id = 'msg_213ceeccf001eKC4H2FX2ULo4y'`;
  db.exec(`UPDATE message SET data = json_remove(data, '$.time.completed') WHERE ${last}`);
  expect(await read()).toEqual(turns.slice(0, 1));
  db.exec(`UPDATE message SET data = json_set(data, '$.time.completed', 1, '$.tokens.cache.read', 7) WHERE ${last}`);
  expect(await read()).toEqual([turns[0], { input: 107, output: 20, cacheRead: 7, cacheWrite: 0 }]);
});

test('the record gets the figures of a turn once, again when they change, and loses them when they are not exact any more', async () => {
  const { home, file } = homeWith(CLAUDE.path);
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const lines = linesOf(CLAUDE);
  const isPrompt = (line: Line) => line.type === 'user' && String(line.message.content).startsWith('read greet.ts');
  const second = lines.findIndex((line) => isPrompt(JSON.parse(line)));
  expect(second).toBeGreaterThan(0);
  writeFileSync(file, `${lines.slice(0, second).join('\n')}\n`);
  const clock = new FakeClock();
  const session = new PtyChatSession('t', countedIds());
  session.begin({ agent: 'claude', cwd: '/home/u/repos/ws4', blockId: null, at: 0, atMs: 0 });
  const conversationId = session.current?.conversationId ?? '';
  const talk = await readParts(CLAUDE, [Buffer.from(`${lines.join('\n')}\n`)]);
  const screen = screenOf(talk.messages).map((one) => ({ ...one, conversationId, order: one.order + 2 }));
  const written: ChatLine[] = [];
  let mayReadLogs = false;
  const channels = new AgentSideChannels({
    ...{ session, clock, home, agent: 'claude', cwd: '/home/u/repos/ws4', env: {}, log: silentLog },
    record: { write: (more: ChatLine[]) => written.push(...more) } as never,
    mayReadLogs: () => mayReadLogs,
    pids: () => [],
    logOwners: new Map(),
  });
  const used = () => written.flatMap((line) => ('type' in line && line.usage ? [line.usage] : []));
  const look = async () => {
    channels.rested();
    clock.advance(700);
    await channels.ended(undefined);
  };
  for (const message of screen.slice(0, 2)) session.put(message);
  await look();
  expect(used()).toEqual([]); // the person has not allowed reading logs
  mayReadLogs = true;
  await look();
  const first = { turnId: screen[0]?.id, input: 1200, output: 80, cacheRead: 0, cacheWrite: 0 };
  await soon(used).toEqual([first]);
  await look();
  expect(used()).toEqual([first]);
  session.put({ ...(screen[2] as ChatMessage), kind: 'toolCall', text: '', tool: { name: 'Bash', input: 'ls' } });
  await look();
  await soon(used).toEqual([
    first,
    { turnId: first.turnId, input: null, output: null, cacheRead: null, cacheWrite: null },
  ]);
});
