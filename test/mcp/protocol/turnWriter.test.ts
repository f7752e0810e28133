import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TurnWriter } from '../../../src-main/mcp/protocol/TurnWriter.ts';

test('what is written in one turn, in its microtasks too, leaves together and in order before the next turn', async () => {
  const handed: string[][] = [];
  const writer = new TurnWriter<string>((pieces) => handed.push([...pieces]));
  const nextTurn = new Promise((resolve) => setImmediate(resolve));
  writer.write('a');
  void Promise.resolve()
    .then(() => writer.write('b'))
    .then(() => writer.write('c'));
  expect(handed).toEqual([]);
  await nextTurn;
  expect(handed.flat()).toEqual(['a', 'b', 'c']);
  writer.write('d');
  await new Promise((resolve) => setImmediate(resolve));
  expect(handed.flat()).toEqual(['a', 'b', 'c', 'd']);
});

test('answers that are made in one run of microtasks are one piece', async () => {
  const handed: string[][] = [];
  const writer = new TurnWriter<string>((pieces) => handed.push([...pieces]));
  await new Promise((resolve) =>
    setImmediate(() => {
      for (const text of ['a', 'b', 'c']) void Promise.resolve().then(() => writer.write(text));
      setImmediate(resolve);
    }),
  );
  expect(handed).toEqual([['a', 'b', 'c']]);
});

test('nothing is lost, doubled or moved, whenever it is flushed, and no more than 64 KiB waits', () => {
  const piece = fc.integer({ min: 0, max: 40_000 });
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.constant('flush' as const))), (steps) => {
      const handed: string[] = [];
      const written: string[] = [];
      const writer = new TurnWriter<string>((pieces) => handed.push(...pieces));
      for (const step of steps) {
        if (step === 'flush') writer.flush();
        else {
          written.push(`${written.length}`.padEnd(step, '.'));
          writer.write(written.at(-1) ?? '');
        }
        expect(written.join('').length - handed.join('').length).toBeLessThan(64 * 1024);
      }
      writer.flush();
      expect(handed).toEqual(written);
    }),
  );
});
