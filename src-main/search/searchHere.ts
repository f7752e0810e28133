import type { SearchEvent, SearchQuery } from '../contract/search.ts';
import { readFaultOf } from '../store/files/readFault.ts';
import { IndexFile, IndexUnusable } from '../store/index/IndexFile.ts';
import { isWhole } from '../store/index/isWhole.ts';
import { findByFiles, findByIndex, phrasesOf } from './findEverywhere.ts';

/** Searches without a running core, and writes nothing: with the index if it is complete, else by reading the files. */
export async function* searchHere(
  dataFolder: string,
  query: SearchQuery,
  signal?: AbortSignal,
): AsyncGenerator<SearchEvent> {
  const index = phrasesOf(query).length > 0 ? await openWhole(dataFolder) : null;
  if (!index) return yield* findByFiles(dataFolder, query, signal);
  let isDamaged = false;
  try {
    yield* findByIndex({ dataFolder, index }, query, signal);
  } catch (error) {
    if (!(error instanceof IndexUnusable)) throw error;
    isDamaged = true;
  } finally {
    index.close();
  }
  if (isDamaged) yield* findByFiles(dataFolder, query, signal);
}

async function openWhole(dataFolder: string): Promise<IndexFile | null> {
  let index: IndexFile | null = null;
  try {
    index = IndexFile.openToRead(dataFolder);
    if (await isWhole(dataFolder, index)) return index;
  } catch (error) {
    if (!(error instanceof IndexUnusable) && !readFaultOf(error, dataFolder)) throw error; // no index, or a damaged one: the next start rebuilds it
  }
  index?.close();
  return null;
}
