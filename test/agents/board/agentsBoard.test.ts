import { expect, test } from 'vitest';
import { AgentsBoard } from '../../../src-main/agents/AgentsBoard.ts';
import type { TerminalChange } from '../../../src-main/contract/api.ts';
import { ConversationList } from '../../../src-main/conversations/extraction/conversations.ts';
import { PtyChatSession } from '../../../src-main/conversations/extraction/PtyChatSession.ts';
import { Emitter } from '../../../src-main/util/Emitter.ts';
import { countedIds } from '../../support/chatOfCast.ts';
import { FakeClock } from '../../support/FakeClock.ts';

const settled = () => new Promise<void>((done) => setImmediate(done));

/** The board over one terminal whose agent's state the test sets, and the times at which the board had each state. */
async function boardOfOne() {
  const clock = new FakeClock();
  const changes = new Emitter<TerminalChange>();
  const list = new ConversationList(
    (name) => name,
    () => false,
  );
  const begun = new PtyChatSession('t1', countedIds()).begin({
    agent: 'x',
    cwd: null,
    blockId: null,
    at: 0,
    atMs: clock.nowMs(),
  });
  for (const line of begun) list.apply(line);
  const agent = { conversationId: begun[0]?.conversationId ?? '', state: 'idle', evidence: null, sinceMs: 0 };
  let reads = 0;
  let files: Promise<null> = Promise.resolve(null);
  const terminal = {
    id: 't1',
    view: { id: 't1', agent, gitBranch: null },
    chat: { load: async () => undefined, onChange: new Emitter().on, lines: [], conversations: list.all },
    screen: {
      drawn: () => {
        reads += 1;
        return Promise.reject(new Error('no emulator'));
      },
    },
  };
  const board = new AgentsBoard({
    clock,
    chats: { list: async () => [], page: async () => ({ messages: [], more: false }) },
    replies: { of: () => [], onChange: new Emitter<string>().on },
    changes: { files: () => files, onChange: new Emitter().on },
    terminals: { onChange: changes.on, all: [terminal], find: () => terminal },
  } as never);
  const rows = board.follow()[Symbol.asyncIterator]();
  await rows.next();
  const seen: [string, number][] = [];
  void (async () => {
    for (let next = await rows.next(); !next.done; next = await rows.next())
      if (next.value.type === 'row') seen.push([next.value.row.state, clock.monotonicMs()]);
  })();
  return {
    seen,
    reads: () => reads,
    /** Counting the changed files takes until the returned function is called. */
    holdFiles: () => {
      const held = Promise.withResolvers<null>();
      files = held.promise;
      return () => held.resolve(null);
    },
    close: () => changes.fire({ type: 'removed', id: 't1' } as never),
    turn: (state: string) => {
      agent.state = state;
      changes.fire({ type: 'changed', terminal: terminal.view } as never);
    },
    wait: async (ms: number) => {
      for (let at = 0; at < ms; at += 10) {
        clock.advance(10);
        await settled();
      }
    },
  };
}

test('the board has the first change after a pause within 50 ms, and reads one that changes all the time seven times a second', async () => {
  const { seen, reads, turn, wait } = await boardOfOne();
  await wait(1_000);
  turn('working');
  await wait(50);
  expect(seen).toEqual([['working', 1_030]]);
  const before = reads();
  for (let at = 0; at < 100; at += 1) {
    turn(at % 2 === 0 ? 'idle' : 'working');
    await wait(10);
  }
  expect(reads() - before).toBeGreaterThan(4);
  expect(reads() - before).toBeLessThanOrEqual(7);
  turn('needs_approval');
  await wait(200);
  expect(seen.at(-1)?.[0]).toBe('needs_approval');
});

test('a terminal that closes while its row is read stays ended', async () => {
  const { seen, reads, turn, wait, holdFiles, close } = await boardOfOne();
  const release = holdFiles();
  const before = reads();
  turn('working');
  await wait(1_000);
  expect(reads()).toBe(before + 1);
  close();
  await wait(10);
  release();
  await wait(10);
  expect(seen.at(-1)?.[0]).toBe('exited');
});
