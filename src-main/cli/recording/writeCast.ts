import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { exportCast } from '../../recordings/exportCast.ts';
import { asDiskError } from '../../store/files/Disk.ts';
import { readMetaAsIs } from '../../store/files/readAsIs.ts';
import { markExported } from '../../store/record/retention.ts';
import { SessionFolder } from '../../store/record/SessionFolder.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';

const PRIVATE_FILE = 0o600;

/** Writes the whole terminal as asciicast 2, which every player reads. */
export async function writeCast(dataFolder: string, id: string, path: string): Promise<void> {
  const folder = new SessionFolder(dataFolder, id);
  const meta = await readMetaAsIs(folder);
  if (!meta) throw new CliError(`${folder.meta} cannot be read`, EXIT.ioError);
  const { text } = await exportCast({ folder, meta, version: 2, title: meta.name ?? null, idleLimitS: null });
  await writePrivately(path, text);
  await markExported(folder);
}

/** The file appears complete or not at all, and only its owner can read it, because a recording may contain anything on the screen. */
export async function writePrivately(file: string, content: AsyncGenerator<string | Uint8Array>): Promise<void> {
  const path = resolve(file);
  const temporary = `${path}.${process.pid}.part`;
  try {
    await pipeline(content, createWriteStream(temporary, { mode: PRIVATE_FILE, flags: 'wx' }));
    await rename(temporary, path);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw new CliError(`${path} could not be written: ${asDiskError(thrown).reason}`, EXIT.ioError);
  }
}
