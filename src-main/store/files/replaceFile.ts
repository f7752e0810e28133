import { constants } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { KeyedQueue } from '../../util/KeyedQueue.ts';
import { asDiskError, NOFOLLOW } from './Disk.ts';
import { requireInPlace } from './folderIdentity.ts';
import { DamagedFile } from './readFault.ts';
import { readSmall } from './readPiece.ts';
import { temporaryName } from './sweepTemporaries.ts';

const PRIVATE_FILE = 0o600;

/** Runs one write at a time per path: of two concurrent renames, the older content could win. */
const writing = new KeyedQueue();

/**
 * Replaces the file at `path` with `data`: after a crash at any moment the file has the old or the new content, never a
 * part. Calls for one path run in order. `fsync: false` is for data that can be rebuilt: a power cut may leave the file
 * empty then.
 * Rejects with errors of the disk; the old file is unchanged then.
 */
export function replaceFile(path: string, data: string | Uint8Array, options: { fsync?: boolean } = {}): Promise<void> {
  return writing.run(path, () => replaceNow(path, data, options.fsync ?? true));
}

async function replaceNow(path: string, data: string | Uint8Array, fsync: boolean): Promise<void> {
  const temporary = temporaryName(join(dirname(path), `.${basename(path)}`));
  let file: FileHandle | null = null;
  try {
    requireInPlace(path);
    file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW, PRIVATE_FILE);
    await file.writeFile(data);
    if (fsync) await file.datasync();
    await file.close();
    await rename(temporary, path);
  } catch (thrown) {
    await file?.close().catch(() => undefined); // closed already, or the write's own error says more
    await unlink(temporary).catch(() => undefined); // never made, or the disk that refused the write refuses this too
    throw new Error(`${basename(path)} could not be written: ${asDiskError(thrown).reason}`, { cause: thrown });
  }
  if (fsync) await syncFolder(dirname(path));
}

/** Makes a created or renamed entry survive a power cut. Does nothing where folders cannot be synced (Windows). */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** `keptAs` is the new path of a file that could not be used. */
export type JsonFileRead<T> =
  | { status: 'ok'; value: T }
  | { status: 'missing' }
  | { status: 'bad'; reason: string; keptAs: string };

/**
 * Reads a small JSON file. Anything else in its place (a file of another shape, a folder, a FIFO) is renamed to `<name>.bad-<ms>` and
 * reported, never dropped or overwritten. Rejects with errors of reading: the file may be good then.
 */
export async function readJsonFile<T>(path: string, schema: z.core.$ZodType<T>): Promise<JsonFileRead<T>> {
  const judged = await readSmall(path).then(
    (text) => judge(text, schema),
    (thrown: unknown) => {
      if (asDiskError(thrown).code === 'ENOENT') return null;
      if (thrown instanceof DamagedFile) return { reason: thrown.reason };
      throw thrown;
    },
  );
  if (!judged) return { status: 'missing' };
  if ('value' in judged) return { status: 'ok', value: judged.value };
  const keptAs = `${path}.bad-${Date.now()}`;
  await rename(path, keptAs);
  return { status: 'bad', reason: judged.reason, keptAs };
}

function judge<T>(text: string, schema: z.core.$ZodType<T>): { value: T } | { reason: string } {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (thrown) {
    return { reason: thrown instanceof Error ? thrown.message : 'not JSON' };
  }
  const parsed = z.safeParse(schema, json);
  if (parsed.success) return { value: parsed.data };
  const [issue] = parsed.error.issues;
  return { reason: issue ? `${issue.path.join('.') || 'file'}: ${issue.message}` : 'not of the expected shape' };
}
