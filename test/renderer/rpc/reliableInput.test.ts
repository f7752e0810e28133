import { TRPCClientError } from '@trpc/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PieceNumber, ReliableInput } from '../../../src-renderer/rpc/ReliableInput.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** The error of a connection that closed while a piece was sent; the piece may or may not have arrived. */
const brokeOff = () => TRPCClientError.from(new Error('WebSocket closed'));
const refused = () =>
  TRPCClientError.from({ error: { message: 'too long', code: -32600, data: { code: 'BAD_REQUEST' } } } as never);

/** A connection whose first tries fail with `outcomes`, in order; later ones arrive. */
function line(...outcomes: Error[]) {
  const sent: [string, number, again?: true][] = [];
  const writers = new Set<string>();
  const write = async (data: string, { writer, number, again }: PieceNumber): Promise<void> => {
    sent.push(again ? [data, number, again] : [data, number]);
    writers.add(writer);
    const outcome = outcomes.shift();
    if (outcome) throw outcome;
  };
  return { sent, writers, write };
}

test('pieces of a terminal are counted from 0 under one name, those of another by themselves', async () => {
  const [one, two] = [line(), line()];
  const writes = new ReliableInput();
  for (const data of ['a', 'b']) await writes.send('t1', data, one.write);
  await writes.send('t2', 'c', two.write);
  expect([one.sent, two.sent]).toEqual([
    [
      ['a', 0],
      ['b', 1],
    ],
    [['c', 0]],
  ]);
  expect(new Set([...one.writers, ...two.writers]).size).toBe(2);
});

test('a piece that broke off is sent again under its own number until it is taken', async () => {
  const { sent, write } = line(brokeOff(), brokeOff());
  const done = new ReliableInput().send('t', 'x', write);
  await vi.runAllTimersAsync();
  await done;
  expect(sent).toEqual([
    ['x', 0],
    ['x', 0, true],
    ['x', 0, true],
  ]);
});

test('a refusal is the end of it, and the pieces behind it need not wait', async () => {
  const { sent, write } = line(refused());
  await expect(new ReliableInput().send('t', 'x', write)).rejects.toThrow('too long');
  expect(sent).toEqual([
    ['x', 0],
    ['', 0],
  ]);
});

describe('what a piece says of those before it', () => {
  const unsure = () =>
    TRPCClientError.from({ error: { message: 'cut', code: -32099, data: { code: 'CLIENT_CLOSED_REQUEST' } } } as never);
  /** A connection that answers when `answers` are called; `sent` has what each piece says. */
  function open() {
    const sent: Omit<PieceNumber, 'writer'>[] = [];
    const answers: ((error?: Error) => void)[] = [];
    const write = (_data: string, { writer: _, ...piece }: PieceNumber) =>
      new Promise<void>((resolve, reject) => {
        sent.push(structuredClone(piece));
        answers.push((error) => (error ? reject(error) : resolve()));
      });
    const writes = new ReliableInput();
    writes.meets({ coreId: 'one' });
    const type = () => writes.send('t', 'x', write).catch(() => undefined);
    return { writes, sent, answers, type };
  }

  test('names the first one without an answer, and the core to which that was sent', async () => {
    const { writes, sent, answers, type } = open();
    const first = type();
    writes.meets({ coreId: 'two' }); // known only now
    void type();
    answers[0]?.();
    await first;
    void type();
    expect(sent).toEqual([
      { number: 0, since: { number: 0, core: 'one' } },
      { number: 1, again: true, since: { number: 0, core: 'one' } },
      { number: 2, again: true, since: { number: 1, core: 'two' } },
    ]);
  });

  test('begins again once the person knows that the arrival of one is not known', async () => {
    const { sent, answers, type } = open();
    const first = type();
    void type();
    answers[0]?.(unsure());
    await first;
    void type();
    expect(sent.at(-1)).toEqual({ number: 2, since: { number: 2, core: 'one' } });
  });
});
