import type { Command } from 'commander';
import { addStart } from './background/start.ts';
import { addStatus } from './background/status.ts';
import { addStop } from './background/stop.ts';
import { openInBrowser } from './browser.ts';
import { helpText } from './help.ts';
import { parseHost, parsePort } from './options.ts';
import { print } from './output.ts';
import { startFront } from './startFront.ts';

export function addServe(program: Command): void {
  const serve = program
    .command('serve')
    .description('run the web front on this machine and print one URL with its one-time code')
    .usage('[options]\n       hansard serve start|status|stop [options]')
    .option('--port <n>', 'port to listen on (0: that of the last time, else any free one)', parsePort, 0)
    .option('--host <address>', 'only 127.0.0.1: nobody else may reach a terminal', parseHost, '127.0.0.1')
    .option('--no-open', 'do not open a browser')
    .helpCommand(false)
    .addHelpText(
      'after',
      helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'usage', 'unavailable', 'software'] }),
    )
    .action(serveHere);
  for (const add of [addStart, addStatus, addStop]) add(serve);
}

const NOTES = [
  'Runs until SIGINT (Ctrl+C), SIGTERM or SIGHUP; the terminals come back at the next start. `serve start` runs it in the',
  'background instead, where it outlives this terminal. Where Hansard runs already, prints a new URL of that one and ends.',
];
const EXAMPLES = [
  ['hansard serve', 'serve, and open a browser where there is one'],
  [
    'hansard serve --no-open --port 8080',
    'on a machine without a screen; then `ssh -L 8080:127.0.0.1:8080` from yours',
  ],
  ['hansard serve start', 'in the background; `hansard serve stop` ends it'],
] as const;

async function serveHere({ port, open }: { port: number; open: boolean }): Promise<void> {
  const front = await startFront({ port });
  await print(`${front.isJoined ? 'Hansard runs already' : 'Hansard is ready'}: ${front.url}\n`);
  if (open) await openInBrowser(front.url);
  await front.ended;
}
