import type { Command } from 'commander';
import { serveWeb } from '../hosts/web/serveWeb.ts';
import { openInBrowser } from './browser.ts';
import { CliError, EXIT } from './exitCodes.ts';
import { parseHost, parsePort } from './options.ts';

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('run the web front on this machine and print one URL with its one-time code')
    .option('--port <n>', 'port to listen on (0: any free one)', parsePort, 0)
    .option('--host <address>', 'only 127.0.0.1: nobody else may reach a terminal', parseHost, '127.0.0.1')
    .option('--no-open', 'do not open a browser')
    .action(async ({ port, open }: { port: number; open: boolean }) => {
      const served = await serveWeb({ port });
      if (!served.ok) throw new CliError(served.message, EXIT.unavailable);
      process.stdout.write(`${served.isJoined ? 'Hansard runs already' : 'Hansard is ready'}: ${served.url}\n`);
      if (open) openInBrowser(served.url);
      await served.ended;
    });
}
