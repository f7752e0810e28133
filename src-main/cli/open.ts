import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { findElectron } from '../hosts/findElectron.ts';
import { serveWeb } from '../hosts/web/serveWeb.ts';
import { openInBrowser } from './browser.ts';
import { CliError, EXIT } from './exitCodes.ts';
import { parsePort } from './options.ts';

export function addOpen(program: Command): void {
  program
    .command('open', { isDefault: true })
    .description('open Hansard: the desktop app where Electron is there, else the web front and a browser')
    .argument('[dir]', 'folder in which the first terminal starts')
    .option('--port <n>', 'port of the web front (0: any free one)', parsePort, 0)
    .option('--web', 'the web front, also where Electron is there')
    .option('--no-open', 'print the URL, open nothing')
    .action(async (dir: string | undefined, options: { port: number; web?: boolean; open: boolean }) => {
      const electron = options.web || !options.open ? null : await findElectron();
      if (electron) return runElectron(electron, dir);
      if (!options.web && options.open)
        process.stdout.write('Electron is not on this machine and could not be fetched: opening the web front.\n');
      const served = await serveWeb({ port: options.port, ...(dir ? { cwd: dir } : {}) });
      if (!served.ok) throw new CliError(served.message, EXIT.unavailable);
      process.stdout.write(`${served.isJoined ? 'Hansard runs already' : 'Hansard is ready'}: ${served.url}\n`);
      if (options.open) openInBrowser(served.url);
      await served.ended;
    });
}

async function runElectron(electron: { binary: string; appRoot: string }, dir: string | undefined): Promise<void> {
  const child = spawn(electron.binary, [electron.appRoot, ...(dir ? [dir] : [])], { stdio: 'inherit' });
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (exitCode) => resolve(exitCode ?? EXIT.software));
  });
  if (code !== 0)
    throw new CliError(
      `the desktop app ended with exit code ${code}; \`hansard open --web\` opens the web front`,
      EXIT.unavailable,
    );
}
