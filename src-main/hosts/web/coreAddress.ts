import { z } from 'zod';

/** core.json (0600) in the data folder: how the command line reaches the running core. */
export const CoreAddress = z.object({
  version: z.literal(1),
  pid: z.number().int(),
  socketPath: z.string(),
  token: z.string(),
});
export type CoreAddress = z.infer<typeof CoreAddress>;

/** Says which front a connection over the local socket is; it can only give up rights. Node writes names of headers small. */
export const FRONT_HEADER = 'x-hansard-front';
