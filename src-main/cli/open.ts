import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { findElectron } from '../hosts/findElectron.ts';
import { openInBrowser } from './browser.ts';
import { CliError, EXIT } from './exitCodes.ts';
import { helpText } from './help.ts';
import { parsePort } from './options.ts';
import { print, remark } from './output.ts';
import { existingFolder, startFront } from './startFront.ts';

export function addOpen(program: Command): void {
  program
    .command('open', { isDefault: true })
    .description('open Hansard: the desktop app where Electron is there, else the web front and a browser')
    .argument('[dir]', 'folder in which the first terminal starts')
    .option('--port <n>', 'port of the web front (0: that of the last time, else any free one)', parsePort, 0)
    .option('--web', 'the web front, also where Electron is there')
    .option('--no-open', 'print the URL, open nothing')
    .addHelpText(
      'after',
      helpText({ examples: EXAMPLES, exits: ['ok', 'usage', 'noInput', 'unavailable', 'software'] }),
    )
    .action(open);
}

const EXAMPLES = [
  ['hansard open', 'open it; a second call joins the one that runs'],
  ['hansard open ~/project', 'with a terminal in that folder'],
  ['hansard open --no-open --port 8080', 'print the URL, on a machine without a browser'],
] as const;

interface OpenOptions {
  port: number;
  web?: boolean;
  open: boolean;
}

async function open(dir: string | undefined, options: OpenOptions): Promise<void> {
  const folder = dir === undefined ? undefined : existingFolder(dir);
  const wantsWindow = !options.web && options.open;
  const electron = wantsWindow ? await findElectron() : null;
  if (electron) return runElectron(electron, folder);
  if (wantsWindow) remark('Electron is not on this machine and could not be fetched: opening the web front.');
  const front = await startFront({ port: options.port, dir: folder });
  await print(`${front.isJoined ? 'Hansard runs already' : 'Hansard is ready'}: ${front.url}\n`);
  if (options.open) await openInBrowser(front.url);
  await front.ended;
}

/** Ends with the app. A signal to us is meant for it: it saves what it holds before it ends. */
async function runElectron(electron: { binary: string; appRoot: string }, dir: string | undefined): Promise<void> {
  const child = spawn(electron.binary, [electron.appRoot, ...(dir === undefined ? [] : [dir])], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (exitCode) => resolve(exitCode ?? EXIT.software));
  });
  if (code !== 0)
    throw new CliError(
      `the desktop app ended with exit code ${code}; \`hansard open --web\` opens the web front.`,
      EXIT.unavailable,
    );
}
