import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { Chats } from '../../../src-renderer/conversation/Chats.svelte.ts';
import { ConversationLog } from '../../../src-renderer/conversation/ConversationLog.svelte.ts';
import { ConversationFind } from '../../../src-renderer/conversation/find/ConversationFind.svelte.ts';
import type { ChatPage } from '../../../src-renderer/rpc/Rpc.ts';
import { fakeRpc } from '../support/fakeRpc.ts';
import { aConversation, aMessage, anEvent } from './aMessage.ts';

/** Pages as the core makes them: the last `limit` before an order. */
function pagesOf(all: readonly ChatMessage[]) {
  return {
    page: async ({ beforeOrder = Infinity, limit }: { beforeOrder?: number; limit: number }): Promise<ChatPage> => {
      const before = all.filter(({ order }) => order < beforeOrder);
      return { messages: before.slice(-limit), events: [], more: before.length > limit };
    },
  };
}

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => aMessage(n + 1, n % 2 ? 'model' : 'user', `words ${n}`));
const orders = (log: ConversationLog) => log.entries.map(({ message }) => message.order);

describe('a conversation that is read', () => {
  test('begins with the newest, and older ones are asked for until there are none', async () => {
    const log = new ConversationLog('t', 'c', pagesOf(many(700)));
    await log.reload();
    expect([log.entries.length, log.hasOlder]).toEqual([120, true]);
    await log.loadAll();
    expect([orders(log), log.hasOlder]).toEqual([many(700).map(({ order }) => order), false]);
  });

  test('puts a message that was found later in its place', async () => {
    const log = new ConversationLog('t', 'c', pagesOf(many(3)));
    await log.reload();
    log.apply({ type: 'message', message: { ...aMessage(2.5, 'model', 'between'), id: 'late' } });
    expect([orders(log), log.arrived]).toEqual([[1, 2, 2.5, 3], 1]);
  });

  test('keeps a change that overtook its page', async () => {
    const log = new ConversationLog('t', 'c', pagesOf(many(3)));
    const reading = log.reload();
    log.apply({ type: 'message', message: aMessage(3, 'user', 'newer', { updatedMs: 50 }) });
    await reading;
    expect(log.entries.map(({ message }) => message.text)).toEqual(['words 0', 'words 1', 'newer']);
  });

  test('leaves what belongs to another conversation alone, and shows an event once', async () => {
    const log = new ConversationLog('t', 'c', pagesOf(many(1)));
    await log.reload();
    log.apply({ type: 'message', message: aMessage(9, 'user', 'not here', { conversationId: 'other' }) });
    for (let times = 0; times < 2; times += 1) log.apply({ type: 'event', event: anEvent(5, 'cli:clear') });
    expect(log.items.map(({ key }) => key)).toEqual(['m1', 'e5']);
  });

  test('says why it could not be read, and can be asked again', async () => {
    let isBroken = true;
    const good = pagesOf(many(1));
    const log = new ConversationLog('t', 'c', {
      page: (input) => (isBroken ? Promise.reject(new Error('no disk')) : good.page(input)),
    });
    await log.reload();
    expect([log.isKnown, log.fault]).toEqual([false, 'no disk']);
    isBroken = false;
    await log.reload();
    expect([log.isKnown, log.fault, log.entries.length]).toEqual([true, null, 1]);
  });
});

test('a search goes through what was never loaded, starts at the newest hit and walks around the ends', async () => {
  const log = new ConversationLog('t', 'c', pagesOf(many(300)));
  await log.reload();
  const find = new ConversationFind(log);
  find.query = 'words 1';
  await find.search();
  expect([find.hits.length, find.hits[0]?.key, find.summary]).toEqual([111, 'm2', '111 of 111']);
  find.step(1);
  expect(find.summary).toBe('1 of 111');
  find.step(-1);
  expect(find.current).toEqual({ key: 'm200', nth: 0 });
  find.query = 'nowhere';
  await find.search();
  expect(find.summary).toBe('No matches');
});

describe('the conversations of a tab', () => {
  const setUp = () => {
    let send: (change: never) => void = () => undefined;
    const stopped: string[] = [];
    const { rpc } = fakeRpc({
      'chat.onChange': (listen: never) => {
        send = listen;
        return () => stopped.push('stopped');
      },
    });
    const chats = new Chats(rpc.chat);
    return { chats, stopped, send: (change: unknown) => send(change as never) };
  };
  const older = aConversation('old', { startedMs: 1, blockId: 'b1' });
  const newer = aConversation('new', { startedMs: 2, blockId: 'b2' });

  test('show their messages where the person chose the plan and they have none', () => {
    const { chats } = setUp();
    const plan = { items: [], done: 0, total: 0, from: 'log' as const };
    const parts = () => [chats.partOf(older), chats.partOf({ ...newer, plan })];
    expect(parts()).toEqual(['messages', 'messages']);
    chats.part = 'plan';
    expect(parts()).toEqual(['messages', 'plan']);
    chats.part = 'changes';
    expect(parts()).toEqual(['changes', 'changes']);
  });

  test('are shown newest first, the newest is read, and a choice holds until a new one begins', () => {
    const { chats, send } = setUp();
    chats.follow('t');
    send({ type: 'all', conversations: [older, newer] });
    expect([chats.all.map(({ id }) => id), chats.shown?.id]).toEqual([['new', 'old'], 'new']);
    chats.choose('old');
    send({ type: 'conversation', conversation: { ...newer, title: 'changed' } });
    expect(chats.shown?.id).toBe('old');
    send({ type: 'conversation', conversation: aConversation('third', { startedMs: 3 }) });
    expect(chats.shown?.id).toBe('third');
  });

  test('are found by the card they were held in', () => {
    const { chats, send } = setUp();
    chats.follow('t');
    send({ type: 'all', conversations: [older, newer] });
    expect([chats.ofBlock('b1')?.id, chats.ofBlock('b9')]).toEqual(['old', undefined]);
  });

  test('of another tab are forgotten, and what was on its way from there is not heard', () => {
    const { chats, send, stopped } = setUp();
    chats.follow('t');
    send({ type: 'all', conversations: [older] });
    chats.follow(null);
    expect([chats.all, chats.isKnown, stopped]).toEqual([[], false, ['stopped']]);
    send({ type: 'all', conversations: [older] });
    expect(chats.all).toEqual([]);
  });
});
