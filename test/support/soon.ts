import { expect } from 'vitest';

/** Polls `look` for up to `patienceMs`, because a machine that runs other suites too may be slow. */
export const soon = <T>(look: () => T | Promise<T>, patienceMs = 20_000) =>
  expect.poll(look, { timeout: patienceMs, interval: 40 });
