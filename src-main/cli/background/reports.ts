import { z } from 'zod';

/** Report of the background process to its launcher, over Node's own channel: sent once, then the channel closes. */
export const LaunchReport = z.discriminatedUnion('type', [
  /** `isJoined`: another start was faster; `pid` is its core. */
  z.object({
    type: z.literal('ready'),
    url: z.string(),
    publicOrigin: z.string().nullable(),
    pid: z.number().int(),
    isJoined: z.boolean(),
    build: z.string(),
  }),
  z.object({ type: z.literal('failed'), message: z.string(), exitCode: z.number().int() }),
]);
export type LaunchReport = z.infer<typeof LaunchReport>;
