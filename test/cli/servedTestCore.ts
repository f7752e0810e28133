import { Keys } from '../../src-main/hosts/web/Keys.ts';
import { serveLocally } from '../../src-main/hosts/web/serveLocally.ts';
import { acquireLock } from '../../src-main/store/instance/lockFile.ts';
import type { TestCore } from '../support/TestCore.ts';

/** Lets the command line reach a core of this process. The returned function ends that and disposes the core. */
export async function serveTestCore(core: TestCore): Promise<() => Promise<void>> {
  const lock = acquireLock(core.dataFolder);
  if (!lock.ok) throw new Error('the folder is in use');
  const control = {
    status: () => ({
      startedMs: 0,
      front: 'web' as const,
      isBackground: false,
      keepsShells: false,
      origin: null,
      publicOrigin: null,
      connections: 0,
    }),
    end: () => undefined,
  };
  const served = await serveLocally({
    core: core.core,
    dataFolder: core.dataFolder,
    keys: new Keys(Date.now),
    control,
  });
  return async () => {
    served.dispose();
    await core.dispose();
    lock.release();
  };
}
