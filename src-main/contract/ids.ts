import * as z from 'zod/mini'; // mini: the command line uses these schemas at each start, and all of zod takes 14 ms

/** Form of every id: safe as a file name, so a path can never leave its folder. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Checks an id without a schema, for thousands of names. */
export function isId(name: string): boolean {
  return ID.test(name);
}

export const TerminalId = z.string().check(z.regex(ID, 'an id has 1 to 64 of A-Z a-z 0-9 _ -'));
export type TerminalId = z.infer<typeof TerminalId>;

export const BlockId = z.string().check(z.regex(ID, 'an id has 1 to 64 of A-Z a-z 0-9 _ -'));
export type BlockId = z.infer<typeof BlockId>;

/** A whole number from 0, such as a count or an offset. */
export const Count = z.int().check(z.nonnegative());
