import { type Command, Option } from 'commander';
import { openInBrowser } from '../print/browser.ts';
import { helpText } from '../print/help.ts';
import { parsePort } from '../print/options.ts';
import { print, remark } from '../print/output.ts';
import { addDeviceOptions, type DeviceOptions, isForOtherDevice, printQr, shownUrl } from '../print/publicUrl.ts';
import { launchCore } from './launchCore.ts';
import { runHere } from './runHere.ts';
import { remarkOnBuild, remarkOnPublicUrl, requirePlace } from './startFront.ts';

export function addStart(serve: Command): void {
  addDeviceOptions(serve.command('start'))
    .description('Start Hansard in the background and print its URL')
    .option('--port <n>', 'port to listen on (0: the last one, or any free port)', parsePort, 0)
    .option('--open', 'also open a browser')
    .addOption(new Option('--here').hideHelp())
    .addHelpText(
      'after',
      helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'usage', 'unavailable', 'software'] }),
    )
    .action(start);
}

const NOTES = [
  'Closing this terminal, a lost SSH connection and a logout do not end it. `hansard`, `hansard open`, the desktop app and the',
  'command line join it. It logs to core.log in the data folder.',
];
const EXAMPLES = [
  ['hansard serve start', 'start it, or print a new URL of the running one'],
  ['hansard serve start --open', 'also open a browser'],
  ['hansard serve stop', 'stop it'],
] as const;

interface StartOptions {
  open?: boolean;
  /** Set by the launcher: the process is the background core itself. Not for other callers. */
  here?: boolean;
}

async function start({ open, here }: StartOptions, command: Command): Promise<void> {
  // `serve` has these options too, and parses them first.
  const { port, ...device } = command.optsWithGlobals<DeviceOptions & { port: number }>();
  const { publicUrl } = device;
  if (here) return runHere({ port, publicUrl });
  // The launched process joins a running core if there is one: only an attempt to take the lock can tell.
  const launched = await launchCore(requirePlace(), { port, publicUrl });
  const { pid, isJoined } = launched;
  const url = shownUrl(launched, device);
  await print(`${url}\n`);
  await printQr(url, launched, device);
  remark(
    `${isJoined ? 'Hansard is already running' : 'Hansard runs in the background'} (process ${pid}). \`hansard serve stop\` ends it.`,
  );
  if (isJoined && port !== 0 && !launched.url.includes(`:${port}/`)) remark(`--port ${port} has no effect.`);
  if (isJoined) remarkOnPublicUrl(publicUrl, launched);
  if (isJoined) remarkOnBuild(launched);
  if (open && !isForOtherDevice(device)) await openInBrowser(url);
}
