import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile, replaceFile } from '../../store/files/replaceFile.ts';

/** web.json in the data folder: the port that the page was served on last. */
const LastPort = z.object({ version: z.literal(1), port: z.number().int().min(1).max(65_535) });

const pathIn = (dataFolder: string): string => join(dataFolder, 'web.json');

/**
 * The port to try first if the person named none: an open page then learns that Hansard restarted, and its browser storage stays available. 0 (any
 * free port) if unknown.
 */
export async function readLastPort(dataFolder: string): Promise<number> {
  try {
    const read = await readJsonFile(pathIn(dataFolder), LastPort);
    return read.status === 'ok' ? read.value.port : 0;
  } catch {
    return 0; // only a convenience: a failing disk is reported elsewhere
  }
}

/** If the disk refuses, the port is not remembered, but the start succeeds. */
export async function keepLastPort(dataFolder: string, port: number): Promise<void> {
  await replaceFile(pathIn(dataFolder), `${JSON.stringify({ version: 1, port })}\n`, { fsync: false }).catch(
    () => undefined,
  );
}
