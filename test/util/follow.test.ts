import { expect, test } from 'vitest';
import { Emitter } from '../../src-main/util/Emitter.ts';
import { follow } from '../../src-main/util/follow.ts';

test('gives the snapshot first and then everything that came since it began to listen', async () => {
  const emitter = new Emitter<string>();
  const stop = new AbortController();
  const stream = follow(emitter.on, () => ['now'], stop.signal);
  expect((await stream.next()).value).toBe('now');
  emitter.fire('a');
  emitter.fire('b');
  expect([(await stream.next()).value, (await stream.next()).value]).toEqual(['a', 'b']);
  const waiting = stream.next();
  emitter.fire('c');
  expect((await waiting).value).toBe('c');
  stop.abort();
  expect((await stream.next()).done).toBe(true);
  expect(emitter.size, 'nobody listens any more').toBe(0);
});

test('a reader that falls far behind is started afresh instead of filling memory', async () => {
  const emitter = new Emitter<number>();
  let state = 0;
  const stream = follow(emitter.on, () => [state]);
  await stream.next();
  for (let n = 1; n <= 25_000; n++) {
    state = n;
    emitter.fire(n);
  }
  expect((await stream.next()).value, 'a snapshot, not the oldest value').toBe(25_000);
  await stream.return(undefined);
  expect(emitter.size).toBe(0);
});

test('an abort ends a reader that waits', async () => {
  const emitter = new Emitter<number>();
  const stop = new AbortController();
  const stream = follow(emitter.on, () => [], stop.signal);
  const waiting = stream.next();
  stop.abort();
  expect((await waiting).done).toBe(true);
});

test('a listener that fails does not keep the others from hearing', () => {
  const errors: unknown[] = [];
  const emitter = new Emitter<number>((error) => errors.push(error));
  const heard: number[] = [];
  emitter.on(() => {
    throw new Error('one');
  });
  emitter.on((value) => heard.push(value));
  emitter.fire(1);
  expect({ heard, errors: errors.length }).toEqual({ heard: [1], errors: 1 });
});
