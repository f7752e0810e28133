import { existsSync } from 'node:fs';
import { IndexFile, indexPath } from './IndexFile.ts';
import { IndexWriter } from './IndexWriter.ts';
import { sourceIds } from './sourcesOf.ts';

/**
 * Removes the words of deleted terminals from the index, so that its file holds none of them. Only for the owner of the data folder
 * while no core runs. Deletes an index that cannot be changed; the next core rebuilds it.
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
    IndexFile.remove(dataFolder); // damaged, or no room to rewrite it: only time is lost
  }
}

function takeOut(writer: IndexWriter, present: ReadonlySet<string>): void {
  const gone = writer.terminals().filter(({ id }) => !present.has(id));
  for (const { num } of gone) while (writer.forgetSome(num));
  if (gone.length > 0) writer.tidy();
}
