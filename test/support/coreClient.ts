import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CoreConnection, connectCore } from '../../src-main/hosts/web/connectCore.ts';
import { CoreAddress } from '../../src-main/hosts/web/coreAddress.ts';

/** Connects to the core that runs on `home`, over its Unix socket. The caller disposes the connection. */
export function connectTo(home: string): CoreConnection {
  return connectCore(CoreAddress.parse(JSON.parse(readFileSync(join(home, 'core.json'), 'utf8'))));
}
