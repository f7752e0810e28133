import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatEvent, ChatLine, ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { markWriter } from '../../../src-main/store/instance/writerMark.ts';
import { Disposables } from '../../../src-main/util/Disposables.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { recordTerminal, START_MS } from '../recordFolder.ts';
import { runCli } from '../runCli.ts';

const home = suiteFolder('cli-chat');
/** Writer mark of terminal `two`, which this process still records. */
const living = new Disposables();
const run = (...args: string[]) => runCli(args, { home });
const SECRET = `ghp_${'A1b2C3d4E5'.repeat(3)}A1b2C3`;

let order = 0;
const place = (terminalId: string, conversationId: string) => {
  order += 1;
  return { terminalId, conversationId, order, atMs: START_MS + order * 1000 };
};

function said(
  whose: { terminalId: string; conversationId: string },
  kind: ChatMessage['kind'],
  text: string,
): ChatMessage {
  const { atMs, ...where } = place(whose.terminalId, whose.conversationId);
  return {
    id: `m${where.order}`,
    ...where,
    kind,
    text,
    final: true,
    startedMs: atMs,
    updatedMs: atMs,
    provenance: { rawStart: 10, rawEnd: 20, seq: 1, extractor: 'generic', extractorVersion: 1, confidence: 1 },
    actor: 'user',
    origins: ['screen'],
    ...(kind === 'model' && { verified: true }),
  };
}

function happened(
  whose: { terminalId: string; conversationId: string },
  type: ChatEvent['type'],
  more: Partial<ChatEvent> = {},
): ChatEvent {
  const where = place(whose.terminalId, whose.conversationId);
  return { type, id: `e${where.order}`, at: 0, ...where, ...more };
}

function write(path: string, lines: readonly ChatLine[]): void {
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

beforeAll(async () => {
  const first = { terminalId: 'one', conversationId: 'aaa111' };
  const second = { terminalId: 'one', conversationId: 'abb222' };
  const third = { terminalId: 'two', conversationId: 'ccc333' };
  const raw = 'before\r\nagent here\r\nafter\r\n';
  const one = await recordTerminal(home, 'one', [{ id: 'b1-aa', cmd: 'agent', raw, text: 'x\n' }]);
  const two = await recordTerminal(home, 'two', []);
  write(one.chatJsonl, [
    happened(first, 'cli:newSession', { agent: 'generic', cwd: '/home/u/x', at: 8 }),
    said(first, 'user', `Use ${SECRET} please`),
    said(first, 'model', 'Done.\n\n```sh\nls\n```'),
    happened(first, 'cli:exit', { at: 20 }),
    happened(second, 'cli:newSession', { agent: 'generic' }),
    said(second, 'user', 'Second question'),
  ]);
  write(two.chatJsonl, [
    happened(third, 'cli:newSession', { agent: 'generic' }),
    said(third, 'user', 'Third question \u001b[31mred'),
    happened(third, 'stateChanged', { state: 'needs_approval' }),
  ]);
  living.add(markWriter(two));
  writeFileSync(two.chatJsonl, `${readFileSync(two.chatJsonl, 'utf8')}damage\n{"kind":"user","te`);
});

afterAll(() => living.dispose());

describe('hansard chats', () => {
  test('lists those of all terminals, newest first, and of one', async () => {
    const { code, stdout, stderr } = await run('chats');
    expect([code, stderr]).toEqual([0, '']);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(rows.map(([id]) => id)).toEqual(['CONVERSATION', 'ccc333', 'abb222', 'aaa111']);
    expect(rows[1]?.slice(4)).toEqual(['1', '-', 'needs approval', 'Third question \\e[31mred']);
    expect(rows[3]?.slice(4)).toEqual(['2', '1/2', 'exited', expect.stringContaining('Use ')]);
    const one = JSON.parse((await run('chats', '-t', 'one', '-n', '1', '--json')).stdout) as {
      conversations: { id: string }[];
    };
    expect(one.conversations.map(({ id }) => id)).toEqual(['abb222']);
  });

  test('one that asked something when its writer went has ended: nobody waits there any more', async () => {
    living.dispose();
    const { stdout } = await run('chats', '-t', 'two', '--json');
    const { conversations } = JSON.parse(stdout) as { conversations: { id: string; state: string }[] };
    expect(conversations.map(({ id, state }) => [id, state])).toEqual([['ccc333', 'exited']]);
  });
});

describe('hansard chat', () => {
  test('prints the newest as Markdown, and of a damaged file what is whole', async () => {
    const { code, stdout } = await run('chat');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# Third question \\\\e\\\[31mred\n/);
    expect(stdout).toContain('\n\nThird question');
  });

  test('takes an abbreviated id; two that fit, and none, are told with what there is', async () => {
    expect((await run('chat', 'abb')).stdout).toContain('\n\nSecond question');
    const several = await run('chat', 'a');
    expect([several.code, several.stdout]).toEqual([66, '']);
    expect(several.stderr).toMatch(/"a" could be any of 2 conversations:\n {2}abb222 .*\n {2}aaa111 /);
    expect(await run('chat', 'zzz')).toMatchObject({
      code: 66,
      stderr: expect.stringContaining('no conversation "zzz". There are:'),
    });
    expect(await run('chat', '-f', 'pdf')).toMatchObject({ code: 64, stdout: '' });
  });

  test.each(['md', 'html', 'json', 'jsonl'])(
    '%s: secrets are taken out and counted, unless told otherwise',
    async (format) => {
      const safe = await run('chat', 'aaa', '-f', format);
      expect([safe.code, safe.stderr]).toEqual([0, 'hansard: 1 secret redacted (--no-redact keeps them)\n']);
      expect(safe.stdout).not.toContain(SECRET);
      expect(safe.stdout).toMatch(/redacted: github token/);
      const open = await run('chat', 'aaa', '-f', format, '--no-redact');
      expect([open.code, open.stderr]).toEqual([0, '']);
      expect(open.stdout).toContain(SECRET);
    },
  );

  test('a file is whole, ours alone, and the terminal is kept for it', async () => {
    const path = join(home, 'talk.html');
    expect(await run('chat', 'abb', '-f', 'html', '-o', path)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(existsSync(join(home, 'terminals/one/exported'))).toBe(true);
  });

  test('cast has what the terminal printed while the agent ran, and nothing else', async () => {
    const { code, stdout } = await run('chat', 'aaa', '-f', 'cast');
    expect(code).toBe(0);
    const [, ...events] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as [number, string, string]);
    expect(
      events
        .filter(([, type]) => type === 'o')
        .map(([, , data]) => data)
        .join(''),
    ).toBe('agent here\r\n');
  });

  test('says so where nothing is recorded', async () => {
    const empty = suiteFolder('cli-chat-none');
    expect(await runCli(['chats'], { home: empty })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('no conversation'),
    });
    expect(await runCli(['chat'], { home: empty })).toMatchObject({
      code: 66,
      stderr: expect.stringContaining('no conversation'),
    });
  });
});
