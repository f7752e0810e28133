import { type Command, InvalidArgumentError, Option } from 'commander';
import { MACHINE_PROTOCOL } from '../../contract/machines.ts';
import { addRestart } from '../background/restart.ts';
import { addStart } from '../background/start.ts';
import { startFront, untilEnded } from '../background/startFront.ts';
import { addStatus } from '../background/status.ts';
import { serveStdio } from '../background/stdio.ts';
import { addStop } from '../background/stop.ts';
import { openInBrowser } from '../print/browser.ts';
import { helpText } from '../print/help.ts';
import { parseHost, parsePort } from '../print/options.ts';
import { print } from '../print/output.ts';
import { addDeviceOptions, type DeviceOptions, isForOtherDevice, printQr, shownUrl } from '../print/publicUrl.ts';

export function addServe(program: Command): void {
  const serve = addDeviceOptions(program.command('serve'))
    .description('Serve the window to a local browser')
    .usage('[options]\n       hansard serve start|status|stop|restart [options]')
    .option('--port <n>', 'port to listen on (0: the last one, or any free port)', parsePort, 0)
    .option('--host <address>', 'address to listen on; only 127.0.0.1 is allowed', parseHost, '127.0.0.1')
    .option('--no-open', 'do not open a browser')
    .addOption(new Option('--stdio [protocol]').hideHelp().argParser(parseProtocol))
    .helpCommand(false)
    .addHelpText(
      'after',
      helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'usage', 'unavailable', 'software'] }),
    )
    .action(serveHere);
  for (const add of [addStart, addStatus, addStop, addRestart]) add(serve);
}

const NOTES = [
  'Runs until Ctrl+C, SIGTERM or SIGHUP; the next start restores the terminals. `serve start` runs it in the background, where it',
  'survives this terminal; `serve restart` restarts it there. If Hansard is already running, this prints a new URL of it and ends. The URL works once.',
];
const EXAMPLES = [
  ['hansard serve', 'serve, and open a browser if there is one'],
  ['hansard serve --no-open --port 8080', 'serve on a remote machine; then `ssh -L 8080:127.0.0.1:8080` from yours'],
  ['hansard serve --public-url https://box.example.ts.net --qr', 'show a phone the way through your tunnel'],
  ['hansard serve start', 'serve in the background; `hansard serve stop` ends it'],
] as const;

/** Fails with a usage error, like an older Hansard without this option, so that the caller tries the next protocol. */
function parseProtocol(text: string): number {
  if (text === String(MACHINE_PROTOCOL)) return MACHINE_PROTOCOL;
  throw new InvalidArgumentError(`This version speaks protocol ${MACHINE_PROTOCOL}.`);
}

interface ServeOptions extends DeviceOptions {
  port: number;
  open: boolean;
  /** Set by the Hansard of another machine, which runs this through ssh: its protocol, or just true. */
  stdio?: number | true;
}

async function serveHere({ port, open, stdio, ...device }: ServeOptions): Promise<void> {
  if (stdio !== undefined) return serveStdio();
  const front = await startFront({ port, publicUrl: device.publicUrl });
  const url = shownUrl(front, device);
  await print(`${front.isJoined ? 'Hansard is already running' : 'Hansard is ready'}: ${url}\n`);
  await printQr(url, front, device);
  if (open && !isForOtherDevice(device)) await openInBrowser(url);
  await untilEnded(front);
}
