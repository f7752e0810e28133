import { expect, test } from 'vitest';
import { sourceFiles } from '../support/sourceFiles.ts';

/** `this.x = this.x.then(…)`: after one rejection, the chain never runs anything again. */
const CHAIN = /this\.(#?\w+)\s*=\s*(?:Promise\.\w+\(\[)?this\.\1\b[^;=]*?\.then\(/;

test('no promise chain continues from its own last promise', () => {
  const chained = ['src-main', 'src-preload', 'src-renderer'].flatMap((folder) =>
    sourceFiles(folder, ['.ts', '.svelte']).filter(({ text }) => CHAIN.test(text)),
  );
  expect(chained.map(({ path }) => `${path}: use SerialQueue, whose failures belong to their callers`)).toEqual([]);
});

test('the law sees such a chain', () => {
  expect(CHAIN.test('this.#writing = this.#writing.then(() => write());')).toBe(true);
  expect(CHAIN.test('this.#closing = Promise.all([this.#closing, ended]).then(() => derive());')).toBe(true);
  expect(CHAIN.test('this.#rolling = this.#rolling\n  .then(() => a())')).toBe(true);
});
