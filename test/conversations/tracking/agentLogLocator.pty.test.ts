import { execFileSync, type StdioOptions, spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { AgentLogLocator } from '../../../src-main/conversations/tracking/AgentLogLocator.ts';
import { TailFile } from '../../../src-main/conversations/tracking/TailFile.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { ROOT } from '../../support/sourceFiles.ts';

const root = suiteFolder('own-log');
const LOGS = join(ROOT, 'test/fixtures/agents/own-logs');
/** The first prompt of the recording. */
const PROMPT_MS = Date.parse('2026-11-20T15:15:34.000Z');
let round = 0;
let home = '';

beforeEach(() => {
  home = join(root, `home${round++}`);
  mkdirSync(home, { recursive: true });
});

function chat(text: string, startedMs: number): ChatMessage {
  const provenance = { rawStart: 0, rawEnd: 1, seq: 1, extractor: 'some', extractorVersion: 1, confidence: 1 };
  return ChatMessage.parse({
    id: 'm',
    terminalId: 't',
    conversationId: 'c',
    order: 1,
    kind: 'user',
    text,
    final: true,
    startedMs,
    updatedMs: startedMs,
    provenance,
  });
}

function put(name: string, to: string): string {
  const path = join(home, to);
  mkdirSync(join(path, '..'), { recursive: true });
  cpSync(join(LOGS, name), path);
  return path;
}

function finder(agent: string, cwd: string, env: Record<string, string> = {}): AgentLogLocator {
  return new AgentLogLocator({ agent, cwd, startedMs: 0, home, env });
}

const CLAUDE = '.claude/projects/-home-u-repos-ws4';
const CWD = '/home/u/repos/ws4';
const firstPrompt = () => {
  const line = readFileSync(join(LOGS, 'claude-48afafea.jsonl'), 'utf8')
    .split('\n')
    .find((text) => text.includes('"content": "hello there"'));
  return Date.parse((JSON.parse(line ?? '{}') as { timestamp: string }).timestamp);
};

describe('the own log of a run', () => {
  test('is found by its folder and its prompts, among others of the folder', async () => {
    put('claude-075e84a5.jsonl', `${CLAUDE}/075e84a5-6149-4b71-bf32-62f645260c91.jsonl`);
    const path = put('claude-48afafea.jsonl', `${CLAUDE}/48afafea-36f0-4228-a2c9-23c36b101c8c.jsonl`);
    const read = await finder('claude', CWD).read({ messages: [chat('hello there', firstPrompt() + 300)] });
    expect(read?.path).toBe(path);
    expect(read?.messages[1]?.text).toMatch(/^Hello! I am ready/);
  });

  test('is not guessed: the same prompt at another time, or in two logs, finds none', async () => {
    put('claude-48afafea.jsonl', `${CLAUDE}/48afafea-36f0-4228-a2c9-23c36b101c8c.jsonl`);
    const late = chat('hello there', firstPrompt() + 3600_000);
    expect(await finder('claude', CWD).read({ messages: [late] })).toBeNull();
    put('claude-48afafea.jsonl', `${CLAUDE}/58afafea-36f0-4228-a2c9-23c36b101c8c.jsonl`);
    expect(await finder('claude', CWD).read({ messages: [chat('hello there', firstPrompt())] })).toBeNull();
  });

  test('is found by its session id, whatever was typed', async () => {
    put('claude-48afafea.jsonl', `${CLAUDE}/48afafea-36f0-4228-a2c9-23c36b101c8c.jsonl`);
    put('claude-075e84a5.jsonl', `${CLAUDE}/075e84a5-6149-4b71-bf32-62f645260c91.jsonl`);
    const read = await finder('claude', CWD).read({ messages: [], sessionId: '075e84a5-6149-4b71-bf32-62f645260c91' });
    expect(read?.messages.map(({ text }) => text)).toEqual(['/clear', 'bye', 'Goodbye.']);
  });

  test.runIf(process.platform === 'linux')('is found by the process that holds it open', async () => {
    const path = put('claude-48afafea.jsonl', `${CLAUDE}/48afafea-36f0-4228-a2c9-23c36b101c8c.jsonl`);
    put('claude-075e84a5.jsonl', `${CLAUDE}/075e84a5-6149-4b71-bf32-62f645260c91.jsonl`);
    const fd = openSync(path, 'r');
    const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', fd];
    // The agent's own HOME takes precedence over the core's.
    const agent = spawn('sleep', ['300'], { env: { HOME: home, PATH: process.env.PATH }, stdio });
    closeSync(fd);
    try {
      const run = new AgentLogLocator({ agent: 'claude', cwd: CWD, startedMs: 0, home: '/nowhere', env: {} });
      expect(await run.read({ messages: [] })).toBeNull();
      await vi.waitFor(async () => {
        expect((await run.read({ messages: [], pids: [agent.pid ?? 0] }))?.path).toBe(path);
      });
    } finally {
      const ended = new Promise((resolve) => agent.once('exit', resolve));
      agent.kill();
      await ended;
    }
  });

  test("of dated folders, and of another folder's runs, the right one is found", async () => {
    put(
      'codex-01a1f982.jsonl',
      '.codex/sessions/2026/11/20/rollout-2026-11-20T15-11-03-01a1f982-d365-79d2-aee1-d27feb583781.jsonl',
    );
    const messages = [chat('hello there', Date.parse('2026-11-20T15:11:09.400Z'))];
    expect((await finder('codex', '/home/u/repos/ws2').read({ messages }))?.sessionId).toBe(
      '01a1f982-d365-79d2-aee1-d27feb583781',
    );
    expect(await finder('codex', '/home/u/repos/ws3').read({ messages })).toBeNull();
  });

  test('a variable of the agent moves its folder', async () => {
    put('codex-01a1f982.jsonl', 'elsewhere/sessions/2026/11/20/rollout-x-01a1f982.jsonl');
    const messages = [chat('hello there', Date.parse('2026-11-20T15:11:09.400Z'))];
    const read = await finder('codex', '/home/u/repos/ws2', { CODEX_HOME: join(home, 'elsewhere') }).read({ messages });
    expect(read?.messages[0]?.text).toBe('hello there');
  });

  test('what was written before the run, taken by another, or behind a link is no candidate', async () => {
    const path = put('claude-48afafea.jsonl', `${CLAUDE}/48afafea-36f0-4228-a2c9-23c36b101c8c.jsonl`);
    const messages = [chat('hello there', firstPrompt())];
    expect(await finder('claude', CWD).read({ messages, isTaken: (taken) => taken === path })).toBeNull();
    utimesSync(path, 1000, 1000);
    const later = new AgentLogLocator({ agent: 'claude', cwd: CWD, startedMs: PROMPT_MS, home, env: {} });
    expect(await later.read({ messages })).toBeNull();
    renameSync(path, join(home, 'outside.jsonl'));
    symlinkSync(join(home, 'outside.jsonl'), path);
    expect(await finder('claude', CWD).read({ messages })).toBeNull();
  });

  test('an agent without a log of its own has none', async () => {
    expect(finder('nobody', CWD).isKnown).toBe(false);
    expect(await finder('nobody', CWD).read({ messages: [] })).toBeNull();
  });
});

describe('TailFile', () => {
  const lines: string[] = [];
  const read = async (file: TailFile) => {
    lines.length = 0;
    return file.read((line) => lines.push(line));
  };

  test('gives each line once, when it is whole, wherever writing was cut', async () => {
    const path = join(home, 'log');
    const text = 'öne\n\ntwo 日本\nlast';
    const bytes = Buffer.from(`${text}\n`);
    const got: string[] = [];
    writeFileSync(path, '');
    const file = new TailFile(path);
    for (const byte of bytes) {
      appendFileSync(path, Buffer.of(byte));
      await read(file);
      got.push(...lines);
    }
    expect(got).toEqual(text.split('\n'));
  });

  test('a file that was replaced or cut begins anew', async () => {
    const path = join(home, 'log');
    writeFileSync(path, 'one\ntwo\n');
    const file = new TailFile(path);
    expect(await read(file)).toEqual({ isAnew: false });
    writeFileSync(path, 'new\n');
    expect(await read(file)).toEqual({ isAnew: true });
    expect(lines).toEqual(['new']);
    rmSync(path);
    expect(await read(file)).toBeNull();
  });

  test('a line beyond all measure is passed over', async () => {
    const path = join(home, 'log');
    writeFileSync(path, `a\n${'x'.repeat(9 * 1024 * 1024)}\nb\n`);
    await read(new TailFile(path));
    expect(lines).toEqual(['a', 'b']);
  });

  test.skipIf(process.platform === 'win32')('links, pipes and folders are refused, and nothing hangs', async () => {
    writeFileSync(join(home, 'real'), 'x\n');
    symlinkSync(join(home, 'real'), join(home, 'link'));
    execFileSync('mkfifo', [join(home, 'fifo')]);
    for (const name of ['link', 'fifo', '.', 'nothing']) expect(await read(new TailFile(join(home, name)))).toBeNull();
  });
});
