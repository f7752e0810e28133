import { z } from 'zod';
import { TerminalId } from '../../contract/ids.ts';

/** A number with a cap: a larger one is cut to the cap, and the answer reports the effective number (mcp.md, conventions). */
export function capped(min: number, max: number): z.ZodType<number, number>;
export function capped(min: number, max: number, preset: number): z.ZodType<number, number | undefined>;
export function capped(min: number, max: number, preset?: number): z.ZodType<number, number | undefined> {
  const number = z
    .int()
    .meta({ minimum: min, maximum: max })
    .overwrite((value) => Math.min(max, Math.max(min, value)));
  return preset === undefined ? (number as z.ZodType<number, number | undefined>) : number.default(preset);
}

/** The id from pty_list. It has no description, because every schema would repeat it. */
export const PtyId = TerminalId;
/** `<terminal>.<block>`: one string that identifies a block among all recorded ones. */
export const BlockRef = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}\.[A-Za-z0-9_-]{1,64}$/, 'a block_id looks like t1ab2.b12-3f9c; blocks_since lists them');
export const MaxChars = capped(200, 100_000, 8_000);
/** Clients give up at 60 s. */
export const MAX_WAIT_MS = 55_000;
export const WaitMs = capped(0, MAX_WAIT_MS, 0);

export function refOf(terminalId: string, blockId: string): string {
  return `${terminalId}.${blockId}`;
}

export function splitRef(ref: string): { terminalId: string; blockId: string } {
  const [terminalId = '', blockId = ''] = ref.split('.');
  return { terminalId, blockId };
}

/** For the audit log: the thing that a reference names. */
export function aboutRef(ref: string, what: string): { terminalId: string; what: string } {
  const { terminalId, blockId } = splitRef(ref);
  return { terminalId, what: `${blockId}: ${what}` };
}
