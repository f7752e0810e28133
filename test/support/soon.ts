import { expect } from 'vitest';

/** A machine that runs everything else as well may take a while; what is waited for is still the truth. */
export const soon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 20_000, interval: 40 });
