import { z } from 'zod';

/** Values in what another machine says of one of its terminals. They are as untrusted as its output: a window shows them as text. */

/** Characters of a whole screen with its scrollback, and of a whole answer that is one text. */
export const MAX_STATE_CHARS = 16 * 1024 * 1024;
export const MAX_TEXT_CHARS = 1_000_000;

export const Short = z.string().max(1_000);
export const Text = z.string().max(MAX_TEXT_CHARS);
export const Path = z.string().max(4_096);
/** An id of the core's own, which fits into its name here. */
export const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
/** An id that a window uses as the key of a row. */
export const Key = z.string().min(1).max(128);
/** A position in output.raw, or a count: a whole number that JavaScript stores exactly. */
export const Offset = z.int().min(0);

/** The most that a date can be, in both directions: a window cannot format a later one. */
const MAX_TIME_MS = 8.64e15;
export const Time = z.number().min(-MAX_TIME_MS).max(MAX_TIME_MS);
