import { describe, expect, test } from 'vitest';
import { chatItems, estimateChatPx, passesFilter } from '../../../src-renderer/conversation/chatItems.ts';
import { aMessage, anEvent } from './aMessage.ts';

const said = (order: number, kind: Parameters<typeof aMessage>[1], text = 'x') => ({
  id: `m${order}`,
  message: aMessage(order, kind, text),
});
const shape = (items: ReturnType<typeof chatItems>) =>
  items.map((item) =>
    item.type === 'event'
      ? item.words
      : [item.key, ...item.results.map(({ id }) => id), ...(item.isTurn ? ['turn'] : [])].join(' '),
  );

describe('the rows of a conversation', () => {
  test('name the speaker where the word changes hands, and keep what a tool answered with the tool', () => {
    const entries = [
      said(1, 'user'),
      said(2, 'model'),
      said(3, 'model'),
      said(4, 'toolCall'),
      said(5, 'toolResult'),
      said(6, 'toolResult'),
      said(7, 'model'),
    ];
    expect(shape(chatItems(entries, []))).toEqual(['m1 turn', 'm2 turn', 'm3', 'm4 m5 m6', 'm7 turn']);
  });

  test('show a result alone when its call is not right above it', () => {
    const entries = [said(1, 'toolResult'), said(2, 'toolCall'), said(3, 'model'), said(4, 'toolResult')];
    expect(shape(chatItems(entries, []))).toEqual(['m1', 'm2', 'm3 turn', 'm4']);
  });

  test('have the events that people need to see, in their place', () => {
    const events = [
      anEvent(0, 'cli:newSession'),
      anEvent(1.5, 'cli:compact'),
      anEvent(2.5, 'stateChanged'),
      anEvent(9, 'cli:exit'),
    ];
    expect(shape(chatItems([said(1, 'user'), said(2, 'model')], events))).toEqual([
      'm1 turn',
      'compacted',
      'm2 turn',
      'ended',
    ]);
  });

  test('never put an answer across a divider to the call before it', () => {
    const rows = chatItems([said(1, 'toolCall'), said(3, 'toolResult')], [anEvent(2, 'cli:clear')]);
    expect(shape(rows)).toEqual(['m1', 'cleared', 'm3']);
  });

  test('put an answer to its call across what is said of the plan and of sub-agents meanwhile', () => {
    const plan = { items: [], done: 0, total: 0, from: 'log' as const };
    const entries = [said(1, 'toolCall'), said(3, 'toolResult'), said(5, 'toolResult')];
    const rows = chatItems(entries, [anEvent(2, 'planChanged', { plan }), anEvent(4, 'cli:compact')]);
    expect(shape(rows)).toEqual(['m1 m3', 'Plan cleared', 'compacted', 'm5']);
  });
});

test('a filter keeps what its name says, and no divider between what is not shown', () => {
  const rows = chatItems(
    [said(1, 'user'), said(2, 'model'), said(4, 'toolCall'), said(5, 'permission')],
    [anEvent(3, 'cli:compact')],
  );
  const kept = (filter: Parameters<typeof passesFilter>[1]) =>
    rows.filter((row) => passesFilter(row, filter)).map(({ key }) => key);
  expect([kept('all'), kept('user'), kept('model'), kept('tools')]).toEqual([
    ['m1', 'm2', 'e3', 'm4', 'm5'],
    ['m1', 'm5'],
    ['m2'],
    ['m4', 'm5'],
  ]);
});

test('a longer message is reckoned taller, up to a limit', () => {
  const px = (text: string) => estimateChatPx(chatItems([said(1, 'model', text)], [])[0] as never);
  expect(px('a'.repeat(400))).toBeGreaterThan(px('a'));
  expect(px('a\n'.repeat(100_000))).toBeLessThan(5000);
});

test('an event with the id of a message is not drawn in its place', () => {
  const event = { ...anEvent(1.5, 'cli:compact'), id: 'm1' };
  const items = chatItems([said(1, 'user'), said(2, 'model')], [event]);
  expect(items.map(({ key }) => key)).toEqual(['m1', 'm2']);
});
