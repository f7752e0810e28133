import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { StdioHello } from '../../contract/machines.ts';
import type { CoreAddress } from '../../hosts/web/coreAddress.ts';
import { findAddress } from '../../hosts/web/findAddress.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { print } from '../print/output.ts';
import { launchCore } from './launchCore.ts';
import { requirePlace } from './startFront.ts';

/** Two, because a core may end between the check and the connection; then a new one is started. */
const TRIES = 2;

/**
 * Runs here when the Hansard of another machine calls it through ssh: joins the core, or starts one in the background, reports that in one line, and
 * relays bytes between stdin, stdout and the core's socket until one of them ends. Prints nothing else. The core keeps running.
 */
export async function serveStdio(): Promise<void> {
  // Without a listener Node would end with a stack trace when ssh disconnects; the relay ends by itself then.
  process.stdin.on('error', () => undefined);
  let joined: Joined;
  try {
    if (process.stdin.isTTY || process.stdout.isTTY)
      throw new CliError('`serve --stdio` speaks to another Hansard through ssh, not to a terminal.', EXIT.negative);
    joined = await joinCore(requirePlace());
  } catch (error) {
    await hello({ type: 'failed', reason: reasonOf(error) });
    // This code shows the caller that Hansard has answered; 64, 69, 126 and 127 mean a Hansard that cannot.
    process.exitCode = EXIT.negative;
    return;
  }
  const { socket, address } = joined;
  const { token, machineProtocol: protocol = 0, appVersion: version = '' } = address;
  await hello({ type: 'ready', protocol, version, token });
  await relay(socket);
}

interface Joined {
  socket: Socket;
  address: CoreAddress;
}

async function joinCore(dataFolder: string): Promise<Joined> {
  for (let left = TRIES; ; left--) {
    const found = await findAddress(dataFolder);
    if (found.status === 'silent')
      throw new CliError(`Hansard (process ${found.pid}) does not say where it listens.`, EXIT.unavailable);
    if (found.status === 'none' && left > 0) await launchCore(dataFolder, { port: 0 });
    else if (found.status === 'none') throw new CliError('Hansard was started and has ended.', EXIT.unavailable);
    else {
      const { address } = found;
      try {
        return { address, socket: await connected(connect(address.socketPath)) };
      } catch (error) {
        if (left > 0) continue;
        throw new CliError(
          `Hansard (process ${address.pid}) refuses connections: ${reasonOf(error)}`,
          EXIT.unavailable,
        );
      }
    }
  }
}

function connected(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** Each direction waits for its reader. The last bytes of one end still reach the other; then both are closed. */
async function relay(socket: Socket): Promise<void> {
  const isOver = (): undefined => undefined; // the other end is closed, so an error cannot be reported to it
  const up = pipeline(process.stdin, socket).catch(isOver);
  const down = pipeline(socket, process.stdout).catch(isOver);
  await Promise.race([up, down]);
  socket.destroy();
}

async function hello(words: StdioHello): Promise<void> {
  await print(`HANSARD-STDIO ${JSON.stringify(words)}\n`);
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 2_000);
}
