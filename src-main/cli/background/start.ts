import { type Command, Option } from 'commander';
import { openInBrowser } from '../browser.ts';
import { helpText } from '../help.ts';
import { parsePort } from '../options.ts';
import { print, remark } from '../output.ts';
import { requirePlace } from '../startFront.ts';
import { launchCore } from './launchCore.ts';
import { runHere } from './runHere.ts';

export function addStart(serve: Command): void {
  serve
    .command('start')
    .description('run it in the background, where it outlives this terminal, and print the URL')
    .option('--port <n>', 'port to listen on (0: that of the last time, else any free one)', parsePort, 0)
    .option('--open', 'open a browser as well')
    .addOption(new Option('--here').hideHelp())
    .addHelpText(
      'after',
      helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'usage', 'unavailable', 'software'] }),
    )
    .action(start);
}

const NOTES = [
  'The core runs in a session of its own: closing the terminal, a lost SSH connection or a logout do not end it. Every front',
  'joins it: `hansard`, `hansard open`, the desktop app, the command line. What it has to say goes to core.log in the data folder.',
];
const EXAMPLES = [
  ['hansard serve start', 'start it, or print a new URL of the one that runs'],
  ['hansard serve start --open', 'and open a browser'],
  ['hansard serve stop', 'end it again'],
] as const;

interface StartOptions {
  open?: boolean;
  /** How the launched process is told that it is the one to stay; for nobody else. */
  here?: boolean;
}

async function start({ open, here }: StartOptions, command: Command): Promise<void> {
  const { port } = command.optsWithGlobals<{ port: number }>(); // `serve` has the same option, and takes it first
  if (here) return runHere({ port });
  // The launched process joins where one runs already: only the lock can tell, and only whoever tries for it.
  const { url, pid, isJoined } = await launchCore(requirePlace(), { port });
  await print(`${url}\n`);
  remark(
    `${isJoined ? 'it runs already' : 'it runs in the background'} (process ${pid}). \`hansard serve stop\` ends it.`,
  );
  if (isJoined && port !== 0 && !url.includes(`:${port}/`)) remark(`--port ${port} changes nothing.`);
  if (open) await openInBrowser(url);
}
