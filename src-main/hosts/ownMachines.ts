import type { MachinesSpec } from '../machines/Machines.ts';
import { openRemoteApi } from './web/connectCore.ts';

/** How this installation reaches other machines and sets itself up there. */
export function ownMachines(): Pick<MachinesSpec, 'openApi' | 'remote' | 'removeServer'> {
  return {
    openApi: openRemoteApi,
    remote: {
      command: process.env.HANSARD_TEST_REMOTE ?? 'exec hansard serve --stdio',
      offer: () => ({ remedy: 'Install Hansard there.' }),
      install: async () => undefined,
    },
    removeServer: async () => undefined,
  };
}
