import * as z from 'zod/mini';

/** A number of things, or an offset: a whole number from 0. */
export const Count = z.int().check(z.nonnegative());
