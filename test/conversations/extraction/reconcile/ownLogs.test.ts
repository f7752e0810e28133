import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OWN_LOGS } from '../../../../src-main/conversations/extraction/extractors/agents/logs.ts';
import type {
  LogMessage,
  LogParser,
  OwnLog,
} from '../../../../src-main/conversations/extraction/reconcile/LogMessage.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';

const FOLDER = new URL('../../../fixtures/agents/own-logs/', import.meta.url);
const TRUTH = JSON.parse(readFileSync(new URL('../claude/truth.json', FOLDER), 'utf8')) as {
  turns: { user: string; model: { text: string }[] }[];
};

function linesOf(name: string): string[] {
  return readFileSync(new URL(name, FOLDER), 'utf8').split('\n');
}

function logOf(agent: string): OwnLog {
  return OWN_LOGS.find((log) => log.agent === agent) as OwnLog;
}

function read(name: string): LogParser {
  const parser = logOf(name.slice(0, name.indexOf('-'))).newParser();
  for (const line of linesOf(name)) parser.feed(line);
  return parser;
}

function said(messages: readonly LogMessage[]): string[] {
  return messages.flatMap(({ kind, text }) => (kind === 'user' || kind === 'model' ? [`${kind}: ${text}`] : []));
}

/** The messages of the script's first `turns` turns. */
function script(turns: number): string[] {
  return TRUTH.turns
    .slice(0, turns)
    .flatMap(({ user, model }) => [`user: ${user}`, ...model.map(({ text }) => `model: ${text}`)])
    .filter((line) => line !== 'model: ');
}

