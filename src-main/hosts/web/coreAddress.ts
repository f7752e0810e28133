import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod/mini';
import { socketPath } from '../../store/instance/privateSocket.ts';

/** core.json (0600) in the data folder: how the command line reaches the running core. */
export const CoreAddress = z.object({
  version: z.literal(1),
  pid: z.int(),
  socketPath: z.string(),
  token: z.string(),
  /** Protocol of the core, for `serve --stdio`, which may have another version. Missing in cores without machines. */
  machineProtocol: z.optional(z.int()),
  appVersion: z.optional(z.string()),
});
export type CoreAddress = z.infer<typeof CoreAddress>;

/** Says which front a connection over the local socket is; it can only give up rights. Node writes names of headers small. */
export const FRONT_HEADER = 'x-hansard-front';

/** A data folder that moves takes its socket along; a socket at the old path may belong to another core. */
export function inFolder(dataFolder: string, address: CoreAddress): CoreAddress {
  const own = socketPath(dataFolder, basename(address.socketPath));
  const isMoved = process.platform !== 'win32' && own !== address.socketPath && existsSync(own);
  return isMoved ? { ...address, socketPath: own } : address;
}
