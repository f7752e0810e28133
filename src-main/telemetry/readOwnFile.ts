import type { z } from 'zod';
import { readJsonFile } from '../store/files/replaceFile.ts';

/** Reads a JSON file. `fault` says why there is no value, as the end of a sentence. Never rejects, because the core must start with any content. */
export async function readOwnFile<T>(
  path: string,
  schema: z.ZodType<T>,
): Promise<{ value: T | null; fault: string | null }> {
  try {
    const read = await readJsonFile(path, schema);
    if (read.status === 'ok') return { value: read.value, fault: null };
    return { value: null, fault: read.status === 'bad' ? `${read.reason}; it was kept as ${read.keptAs}` : null };
  } catch (error) {
    return { value: null, fault: error instanceof Error ? error.message : String(error) };
  }
}
