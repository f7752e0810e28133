import { expect } from 'vitest';

/** Polls `look` for up to 20 s, because a machine that runs other suites too may be slow. */
export const soon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 20_000, interval: 40 });
