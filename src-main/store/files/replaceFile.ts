import { constants } from 'node:fs';
import { type FileHandle, open, readFile, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { KeyedQueue } from '../../util/KeyedQueue.ts';
import { asDiskError, NOFOLLOW } from './Disk.ts';
import { requireInPlace } from './folderIdentity.ts';
import { temporaryName } from './sweepTemporaries.ts';

const PRIVATE_FILE = 0o600;
/** Small state only; anything larger is not one of our files. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;

/** One write at a time for each path: two renames at once could leave the older content in front. */
const writing = new KeyedQueue();

/**
 * Puts `data` in the place of the file at `path`: after a crash at any moment the file holds the old content or the new,
 * never a part. Calls for one path follow each other in the order they were made. `fsync: false`, for what can be made again,
 * leaves out the power cut: after one such a file may be empty.
 * Rejects when the disk refuses; the old file is untouched then.
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

/** Makes a created or renamed entry survive a power cut. Where folders cannot be synced (Windows), does nothing. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** `keptAs` is where a file that could not be used lies now. */
export type JsonFileRead<T> =
  | { status: 'ok'; value: T }
  | { status: 'missing' }
  | { status: 'bad'; reason: string; keptAs: string };

/**
 * Reads a small JSON file. One that is no JSON or not of the schema's shape is renamed to `<name>.bad-<ms>` and told, never
 * dropped nor written over. Rejects when the disk refuses to read: the file may be good then.
 */
export async function readJsonFile<T>(path: string, schema: z.core.$ZodType<T>): Promise<JsonFileRead<T>> {
  const text = await readSmall(path);
  if (text === null) return { status: 'missing' };
  const judged = judge(text, schema);
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

/** The text of a file, null when there is none, '' (which is no JSON) when it is too large to be ours. */
async function readSmall(path: string): Promise<string | null> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (thrown) {
    if (asDiskError(thrown).code === 'ENOENT') return null;
    throw thrown;
  }
  try {
    if ((await file.stat()).size > MAX_JSON_BYTES) return '';
    return await readFile(file, 'utf8');
  } finally {
    await file.close();
  }
}
