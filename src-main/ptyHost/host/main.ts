import { spawnNodePty } from '../../pty/NodePty.ts';
import { holdFolder } from '../../store/files/folderIdentity.ts';
import { systemClock } from '../../util/Clock.ts';
import { createLog } from '../../util/Log.ts';
import { onStrayError } from '../../util/strayErrors.ts';
import { keyPath } from '../protocol/messages.ts';
import { announce } from './announce.ts';
import { PtyHost } from './PtyHost.ts';

/**
 * The PTY host as a process: `node ptyHost.js SOCKET DATA-FOLDER`, started detached by a core. Its log goes to the standard error, which is
 * the core's log. Only the end of its last shell ends it: an error of one terminal must not affect the others.
 */
const [socketPath = '', dataFolder = ''] = process.argv.slice(2);
const log = createLog((line) => process.stderr.write(line));
const report = (error: unknown): void => log('pty_host_error', { reason: String(error) });

process.stderr.on('error', () => undefined); // a full disk: the log is no reason to end
process.on('uncaughtException', report);
process.on('unhandledRejection', report);
onStrayError((source, error) => log('pty_host_error', { source, reason: String(error) }));
for (const signal of ['SIGHUP', 'SIGINT'] as const) process.on(signal, () => undefined);

holdFolder(dataFolder);
const host = new PtyHost({ clock: systemClock, log, spawnPty: spawnNodePty, socketPath, keyPath: keyPath(dataFolder) });
process.on('SIGTERM', () => host.hangUp());
try {
  await host.listen();
  try {
    announce(dataFolder, socketPath);
  } catch (error) {
    report(error); // on a full disk shells run all the same
  }
  await host.ended;
  process.exit(0);
} catch (error) {
  report(error);
  process.exit(1);
}
