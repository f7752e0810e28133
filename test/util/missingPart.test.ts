import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { isPartMissing } from '../../src-main/util/missingPart.ts';

const MISSING = new URL('file:///nowhere/chunk-0000.mjs');

describe('a missing part of the program', () => {
  test('is known by the error of an import', async () => {
    const error: unknown = await import(/* @vite-ignore */ MISSING.href).catch((thrown: unknown) => thrown);
    expect([error instanceof Error, isPartMissing(error)]).toEqual([true, true]);
  });

  test('is known by the error of a worker', async () => {
    const [error] = (await once(new Worker(MISSING), 'error')) as [unknown];
    expect([error instanceof Error, isPartMissing(error)]).toEqual([true, true]);
  });

  test('is no other error', () => {
    expect(isPartMissing(Object.assign(new Error('no entry'), { code: 'ENOENT' }))).toBe(false);
  });
});
