import * as z from 'zod/mini';
import { Count } from '../../contract/ids.ts';

/** First line of a `.idx`: the file to which `src` of the entries refers. */
export const IndexHeader = z.object({ version: z.literal(1), source: z.enum(['raw', 'ren']) });
export type IndexHeader = z.infer<typeof IndexHeader>;

/** Start of every 1,024th logical line. */
export const IndexLine = z.object({
  line: Count,
  /** Byte offset in the `.out`. */
  out: Count,
  /** Byte offset in output.raw or the `.ren`, depending on the header. */
  src: Count,
  /** The SGR sequence that restores the attributes at the line's start; '' for the default. */
  sgr: z.string(),
});
export type IndexLine = z.infer<typeof IndexLine>;

/** A line of a `.idx`. */
export const AnyIndexLine = z.union([IndexLine, IndexHeader]);
