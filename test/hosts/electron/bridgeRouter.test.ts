import { describe, expect, test } from 'vitest';
import { appRouter } from '../../../src-main/api/appRouter.ts';
import { bridgeRouter, plainIterable } from '../../../src-main/hosts/electron/bridgeRouter.ts';

async function* counting(onEnd: () => void): AsyncGenerator<number> {
  try {
    for (let n = 0; ; n++) yield n;
  } finally {
    onEnd();
  }
}

describe('what a subscription yields over the bridge', () => {
  test('is the same values, through an iterator that cannot be disposed of by symbol', async () => {
    const iterator = plainIterable(counting(() => undefined))[Symbol.asyncIterator]();
    expect(Symbol.asyncDispose in iterator).toBe(false);
    expect([await iterator.next(), await iterator.next()]).toEqual([
      { done: false, value: 0 },
      { done: false, value: 1 },
    ]);
    await iterator.return?.();
  });

  test('ends the source when the reader leaves', async () => {
    let isEnded = false;
    for await (const n of plainIterable(
      counting(() => {
        isEnded = true;
      }),
    ))
      if (n === 2) break;
    expect(isEnded).toBe(true);
  });

  test("passes the source's error on", async () => {
    async function* failing(): AsyncGenerator<number> {
      yield 1;
      throw new Error('broken');
    }
    const iterator = plainIterable(failing())[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    await expect(iterator.next()).rejects.toThrow('broken');
  });
});

test('the router of the bridge has every procedure of the API, of the same type', () => {
  const typesOf = (router: { _def: { procedures: object } }): [string, string][] =>
    Object.entries(router._def.procedures as Record<string, { _def: { type: string } }>).map(([path, { _def }]) => [
      path,
      _def.type,
    ]);
  expect(typesOf(bridgeRouter())).toEqual(typesOf(appRouter));
  expect(typesOf(appRouter).filter(([, type]) => type === 'subscription').length).toBeGreaterThan(3);
});
