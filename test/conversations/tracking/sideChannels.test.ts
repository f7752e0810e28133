import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { PtyChatSession } from '../../../src-main/conversations/extraction/PtyChatSession.ts';
import { AgentSideChannels } from '../../../src-main/conversations/tracking/AgentSideChannels.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { countedIds } from '../../support/chatOfCast.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { soon } from '../../support/soon.ts';

test('a log that is not found is searched less and less often while its agent works', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hansard-side-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const clock = new FakeClock();
  const session = new PtyChatSession('t', countedIds());
  session.begin({ agent: 'claude', cwd: home, blockId: null, at: 0, atMs: 0 });
  let searches = 0;
  const channels = new AgentSideChannels({
    ...{ session, clock, home, agent: 'claude', cwd: home, env: {}, log: silentLog },
    record: { write: () => undefined } as never,
    mayReadLogs: () => true,
    pids: () => {
      searches += 1;
      return [];
    },
    logOwners: new Map(),
  });
  channels.worked();
  clock.advance(2_000);
  await soon(() => searches).toBe(1);
  for (let n = 0; n < 300; n += 1) {
    clock.advance(2_000);
    await new Promise(setImmediate);
  }
  await channels.ended(undefined);
  expect(searches).toBeGreaterThan(1);
  expect(searches).toBeLessThan(600_000 / 30_000 + 10);
});

const SESSION = '0b1d7f6e-3c55-4f0a-9d0e-5a4a5c7d9e01';

/** Claude Code's log of one session with these prompts, a minute apart. */
function writeLog(home: string, cwd: string, prompts: readonly string[]): void {
  const folder = join(home, '.claude/projects', cwd.replace(/[^A-Za-z0-9]/g, '-'));
  const lines = prompts.map((content, at) => ({
    ...{ type: 'user', uuid: `u${at}`, sessionId: SESSION, cwd, timestamp: new Date(at * 60_000).toISOString() },
    message: { role: 'user', content },
  }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${SESSION}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

test('a resumed conversation finds the log that an ended one had, and its exit gets the id of the log', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hansard-side-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeLog(home, '/w', ['the first prompt', 'the second prompt']);
  const [clock, logOwners, newId] = [new FakeClock(), new Map<string, string>(), countedIds()];
  for (const [at, text] of ['the first prompt', 'the second prompt'].entries()) {
    const session = new PtyChatSession(`t${at}`, newId);
    session.begin({ agent: 'claude', cwd: '/w', blockId: null, at: 0, atMs: at * 60_000 });
    const conversationId = session.current?.conversationId ?? '';
    session.put(promptOf(conversationId, text, at * 60_000));
    const channels = new AgentSideChannels({
      ...{ session, clock, home, agent: 'claude', cwd: '/w', env: {}, log: silentLog, logOwners },
      record: { write: () => undefined } as never,
      mayReadLogs: () => true,
      pids: () => [],
    });
    channels.rested();
    session.end({ at: 2, atMs: at * 60_000 + 5_000 });
    await channels.ended(undefined);
    expect(session.messages.map(({ verified }) => verified)).toContain(true);
    expect(session.events.at(-1)).toMatchObject({ type: 'cli:exit', resumeId: SESSION });
  }
});

function promptOf(conversationId: string, text: string, startedMs: number): ChatMessage {
  const provenance = { rawStart: 0, rawEnd: 1, seq: 1, extractor: 'claude', extractorVersion: 1, confidence: 1 };
  const place = { id: `m-${text}`, terminalId: 't', conversationId, order: 1.5, kind: 'user' as const, final: true };
  return { ...place, text, startedMs, updatedMs: startedMs, provenance, actor: 'user', origins: ['screen'] };
}
