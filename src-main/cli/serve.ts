import type { Command } from 'commander';
import { openInBrowser } from './browser.ts';
import { helpText } from './help.ts';
import { parseHost, parsePort } from './options.ts';
import { print } from './output.ts';
import { startFront } from './startFront.ts';

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('run the web front on this machine and print one URL with its one-time code')
    .option('--port <n>', 'port to listen on (0: any free one)', parsePort, 0)
    .option('--host <address>', 'only 127.0.0.1: nobody else may reach a terminal', parseHost, '127.0.0.1')
    .option('--no-open', 'do not open a browser')
    .addHelpText(
      'after',
      helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'usage', 'unavailable', 'software'] }),
    )
    .action(serve);
}

const NOTES = [
  'Runs until SIGINT (Ctrl+C), SIGTERM or SIGHUP; the terminals come back at the next start.',
  'Where Hansard runs already, prints a new URL of that one and ends.',
];
const EXAMPLES = [
  ['hansard serve', 'serve, and open a browser where there is one'],
  [
    'hansard serve --no-open --port 8080',
    'on a machine without a screen; then `ssh -L 8080:127.0.0.1:8080` from yours',
  ],
] as const;

async function serve({ port, open }: { port: number; open: boolean }): Promise<void> {
  const front = await startFront({ port, dir: undefined });
  await print(`${front.isJoined ? 'Hansard runs already' : 'Hansard is ready'}: ${front.url}\n`);
  if (open) await openInBrowser(front.url);
  await front.ended;
}
