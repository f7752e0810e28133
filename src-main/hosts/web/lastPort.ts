import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile, replaceFile } from '../../store/files/replaceFile.ts';

/** web.json in the data folder: the port that the page was served on last. */
const LastPort = z.object({ version: z.literal(1), port: z.number().int().min(1).max(65_535) });

const pathIn = (dataFolder: string): string => join(dataFolder, 'web.json');

/**
 * The port to try first when the person named none: a page that was left open then hears that Hansard was started anew, and
 * what it keeps in its browser is found again. 0 (any free one) when nothing is known.
 */
export async function readLastPort(dataFolder: string): Promise<number> {
  try {
    const read = await readJsonFile(pathIn(dataFolder), LastPort);
    return read.status === 'ok' ? read.value.port : 0;
  } catch {
    return 0; // it is a convenience: a disk that does not give it says so elsewhere
  }
}

/** A disk that refuses costs the memory, not the start. */
export async function keepLastPort(dataFolder: string, port: number): Promise<void> {
  await replaceFile(pathIn(dataFolder), `${JSON.stringify({ version: 1, port })}\n`, { fsync: false }).catch(
    () => undefined,
  );
}
