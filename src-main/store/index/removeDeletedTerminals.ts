import { existsSync } from 'node:fs';
import { IndexFile, indexPath } from './IndexFile.ts';
import { IndexWriter } from './IndexWriter.ts';
import { sourceIds } from './sourcesOf.ts';

/**
 * Takes the words of terminals that are gone out of the index, so that its file holds none of them. Only for who owns the data folder
 * while no core runs. An index that cannot be changed is taken away: the next core makes it anew.
 */
export function removeDeletedTerminals(dataFolder: string): void {
  if (!existsSync(indexPath(dataFolder))) return;
  try {
    const index = IndexFile.open(dataFolder);
    try {
      takeOut(new IndexWriter(index), new Set(sourceIds(dataFolder)));
    } finally {
      index.close();
    }
  } catch {
    IndexFile.remove(dataFolder); // damaged, or no room to write it anew: without it nothing is lost but time
  }
}

function takeOut(writer: IndexWriter, present: ReadonlySet<string>): void {
  const gone = writer.terminals().filter(({ id }) => !present.has(id));
  for (const { num } of gone) while (writer.forgetSome(num));
  if (gone.length > 0) writer.tidy();
}
