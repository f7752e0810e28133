import { z } from 'zod';

/** What the process in the background tells the one that launched it, over Node's own channel: once, and then the channel is closed. */
export const LaunchReport = z.discriminatedUnion('type', [
  /** `isJoined`: another start was quicker; `pid` is its core. */
  z.object({
    type: z.literal('ready'),
    url: z.string(),
    publicOrigin: z.string().nullable(),
    pid: z.number().int(),
    isJoined: z.boolean(),
  }),
  z.object({ type: z.literal('failed'), message: z.string(), exitCode: z.number().int() }),
]);
export type LaunchReport = z.infer<typeof LaunchReport>;
