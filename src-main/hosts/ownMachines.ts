import { dirname, join } from 'node:path';
import type { MachinesSpec } from '../machines/Machines.ts';
import { installServer, offerServer, removeServer } from '../machines/setup/installServer.ts';
import { remoteCommand } from '../machines/setup/remoteCommand.ts';
import { runSsh } from '../machines/ssh/SshConnection.ts';
import { besideArguments } from '../machines/ssh/sshArguments.ts';
import { findAppFiles } from './appFiles.ts';
import { openRemoteApi } from './web/openRemoteApi.ts';

/** How this installation reaches other machines and sets itself up there. */
export function ownMachines(env: NodeJS.ProcessEnv): Pick<MachinesSpec, 'openApi' | 'remote' | 'removeServer'> {
  const { root: own, version } = findAppFiles();
  // A packaged app has a second copy of the command line beside its archive, which only Electron can read
  const root = own.endsWith('app.asar') ? join(dirname(own), 'bridge') : own;
  return {
    openApi: openRemoteApi,
    remote: {
      version,
      command: remoteCommand(version),
      offer: (hello) => offerServer(hello, version),
      install: (how) => installServer({ ...how, root, version }),
    },
    removeServer: ({ view, controlPath }) =>
      removeServer({
        run: (command, stdin) => runSsh(besideArguments(view.name, controlPath, command), { env, stdin }),
      }),
  };
}
