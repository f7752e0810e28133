import * as z from 'zod/mini';

/** A line of screen.jsonl. `keyframe`: folding restarts here, with all rows except blank ones in `rows`. */
export const ScreenDelta = z.object({
  seq: z.int(),
  epoch: z.string(),
  ts: z.number(),
  keyframe: z.optional(z.literal(true)),
  scrolled_by: z.optional(z.int()),
  rows: z.array(z.object({ row: z.int(), text: z.string(), wrapped: z.optional(z.literal(true)) })),
  cursor: z.optional(z.object({ row: z.int(), col: z.int() })),
  title: z.optional(z.string()),
  alt_screen: z.optional(z.boolean()),
  cols: z.optional(z.int()),
  rows_count: z.optional(z.int()),
  scrollback_total: z.optional(z.int()),
});
export type ScreenDelta = z.infer<typeof ScreenDelta>;

/** screen.snapshot.json: the last screen, with at most 100 rows above it. */
export const ScreenSnapshot = z.object({
  version: z.literal(1),
  rows: z.array(z.string()),
  cursor: z.object({ row: z.int(), col: z.int() }),
  title: z.string(),
  alt_screen: z.boolean(),
  cols: z.int(),
  rows_count: z.int(),
  scrollback: z.array(z.string()),
  scrollback_total: z.int(),
  seq: z.int(),
  screen_epoch: z.string(),
  hash: z.string(),
  ts: z.number(),
});
export type ScreenSnapshot = z.infer<typeof ScreenSnapshot>;
