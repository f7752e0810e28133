import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { findAppFiles } from '../../hosts/appFiles.ts';
import type { ServedFront } from '../../hosts/serveWeb.ts';
import { isOtherBuild } from '../../hosts/update/isOtherBuild.ts';
import { asDiskError } from '../../store/files/Disk.ts';
import { ensurePrivateFolder } from '../../store/instance/dataFolder.ts';
import { readLock } from '../../store/instance/lockFile.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { holdSignals } from '../print/holdSignals.ts';
import { remark } from '../print/output.ts';
import { LiveCore } from '../record/LiveCore.ts';
import { currentDataFolder } from '../record/RecordReader.ts';

export interface FrontOptions {
  port: number;
  /** An https origin, as `parsePublicUrl` reads it. */
  publicUrl?: string | undefined;
  dir?: string | undefined;
  /** This process was started for the background and has no terminal. */
  isBackground?: boolean;
}

/** Serves the web front, or joins the running Hansard. Throws a CliError for problems that the person can fix. */
export async function startFront({ port, publicUrl, dir, isBackground = false }: FrontOptions): Promise<ServedFront> {
  const cwd = dir === undefined ? undefined : existingFolder(dir);
  const dataFolder = requirePlace();
  const held = holdSignals();
  try {
    // Imported here, because it loads the whole core, which no reading command needs.
    const { serveWeb } = await import('../../hosts/serveWeb.ts');
    const served = await serveWeb({ port, publicOrigin: publicUrl, isBackground, ...(cwd !== undefined && { cwd }) });
    if (!served.ok) throw new CliError(served.message, EXIT.unavailable);
    if (served.isJoined && cwd !== undefined) await openThere(dataFolder, cwd);
    if (served.isJoined && port !== 0 && !served.url.includes(`:${port}/`))
      remark(`Hansard is already running: --port ${port} has no effect.`);
    if (served.isJoined && !isBackground) remarkOnPublicUrl(publicUrl, served);
    if (served.isJoined && !isBackground) remarkOnBuild(served);
    return served;
  } finally {
    held.release();
  }
}

/** Waits for the end. A restart ends this process too, though Hansard continues. */
export async function untilEnded({ ended }: Pick<ServedFront, 'ended'>): Promise<void> {
  const { isLeft = false } = await ended;
  if (isLeft) remark('Hansard was restarted and continues in the background. `hansard serve stop` ends it.');
}

/** An update does not change a running Hansard. */
export function remarkOnBuild({ build }: Pick<ServedFront, 'build'>): void {
  if (isOtherBuild(build, findAppFiles()))
    remark('The running Hansard is another build than this command: `hansard serve restart` starts this one.');
}

/** The public URL of a running Hansard is fixed at its start. */
export function remarkOnPublicUrl(
  wanted: string | undefined,
  { publicOrigin }: Pick<ServedFront, 'publicOrigin'>,
): void {
  if (wanted === undefined || wanted === publicOrigin) return;
  remark(
    `Hansard is already running: --public-url has no effect. \`hansard serve restart --public-url ${wanted}\` sets it.`,
  );
}

/** The data folder, ready for a core. Throws a CliError if no core could start: no data folder, or no built window. */
export function requirePlace(): string {
  const dataFolder = currentDataFolder();
  prepareFolder(dataFolder);
  if (!readLock(dataFolder)) requireBuild();
  return dataFolder;
}

/** A word that is not a folder was probably meant as a command, unless it looks like a path. */
export function existingFolder(dir: string): string {
  const path = resolve(dir);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  if (existsSync(path)) throw new CliError(`${path} is not a folder.`, EXIT.noInput);
  if (dir.includes(sep) || dir.startsWith('.')) throw new CliError(`there is no folder ${path}.`, EXIT.noInput);
  throw new CliError(
    `"${dir}" is neither a command nor a folder here. \`hansard --help\` lists the commands.`,
    EXIT.usage,
  );
}

function prepareFolder(dataFolder: string): void {
  const remedy = 'Set HANSARD_HOME to a folder of your own, or repair this one.';
  try {
    ensurePrivateFolder(dataFolder);
  } catch (error) {
    throw new CliError(
      `the record has no place: ${error instanceof Error ? error.message : String(error)}. ${remedy}`,
      EXIT.unavailable,
    );
  }
  try {
    accessSync(dataFolder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new CliError(
      `the data folder ${dataFolder} cannot be written: ${asDiskError(error).reason}. ${remedy}`,
      EXIT.unavailable,
    );
  }
}

/** Throws a CliError if the window was not built. */
export function requireBuild(): void {
  const { rendererDir, root } = findAppFiles();
  if (existsSync(join(rendererDir, 'index.html'))) return;
  throw new CliError(
    `the window is not built (no index.html in ${rendererDir}). Run \`npm start\` once in ${root}.`,
    EXIT.unavailable,
  );
}

async function openThere(dataFolder: string, cwd: string): Promise<void> {
  const found = await LiveCore.find(dataFolder);
  if (found.status !== 'ok') return remark('the running Hansard did not answer: open the terminal from its window.');
  try {
    await found.core.open(cwd);
  } finally {
    found.core.dispose();
  }
}