describe("the agents' own logs", () => {
  test.each([
    ['claude-48afafea.jsonl', 5],
    ['codex-01a1f982.jsonl', 5],
    ['gemini-49ad5ca3.jsonl', 5],
  ])('%s gives what was said, word for word', (name, turns) => {
    expect(said(read(name).messages).slice(0, script(turns).length)).toEqual(script(turns));
  });

  test('what a program writes in the place of the model is said by nobody', () => {
    const parser = logOf('claude').newParser();
    const line = (model: string, text: string) =>
      parser.feed(
        JSON.stringify({ type: 'assistant', uuid: text, message: { model, content: [{ type: 'text', text }] } }),
      );
    line('<synthetic>', 'No response requested.');
    line('claude-opus', 'An answer.');
    expect(said(parser.messages)).toEqual(['model: An answer.']);
  });

  test('a tool has the name that the screen shows, where the log has another one for the model', () => {
    const tools = read('gemini-49ad5ca3.jsonl').messages.flatMap(({ tool }) => tool ?? []);
    expect(tools.slice(0, 3).map(({ name }) => name)).toEqual(['ReadFile', 'Shell', 'WriteFile']);
  });

  test.each(['claude-48afafea.jsonl', 'codex-01a1f982.jsonl', 'gemini-49ad5ca3.jsonl'])(
    '%s gives tools with their whole input and output',
    (name) => {
      const tools = read(name).messages.flatMap(({ tool }) => tool ?? []);
      expect(tools[0]).toMatchObject({
        status: 'done',
        output: expect.stringContaining('export function greet(name: string)'),
      });
      expect(tools[1]).toMatchObject({
        input: 'printf "alpha\\nbeta\\n" && touch made-by-agent.txt',
        output: expect.stringMatching(/^alpha\nbeta\n?$/),
        status: 'done',
      });
      expect(tools[2]?.input).toContain('# Note');
    },
  );

  test.each([
    ['claude-48afafea.jsonl', '48afafea-36f0-4228-a2c9-23c36b101c8c', '/home/u/repos/ws4'],
    ['codex-01a1f982.jsonl', '01a1f982-d365-79d2-aee1-d27feb583781', '/home/u/repos/ws2'],
  ])('%s tells whose it is', (name, id, cwd) => {
    const { session } = read(name);
    expect(session).toMatchObject({ id, cwd });
    expect(new Date(session.startedMs ?? 0).toISOString()).toMatch(/^2026-11-20T15/);
    expect(logOf(name.slice(0, name.indexOf('-'))).isOf(session, cwd)).toBe(true);
    expect(logOf(name.slice(0, name.indexOf('-'))).isOf(session, '/elsewhere')).toBe(false);
  });

  test('a folder that a log has only as a digest is recognised', () => {
    const session = {
      id: 'x',
      cwd: null,
      startedMs: 0,
      cwdDigest: 'cb3f127dcd3feb763c8ac148849390c39f1a8772a41359ea0ecbe4038e9b86b7',
    };
    expect(logOf('gemini').isOf(session, '/home/u/repos/ws')).toBe(true);
    expect(logOf('gemini').isOf(session, '/home/u/repos/ws2')).toBe(false);
  });

  test("a tool of a server is told with its server's name, what it was given, and how it ended", () => {
    const parser = logOf('codex').newParser();
    const called = (id: string, status: string, text: string) => ({
      ...{ type: 'McpToolCall', id, server: 'docs', tool: 'find', arguments: { words: 'a b', limit: 5 }, status },
      result: { content: [{ type: 'text', text }], isError: status === 'failed' },
    });
    for (const item of [called('c1', 'completed', 'three pages'), called('c2', 'failed', 'BAD_INPUT')]) {
      const timestamp = '2026-11-22T06:26:29.318Z';
      parser.feed(JSON.stringify({ timestamp, type: 'event_msg', payload: { type: 'item_completed', item } }));
    }
    expect(parser.messages.map(({ tool }) => tool)).toEqual([
      { name: 'docs.find', input: 'words: a b\nlimit: 5', subject: '', output: 'three pages', status: 'done' },
      { name: 'docs.find', input: 'words: a b\nlimit: 5', subject: '', output: 'BAD_INPUT', status: 'failed' },
    ]);
  });

  test('a refused tool is denied, and commands of the program itself are no prompts', () => {
    const { messages } = read('claude-48afafea.jsonl');
    expect(messages.at(-2)?.tool?.status).toBe('denied');
    expect(messages.filter(({ kind }) => kind === 'command').map(({ text }) => text)).toEqual([
      '!echo from bash mode',
      '/compact',
    ]);
    expect(read('claude-075e84a5.jsonl').messages.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'command: /clear',
      'user: bye',
      'model: Goodbye.',
    ]);
    expect(read('gemini-30040407.jsonl').messages[2]?.tool?.status).toBe('denied');
  });

  const TOLD_AGAIN = ['gemini-cf2b39d8.jsonl', 'gemini-3b047c4b.jsonl'];
  const ONCE = [
    'user: read greet.ts and explain',
    'model: I will read the file first.',
    'model: The file exports `greet(name)`.',
    'user: run the printf command',
    'model: Running the command now.',
    'model: Done. It printed `alpha` and `beta`.',
    'user: delete everything',
    'model: I will remove the files.',
    'user: fail please',
    'model: The command failed with exit code 3.',
  ];

  test.each(TOLD_AGAIN)('a history that %s has once more is no second conversation', (name) => {
    const { messages } = read(name);
    expect(said(messages)).toEqual(ONCE);
    expect(messages.flatMap(({ tool }) => tool?.status ?? [])).toHaveLength(4);
  });

  test.each(TOLD_AGAIN)('it is none at whatever line the reading of %s pauses', (name) => {
    const parser = logOf('gemini').newParser();
    for (const line of linesOf(name)) {
      parser.feed(line);
      const now = said(parser.messages);
      expect(now).toEqual(ONCE.slice(0, now.length));
    }
  });

  test.each(TOLD_AGAIN)('it is none at whatever times the lines of %s were written', (name) => {
    const time = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    const lines = linesOf(name);
    fc.assert(
      fc.property(fc.array(time, { minLength: lines.length, maxLength: lines.length }), (times) => {
        const parser = logOf('gemini').newParser();
        for (const [at, line] of lines.entries()) {
          parser.feed(line.replaceAll(/"timestamp":"[^"]*"/g, `"timestamp":"${times[at]}"`));
        }
        expect(said(parser.messages)).toEqual(ONCE);
      }),
      fuzzRuns(25),
    );
  });

  test('what is asked twice in so many words was asked twice', () => {
    const parser = logOf('gemini').newParser();
    const asked = (id: string) => ({
      id,
      timestamp: '2026-11-20T15:00:00.000Z',
      type: 'user',
      content: [{ text: 'again' }],
    });
    const answered = (id: string) => ({ ...asked(id), type: 'gemini', content: 'Again.', model: 'one' });
    for (const record of [asked('a'), answered('b'), asked('c'), answered('d')]) parser.feed(JSON.stringify(record));
    expect(said(parser.messages)).toEqual(['user: again', 'model: Again.', 'user: again', 'model: Again.']);
  });

  test('a command that a script of the model has run is told as a command', () => {
    const { messages } = read('codex-01a20055.jsonl');
    expect(messages.map(({ kind, text, tool }) => tool ?? `${kind}: ${text}`)).toEqual([
      'user: run it',
      'model: Running now.',
      {
        name: 'exec_command',
        input: 'echo alpha > made.txt; echo beta',
        subject: 'echo alpha > made.txt; echo beta',
        output: 'beta\n',
        status: 'done',
      },
      'model: It **ran** well.',
    ]);
  });

  test.each(['claude-48afafea.jsonl', 'codex-01a1f982.jsonl', 'gemini-49ad5ca3.jsonl'])(
    'torn lines, foreign lines and lines read twice change nothing in %s',
    (name) => {
      const parser = logOf(name.slice(0, name.indexOf('-'))).newParser();
      const lines = linesOf(name);
      for (const line of lines) {
        parser.feed(line.slice(0, line.length / 2));
        parser.feed('{"type":"user","message":7,"payload":[],"$set":"x","toolCalls":3}');
        parser.feed('null');
        parser.feed(line);
      }
      for (const line of lines) parser.feed(line);
      expect(said(parser.messages).length).toBe(said(read(name).messages).length);
      expect(said(parser.messages)).toEqual(said(read(name).messages));
    },
  );
});
