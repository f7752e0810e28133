import type { Command } from 'commander';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { helpText } from '../print/help.ts';
import { parsePort } from '../print/options.ts';
import { print, remark } from '../print/output.ts';
import { addDeviceOptions, type DeviceOptions, printQr, shownUrl } from '../print/publicUrl.ts';
import { LiveCore } from '../record/LiveCore.ts';
import { currentDataFolder } from '../record/RecordReader.ts';
import { launchCore } from './launchCore.ts';
import { requireBuild, requirePlace } from './startFront.ts';
import { askFor, silence, untilGone } from './stop.ts';

export function addRestart(serve: Command): void {
  addDeviceOptions(serve.command('restart'))
    .description('Restart Hansard in the background')
    .option('--port <n>', 'port to listen on (0: the last one, or any free port)', parsePort, 0)
    .option('--force', 'do not ask if programs would end')
    .addHelpText(
      'after',
      helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'negative', 'usage', 'unavailable', 'software'] }),
    )
    .action(restart);
}

const NOTES = [
  'Use it after an update. The new process runs in the background. Shells and agents run on if they run in the PTY host',
  '(not with HANSARD_PTY_HOST=off); otherwise this names the programs that would end, and asks first.',
];
const EXAMPLES = [['hansard serve restart', 'restart it, and print a new URL']] as const;

async function restart({ force = false }: { force?: boolean }, command: Command): Promise<void> {
  // `serve` has these options too, and parses them first.
  const { port, ...device } = command.optsWithGlobals<DeviceOptions & { port: number }>();
  const dataFolder = currentDataFolder();
  const found = await LiveCore.find(dataFolder);
  if (found.status === 'silent') throw new CliError(silence(found.pid, found.reason), EXIT.unavailable);
  requireBuild(); // before any core ends
  if (found.status === 'ok') await requireProgram(found.core);
  const known = found.status === 'ok' ? await endIt(dataFolder, found.core, force) : null;
  const publicUrl = device.publicUrl ?? known ?? undefined; // a phone keeps using its address
  const launched = await launchCore(requirePlace(), { port, publicUrl });
  const url = shownUrl(launched, device);
  await print(`${url}\n`);
  await printQr(url, launched, device);
  remark(`Hansard runs in the background (process ${launched.pid}). \`hansard serve stop\` ends it.`);
}

/** Loads the program that the next core runs: an incomplete update must not end the running core. */
async function requireProgram(running: LiveCore): Promise<void> {
  try {
    await import('../../hosts/serveWeb.ts');
  } catch (error) {
    running.dispose();
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(`this program cannot be loaded (${reason}). Nothing was ended.`, EXIT.software);
  }
}

/** Ends the core. Returns its public origin. */
async function endIt(dataFolder: string, core: LiveCore, isForced: boolean): Promise<string | null> {
  try {
    const { front, keepsShells, publicOrigin } = await core.status();
    if (front === 'desktop') throw new CliError('the desktop app runs. Quit it and start it again.', EXIT.unavailable);
    if (!keepsShells && !isForced) await askFor(core);
    await core.end({ keepsShells });
    await untilGone(dataFolder, core.pid);
    return publicOrigin;
  } finally {
    core.dispose();
  }
}
