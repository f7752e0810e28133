import type { Command } from 'commander';
import {
  type CardPlace,
  cardLink,
  type LinkFault,
  looksLikeLink,
  placeHash,
  readCardLink,
} from '../../contract/cardLink.ts';
import { findElectron } from '../../hosts/findElectron.ts';
import { existingFolder, requirePlace, startFront, untilEnded } from '../background/startFront.ts';
import { openInBrowser } from '../print/browser.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { helpText } from '../print/help.ts';
import { parsePort } from '../print/options.ts';
import { print, remark } from '../print/output.ts';
import { addDeviceOptions, type DeviceOptions, isForOtherDevice, printQr, shownUrl } from '../print/publicUrl.ts';
import { runDesktopApp } from './desktop.ts';

export function addOpen(program: Command): void {
  addDeviceOptions(program.command('open', { isDefault: true }))
    .description('Open Hansard, in its app or in a browser')
    .argument('[dir]', 'folder of the first terminal, or the link of a card')
    .option('--port <n>', 'port of the web front (0: the last one, or any free port)', parsePort, 0)
    .option('--web', 'open the web front even if Electron is installed')
    .option('--no-open', 'print the URL and open nothing')
    .addHelpText(
      'after',
      helpText({ examples: EXAMPLES, exits: ['ok', 'usage', 'noInput', 'unavailable', 'software'] }),
    )
    .action(open);
}

const EXAMPLES = [
  ['hansard open', 'open it, or join the running one'],
  ['hansard open ~/project', 'open it with a terminal in that folder'],
  ['hansard open hansard://terminal/ID/card/ID', 'show that card'],
  ['hansard open --no-open --port 8080', 'print the URL, for a machine without a browser'],
] as const;

interface OpenOptions extends DeviceOptions {
  port: number;
  web?: boolean;
  open: boolean;
}

const FAULTS: Readonly<Record<LinkFault, string>> = {
  long: 'it is too long',
  foreign: 'it leads elsewhere. Links of Hansard begin with hansard:// or http://127.0.0.1:PORT/#/',
  form: 'it names no terminal. Copy it again from its card',
};

/** The terminal or card that a link names. Throws a CliError for other text, before it starts anything. */
function linkedPlace(link: string): CardPlace {
  const reading = readCardLink(link);
  if (reading.ok) return reading.place;
  throw new CliError(`the link was not opened: ${FAULTS[reading.fault]}.`, EXIT.usage);
}

async function open(what: string | undefined, options: OpenOptions): Promise<void> {
  const place = what !== undefined && looksLikeLink(what) ? linkedPlace(what) : null;
  const folder = what === undefined || place ? undefined : existingFolder(what);
  const wantsWindow = !options.web && options.open && !isForOtherDevice(options);
  const electron = wantsWindow ? await findElectron() : null;
  const hindrance = electron
    ? await runElectron(electron, place ? cardLink(place, null) : folder)
    : 'Electron is not installed';
  if (electron && hindrance === null) return;
  if (wantsWindow) remark(`the desktop app cannot run: ${hindrance}. Opening the web front.`);
  const front = await startFront({ port: options.port, publicUrl: options.publicUrl, dir: folder });
  const shown = shownUrl(front, options);
  const url = place ? `${shown}${placeHash(place).slice(1)}` : shown; // after the one-time code
  await print(`${front.isJoined ? 'Hansard is already running' : 'Hansard is ready'}: ${url}\n`);
  await printQr(url, front, options);
  if (options.open && !isForOtherDevice(options)) await openInBrowser(url);
  await untilEnded(front);
}

/** Resolves when the app ends: why it cannot run on this machine, or null if it ran. Throws if it failed in another way. */
async function runElectron(
  { binary, args: own }: { binary: string; args: readonly string[] },
  folderOrLink: string | undefined,
): Promise<string | null> {
  const args = [...own, ...(folderOrLink === undefined ? [] : [folderOrLink])];
  const { exitCode, signal, couldNotStart, logPath } = await runDesktopApp(binary, args, requirePlace());
  if (exitCode === 0 || couldNotStart !== null) return couldNotStart;
  throw new CliError(
    `the desktop app ended with ${signal ?? `exit code ${exitCode}`}; see ${logPath} for the reason. \`hansard open --web\` opens the web front.`,
    EXIT.unavailable,
  );
}
